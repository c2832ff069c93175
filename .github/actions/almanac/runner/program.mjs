// Runs almanac. Its output goes to the log line by line, without secrets. Meanwhile the runner does not
// interpret lines as workflow commands: a name in a declaration may start with `::`.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runChild, toStdout } from './child.mjs';
import { headOf } from './git.mjs';
import { Refusal } from './inputs.mjs';

/** Variables that the runner or the action sets for a step and that Almanac does not need. */
const withheld =
  /^(?:GITHUB_(?:TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|GH_TOKEN|ACTIONS_.*|ALMANAC_[A-Z_]+|INPUT_.*)$/;
/** Almanac's own: tokens, and what concerns a shared state. */
const kept = /^ALMANAC_(?:STATE_|(?:[A-Z0-9]+_)*(?:TOKEN|KEY)(?:_|$))/;

/** Of the package that holds this action: both have one version, and no file of a checkout is run. */
const program = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url));

/**
 * Runs almanac in the folder, with the commit that is checked out there: the one of the event may be older. With
 * `capture`, stdout is returned instead of logged; `own` variables come before those of the step, and undefined removes one.
 * Resolves to the exit code (128 and more for a signal), stdout, and the
 * end of the log.
 */
export function runProgram({ args, cwd, env: own = {}, redact, capture = false, write = toStdout }) {
  if (!existsSync(program))
    throw new Refusal('The action came without its program. Take it from the package: docs/ci-github.md shows how.');
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...own }).filter(
      ([name, value]) => value !== undefined && (!withheld.test(name) || kept.test(name)),
    ),
  );
  const commit = headOf(cwd);
  if (commit !== undefined) env.GITHUB_SHA = commit;
  const pause = randomUUID();
  write(`::stop-commands::${pause}\n`);
  const resume = () => write(`::${pause}::\n`);
  return runChild([process.execPath, program, ...args], { cwd, env, redact, capture, write }).finally(resume);
}
