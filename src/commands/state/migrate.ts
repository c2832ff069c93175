// `almanac state migrate`: moves the state from a file to the place that almanac.yaml names, after a confirmation.

import { isAbsolute } from 'node:path';
import type { Workspace } from '../../declare/workspace.ts';
import type { Clock, Reporter } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import { command } from '../../model/values/command.ts';
import { withoutCredentials } from '../../model/values/credentials.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { usualFile } from '../../model/workspace/state-place.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { readState, settledState } from '../../state/current-state.ts';
import { renderState } from '../../state/format/parse-state.ts';
import type { LockedStore, StateStore } from '../../state/state-store.ts';
import { lockWait, withLock } from '../../state/with-lock.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import type { StateMigrateOptions } from './state-command.ts';

const ignoreFile = '.gitignore';

export async function stateMigrate(run: Run, options: StateMigrateOptions): Promise<number> {
  const workspace = await run.requireWorkspace();
  const { from, to } = await openPlaces(run, workspace, options.state);
  const [file, place] = [from.name, to.name];
  const found = requireToMove((await readState(from)).state, from.name);
  if (!options.autoApprove) {
    const move = `the state (${sizeOf(found)}) from ${file} to ${place}`;
    if (run.asker() === undefined) throw noTerminal('the state was not moved', `To move ${move}, use --auto-approve.`);
    if (!(await isConfirmed(run, `Move ${move}? After that, ${file} can no longer be used.`))) return 1;
  }
  const ignored = await ignoreLine(run, workspace, `${from.name}.moved`);
  const reporter = progressReporter(run, (document) => document);
  const state = await migrateState({ from, to, clock: run.clock, signal: run.signal, reporter });
  run.say(`The state was moved from ${file} to ${place} (${sizeOf(state)}).`);
  if (!options.quiet)
    run.stderr.write(
      safeText(withoutCredentials(await commitToMake(workspace, file, place, ignored)), { keepNewlines: true }),
    );
  return 0;
}

/** Makes git ignore the rest of the file; returns true if a line was added. An unreadable .gitignore stays as it is. */
async function ignoreLine(run: Run, workspace: Workspace, name: string): Promise<boolean> {
  if (workspace.repository() === undefined || isAbsolute(name)) return false;
  if (!workspace.exists(ignoreFile)) {
    await workspace.write(ignoreFile, `${name}\n`);
    return true;
  }
  const read = workspace.read(ignoreFile);
  if ('finding' in read) {
    run.say(`warning: ${read.finding.message} Add the line ${name} to it.`, run.stderr);
    return false;
  }
  const { text } = read;
  if (
    text
      .split(/\r?\n/)
      .some((line) => line === name || line === '*.state.json.moved' || line === '*.state.*.json.moved')
  )
    return false;
  await workspace.replace(ignoreFile, text, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${name}\n`);
  return true;
}

/** A branch with the old almanac.yaml and without the file has no state, and one with both has two. */
async function commitToMake(workspace: Workspace, file: string, place: string, ignored: boolean): Promise<string> {
  const movedFileWords = `${file}.moved is the old state. While it is there, an almanac.yaml from before the move is refused here.`;
  if (workspace.repository() === undefined) return `${movedFileWords}\n`;
  // The file was moved already, whatever git says.
  const isTracked = await workspace.isTracked(`${workspace.root}/${file}`).catch(() => false);
  const added = [workspace.configFile ?? 'almanac.yaml', ...(ignored ? [ignoreFile] : [])].join(' ');
  const commands = [
    ...(isTracked ? [`git rm --quiet --cached ${file}`] : []),
    `git add ${added}`,
    `git commit -m "Keep the state in ${place}"`,
  ];
  return `Commit the new place and the removal of the file together:\n${commands.map((line) => `  ${line}\n`).join('')}${movedFileWords}\n`;
}

function sizeOf({ serial, resources }: State): string {
  return `serial ${serial}, ${countOf(Object.keys(resources).length, 'resource')}`;
}

/** Throws Failure usage if almanac.yaml names a file. */
async function openPlaces(
  run: Run,
  { root }: Workspace,
  file: string | undefined,
): Promise<{ readonly from: StateStore; readonly to: StateStore }> {
  const { state, environment } = await run.config();
  if (state.backend === 'local') {
    throw new Failure('usage', `almanac.yaml keeps the state in ${state.path}, so there is nothing to move.`, {
      hint: 'Name the new place under `state` in almanac.yaml first.',
    });
  }
  const usual = usualFile(environment);
  const place =
    file === undefined ? { path: `${root}/${usual}`, name: usual, within: root } : { path: run.path(file), name: file };
  return { from: await run.openState(place), to: await run.openSharedState({ place: state, root }) };
}

/**
 * Moves the state of a file to a place that many share, under the locks of both. The file is set aside only when the
 * place returns what was written to it. Repeating the command goes on where it broke off.
 */
interface Migration {
  /** A file. */
  readonly from: StateStore;
  readonly to: StateStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
}

/** Returns the moved state. Throws Failure refused if there is none, state-conflict if the place has another one. */
export function migrateState({ from, to, ...ports }: Migration): Promise<State> {
  const wait = lockWait('state migrate', 0, ports);
  return withLock(from, wait, async (source) => {
    const state = requireToMove(await settledState(source, { store: from, ...ports }), from.name);
    await withLock(to, wait, (target) => write(state, from, to, target));
    if (source.setAside === undefined) throw new Error(`${from.name} is not a file.`);
    await source.setAside();
    return state;
  });
}

/** Throws Failure refused. */
function requireToMove(state: State | undefined, name: string): State {
  if (state !== undefined) return state;
  throw new Failure('refused', `There is no state to move: ${name} has none.`, {
    hint: `Name another file with --state. The first ${command('apply')} in a new place creates a state there.`,
  });
}

async function write(state: State, from: StateStore, to: StateStore, target: LockedStore): Promise<void> {
  const { stored, state: present } = await readState(to, target);
  if (stored.state === undefined && stored.journal === undefined) await target.commit(state);
  else refuseOther(state, from.name, present, to.name);
  const { state: readBack } = await to.read();
  if (readBack !== undefined && renderState(readBack) === renderState(state)) return;
  throw new Failure('state-conflict', `${to.name} does not return the state that was written to it.`, {
    hint: `Do not use that place. ${from.name} is as it was.`,
  });
}

/** Throws Failure state-conflict unless the place has this very state, because an earlier move broke off. */
function refuseOther(state: State, from: string, present: State | undefined, to: string): void {
  if (present !== undefined && renderState(present) === renderState(state)) return;
  if (present !== undefined && present.lineage !== state.lineage) {
    throw new Failure(
      'state-conflict',
      `${to} has a different state: its lineage is ${present.lineage}, and that of ${from} is ${state.lineage}.`,
      { hint: 'Nothing was changed. Move the state to a place of its own.' },
    );
  }
  const serial = present === undefined ? 'the journal of an unfinished apply' : `serial ${present.serial}`;
  throw new Failure('state-conflict', `${to} has a state already: ${serial}, and ${from} has serial ${state.serial}.`, {
    hint: `Two states are never joined, and nothing was changed. Compare them: ${command('state pull')} prints the one of the place. If the state of the place continues ${from}, the state was moved before: remove ${from}.`,
  });
}
