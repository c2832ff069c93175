// `almanac state migrate`: moves the state from a file to the place that almanac.yaml names, after a confirmation.

import { isAbsolute } from 'node:path';
import type { Workspace } from '../../declare/workspace.ts';
import type { State } from '../../model/plan/state.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { currentState } from '../../state/current-state.ts';
import type { StateStore } from '../../state/state-store.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import type { StateMigrateOptions } from './command.ts';
import { migrateState, requireToMove } from './migrate-state.ts';

/** Where a state is unless almanac.yaml says otherwise. */
const usualFile = 'almanac.state.json';
const ignoreFile = '.gitignore';

export async function stateMigrate(run: Run, options: StateMigrateOptions): Promise<number> {
  const workspace = await run.requireWorkspace();
  const { from, to } = await openPlaces(run, workspace, options.state);
  const [file, place] = [safeText(from.name), safeText(to.name)];
  const found = requireToMove(currentState(await from.read(), from.name), from.name);
  if (!options.autoApprove) {
    const move = `the state (${sizeOf(found)}) from ${file} to ${place}`;
    if (run.asker() === undefined) throw noTerminal('the state was not moved', `To move ${move}, use --auto-approve.`);
    if (!(await isConfirmed(run, `Move ${move}? After that, ${file} cannot be used any more.`))) return 1;
  }
  const ignored = await ignoreLine(workspace, `${from.name}.moved`);
  const reporter = progressReporter(run, (document) => document);
  const state = await migrateState({ from, to, clock: run.clock, signal: run.signal, reporter });
  run.stdout.write(`The state was moved from ${file} to ${place} (${sizeOf(state)}).\n`);
  if (!options.quiet) run.stderr.write(commitToMake(workspace, from.name, place, ignored));
  return 0;
}

/** Has git ignore what is left of the file; whether a line was added for that. */
async function ignoreLine(workspace: Workspace, name: string): Promise<boolean> {
  if (workspace.repository() === undefined || isAbsolute(name)) return false;
  const read = workspace.read(ignoreFile);
  const before = 'text' in read ? read.text : '';
  if (before.split(/\r?\n/).some((line) => line === name || line === '*.state.json.moved')) return false;
  await workspace.write(ignoreFile, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${name}\n`);
  return true;
}

/** A branch with the old almanac.yaml and without the file has no state, and one with both has two. */
function commitToMake(workspace: Workspace, file: string, place: string, ignored: boolean): string {
  const name = safeText(file);
  const left = `${name}.moved is what it was: with it, no almanac.yaml of before can use the file here.`;
  if (workspace.repository() === undefined) return `${left}\n`;
  const added = [workspace.configFile ?? 'almanac.yaml', ...(ignored ? [ignoreFile] : [])]
    .map((name) => safeText(name))
    .join(' ');
  const commands = [
    ...(workspace.isTracked(`${workspace.root}/${file}`) ? [`git rm --quiet --cached ${name}`] : []),
    `git add ${added}`,
    `git commit -m "Keep the state in ${place}"`,
  ];
  return `Commit the new place and the removal of the file together:\n${commands.map((line) => `  ${line}\n`).join('')}${left}\n`;
}

function sizeOf({ serial, resources }: State): string {
  return `serial ${serial}, ${countOf(Object.keys(resources).length, 'resource')}`;
}

/** Throws Failure usage where almanac.yaml names a file. */
async function openPlaces(
  run: Run,
  { root }: Workspace,
  file: string | undefined,
): Promise<{ readonly from: StateStore; readonly to: StateStore }> {
  const { state } = await run.config();
  if (state.backend === 'local') {
    throw new Failure('usage', `almanac.yaml keeps the state in ${state.path}, so there is nothing to move.`, {
      hint: 'Name the new place under `state` in almanac.yaml first.',
    });
  }
  const place =
    file === undefined
      ? { path: `${root}/${usualFile}`, name: usualFile, within: root }
      : { path: run.path(file), name: file };
  return { from: await run.openState(place), to: await run.openSharedState({ place: state, root }) };
}
