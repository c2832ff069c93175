// Finds almanac and runs it. Its output goes to the log line by line, without secrets. Meanwhile the runner does not
// interpret lines as workflow commands: a name in a declaration may start with `::`.

import { randomUUID } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild, toStdout } from './child.mjs';
import { headOf } from './git.mjs';
import { Refusal } from './inputs.mjs';

/** Variables that the runner or the action sets for a step and that Almanac does not need. */
const withheld =
  /^(?:GITHUB_(?:TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|GH_TOKEN|ACTIONS_.*|ALMANAC_[A-Z_]+|INPUT_.*)$/;
/** Almanac's own: tokens, and what concerns a shared state. */
const kept = /^ALMANAC_(?:STATE_|(?:[A-Z0-9]+_)*(?:TOKEN|KEY)(?:_|$))/;

/** Where the package that holds this action keeps its program. */
const ownProgram = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url));

/**
 * The command that starts almanac: the one that the action came with. Where the action came alone, almanac from
 * node_modules, in the workspace's folder or its parents up to the checkout, or else from the PATH.
 */
export function findProgram({ path, checkout, isData }, env = process.env) {
  if (isFile(ownProgram)) return [process.execPath, ownProgram];
  const [from, end] = isData ? [env.GITHUB_WORKSPACE, env.GITHUB_WORKSPACE] : [path, checkout];
  for (let folder = from; ; folder = dirname(folder)) {
    const program = join(folder, 'node_modules', '.bin', 'almanac');
    if (isProgram(program)) return [program];
    if (folder === end || folder === dirname(folder)) break;
  }
  const found = (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'almanac'))
    .find(isProgram);
  if (found === undefined)
    throw new Refusal(
      'almanac is neither in node_modules nor on the PATH. Install it in an earlier step, for example with npm ci.',
    );
  return [found];
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/**
 * Runs almanac in the folder, with the commit that is checked out there: the one of the event may be older. With
 * `capture`, stdout is returned instead of logged; `own` variables come before those of the step, and undefined removes one.
 * Resolves to the exit code (128 and more for a signal), stdout, and the
 * end of the log.
 */
export function runProgram({ program, args, cwd, env: own = {}, redact, capture = false, write = toStdout }) {
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
  return runChild([...program, ...args], { cwd, env, redact, capture, write }).finally(resume);
}
