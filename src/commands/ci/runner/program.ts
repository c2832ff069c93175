// Runs almanac in a step. Meanwhile the runner does not interpret lines as workflow commands: a name in a declaration may
// start with `::`.

import { randomUUID } from 'node:crypto';
import type { RunningStep } from '../step.ts';
import { headOf } from './git.ts';
import { type AlmanacRun, type RunOptions, runAlmanac } from './output.ts';

/** Variables that the runner or the action sets for a step and that Almanac does not need. */
const ofStep = /^(?:GITHUB_(?:TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|GH_TOKEN|ACTIONS_.*|ALMANAC_[A-Z_]+|INPUT_.*)$/;
/** Almanac's own: tokens, and what concerns a shared state. */
const ofAlmanac = /^ALMANAC_(?:STATE_|(?:[A-Z0-9]+_)*(?:TOKEN|KEY)(?:_|$))/;

/** With the commit that is checked out in `cwd`: the one of the event may be older. All else is as `runAlmanac` has it. */
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
