// Runs almanac for a step or a job, and keeps what it wrote. Its output goes to the log line by line, without secrets.

import type { Variables } from '../../../model/outside.ts';
import type { RunningStep } from '../step.ts';

/** Characters of the log that are kept to report a failure. */
const keptOfLog = 200_000;

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Variables;
  readonly withheld: (name: string) => boolean;
  readonly redact: (text: string) => string;
  readonly capture?: boolean;
}

export interface AlmanacRun {
  readonly code: number;
  readonly stdout: string;
  readonly log: string;
}

/** Runs almanac in the folder of the workspace, or in another one. */
export type Almanac = (
  args: readonly string[],
  options?: Pick<RunOptions, 'capture' | 'env'> & { readonly cwd?: string },
) => Promise<AlmanacRun>;

/**
 * Runs almanac in the folder `cwd`, with the variables of the step but those that are `withheld`. `own` variables come
 * before them, and undefined removes one. With `capture`, stdout is returned instead of logged. Resolves to the exit code,
 * stdout, and the end of the log.
 */
export async function runAlmanac(
  step: Pick<RunningStep, 'env' | 'say' | 'almanac'>,
  args: readonly string[],
  { cwd, env: own = {}, withheld, redact, capture = false }: RunOptions,
): Promise<AlmanacRun> {
  const variables = Object.entries({ ...step.env, ...own });
  const env = Object.fromEntries(
    variables.flatMap(([name, value]) => (value === undefined || withheld(name) ? [] : [[name, value]])),
  );
  let [stdout, log] = ['', ''];
  const show = (line: string) => {
    const shown = `${redact(line)}\n`;
    log += shown;
    // To cut it at each line would copy all of it each time.
    if (log.length > 2 * keptOfLog) log = log.slice(-keptOfLog);
    step.say(shown);
  };
  const [out, err] = [lineReader(show), lineReader(show)];
  const keep = (text: string) => {
    stdout += text;
  };
  const code = await step.almanac(args, { cwd, env, onStdout: capture ? keep : out.take, onStderr: err.take });
  for (const { end } of [out, err]) end();
  return { code, stdout, log: log.slice(-keptOfLog) };
}

function lineReader(take: (line: string) => void) {
  let open = '';
  return {
    take: (text: string) => {
      const lines = (open + text).split('\n');
      open = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    end: () => {
      if (open !== '') take(open);
    },
  };
}
