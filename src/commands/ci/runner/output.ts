// Runs almanac for a step or a job, and keeps its output. Each line goes to the log, without secrets.

import { randomUUID } from 'node:crypto';
import type { Variables } from '../../../model/outside.ts';
import type { RunningStep } from '../step.ts';
import { headOf } from './git.ts';

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
  const show = (lines: string) => {
    const shown = `${redact(lines)}\n`;
    log += shown;
    // Cutting each time would copy the whole log each time.
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

/** Hands on only whole lines, all that are complete at once, because a secret may arrive in two pieces. */
function lineReader(take: (lines: string) => void) {
  let open = '';
  return {
    take: (text: string) => {
      const end = text.lastIndexOf('\n');
      if (end >= 0) take(open + text.slice(0, end));
      open = end < 0 ? open + text : text.slice(end + 1);
    },
    end: () => {
      if (open !== '') take(open);
    },
  };
}

/** Variables that the runner or the action sets for a step and that Almanac does not need. */
const ofStep = /^(?:GITHUB_(?:TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|GH_TOKEN|ACTIONS_.*|ALMANAC_[A-Z_]+|INPUT_.*)$/;
/** Almanac's own: tokens, and what concerns a shared state. */
const ofAlmanac = /^ALMANAC_(?:STATE_|(?:[A-Z0-9]+_)*(?:TOKEN|KEY)(?:_|$))/;

/**
 * Runs almanac in a step, with the commit that is checked out in `cwd`: the one of the event may be older. Meanwhile the
 * runner does not interpret lines as workflow commands: a name in a declaration may start with `::`.
 */
export async function runInStep(
  step: RunningStep,
  args: readonly string[],
  { cwd, env = {}, ...rest }: Omit<RunOptions, 'withheld'>,
): Promise<AlmanacRun> {
  const withheld = (name: string) => ofStep.test(name) && !ofAlmanac.test(name);
  const commit = headOf(step, cwd);
  const own = commit === undefined ? env : { ...env, GITHUB_SHA: commit };
  const pause = randomUUID();
  step.say(`::stop-commands::${pause}\n`);
  try {
    return await runAlmanac(step, args, { cwd, env: own, withheld, ...rest });
  } finally {
    step.say(`::${pause}::\n`);
  }
}
