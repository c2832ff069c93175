// Runs almanac for a step or a job, and keeps what it wrote. Its output goes to the log line by line, without secrets.

/** Characters of the log that are kept to report a failure. */
const keptOfLog = 200_000;

/**
 * Runs almanac in the folder `cwd`, with the variables of the step but those that are `withheld`. `own` variables come
 * before them, and undefined removes one. With `capture`, stdout is returned instead of logged. Resolves to the exit code,
 * stdout, and the end of the log.
 */
export async function runAlmanac(step, args, { cwd, env: own = {}, withheld, redact, capture = false }) {
  const variables = Object.entries({ ...step.env, ...own });
  const env = Object.fromEntries(variables.filter(([name, value]) => value !== undefined && !withheld(name)));
  let [stdout, log] = ['', ''];
  const show = (line) => {
    const shown = `${redact(line)}\n`;
    log = (log + shown).slice(-keptOfLog);
    step.say(shown);
  };
  const [out, err] = [linesOf(show), linesOf(show)];
  const keep = (text) => {
    stdout += text;
  };
  const code = await step.almanac(args, { cwd, env, onStdout: capture ? keep : out.take, onStderr: err.take });
  for (const { end } of [out, err]) end();
  return { code, stdout, log };
}

function linesOf(take) {
  let open = '';
  return {
    take: (text) => {
      const lines = (open + text).split('\n');
      open = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    end: () => {
      if (open !== '') take(open);
    },
  };
}
