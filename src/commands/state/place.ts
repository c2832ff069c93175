// The commands that prepare the place of the state and move the state there: `almanac state init` and `migrate`.

import { migrateState } from '../../engine/state/migrate-state.ts';
import type { State } from '../../model/plan/state.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { placeName, type StatePlace } from '../../model/workspace/state-place.ts';
import { makeConfig } from '../../parse/parse-config.ts';
import { parsePlace, placeForms } from '../../parse/parse-place.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { printSql } from '../../render/state/postgres-sql.ts';
import { countOf } from '../../render/text/count-words.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { validateConfigValue } from '../../validate/validate-config.ts';
import type { GlobalOptions } from '../base/command.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import type { Run } from '../base/run.ts';
import type { StateInitOptions, StateMigrateOptions } from './command.ts';

/** `almanac state migrate`: moves the state to the place that almanac.yaml names, after a confirmation. */
export async function stateMigrate(run: Run, options: StateMigrateOptions): Promise<number> {
  const { from, to, fromFile, toFile } = await openPlaces(run, options, options.from);
  const [old, present] = [safeText(from.name), safeText(to.name)];
  const migrated = await migrateState({
    from,
    to,
    signal: run.signal,
    onNote: (note) => run.stderr.write(`note: ${safeText(note)}\n`),
    confirm: async (state) => {
      if (options.autoApprove) return true;
      const move = `the state (${sizeOf(state)}) from ${old} to ${present}`;
      if (run.asker() === undefined)
        throw noTerminal('the state was not moved', `To move ${move}, use --auto-approve.`);
      return isConfirmed(run, `Move ${move}? After that, ${old} cannot be used any more.`);
    },
  });
  if (migrated.outcome === 'declined') return 1;
  const done = migrated.outcome === 'moved' ? 'The state was moved' : 'The state was moved before';
  run.stdout.write(`${done} from ${old} to ${present} (${sizeOf(migrated.state)}).\n`);
  if (!options.quiet) run.stderr.write(nextStep(fromFile ? old : undefined, toFile ? present : undefined));
  return 0;
}

function sizeOf({ serial, resources }: State): string {
  return `serial ${serial}, ${countOf(Object.keys(resources).length, 'resource')}`;
}

function nextStep(oldFile: string | undefined, newFile: string | undefined): string {
  if (newFile !== undefined)
    return `Commit ${newFile} together with almanac.yaml: the file is the state from now on.\n`;
  if (oldFile !== undefined)
    return `Commit ${oldFile} together with almanac.yaml: it now says where the state is, so that nobody uses an old one.\n`;
  return 'Commit almanac.yaml: whoever still has the old one is told where the state is.\n';
}

/** Where a state is unless almanac.yaml says otherwise. */
const usualFile = 'local:almanac.state.json';

interface Places {
  readonly from: StateStore;
  readonly to: StateStore;
  /** Whether a commit has to go with the move, because the old place is a file of the workspace. */
  readonly fromFile: boolean;
  readonly toFile: boolean;
}

/** The old place and the one that almanac.yaml names. Throws Failure usage where `from` is not a place, or is the same. */
async function openPlaces(run: Run, options: GlobalOptions, from: string | undefined): Promise<Places> {
  if (options.state !== undefined) {
    throw new Failure('usage', '--state names a file for one command, and a move is for every command.', {
      hint: 'Name the old place with --from and the new one in almanac.yaml.',
    });
  }
  const workspace = await run.workspace();
  await run.requireWorkspace();
  const { state, api } = await run.config();
  if (from === undefined && state.backend === 'local') {
    throw new Failure('usage', `almanac.yaml keeps the state in ${state.path}; say where it is so far.`, {
      hint: `To move it to a shared place, name that place under \`state\` in almanac.yaml first. To move it back to the file, add --from with one of ${placeForms}.`,
    });
  }
  const old = placeNamed(from ?? usualFile, api.timeout);
  if (placeName(old) === placeName(state)) {
    throw new Failure('usage', `The state cannot be moved from ${placeName(state)} to itself.`, {
      hint: 'almanac.yaml names the new place under `state`, and --from the old one.',
    });
  }
  const open = (place: StatePlace): Promise<StateStore> =>
    place.backend === 'local'
      ? run.openState({ path: `${workspace.root}/${place.path}`, name: place.path, within: workspace.root })
      : run.openSharedState({ place, root: workspace.root });
  return {
    from: await open(old),
    to: await open(state),
    fromFile: old.backend === 'local',
    toFile: state.backend === 'local',
  };
}

/** By the same rules as almanac.yaml. No message repeats the text: a URL in it may hold a password. */
function placeNamed(text: string, timeout: number): StatePlace {
  const state = parsePlace(text);
  if (state === undefined) throw new Failure('usage', '--from is not a place of a state.', { hint: wayToWrite });
  const findings = validateConfigValue({ state }, { file: '--from', document: 0, pointer: '' }, undefined);
  const [wrong] = findings;
  if (hasErrors(findings) && wrong !== undefined)
    throw new Failure('usage', `--from: ${wrong.message}`, { hint: wrong.hint ?? wayToWrite });
  return makeConfig({ api: { timeout }, state }, undefined, undefined).state;
}

const wayToWrite = `Write one of ${placeForms}. Other settings of almanac.yaml follow a question mark, as in s3://acme-state/almanac?region=eu-central-1.`;

/** `almanac state init`: makes what must be there before the first state, and tries the place. Writes no state. */
export async function stateInit(run: Run, options: StateInitOptions): Promise<number> {
  if (options.printSql) return printTable(run);
  const store = await run.storeAlone('changes');
  const { shared, name } = store;
  const place = safeText(name);
  if (shared === undefined) {
    run.stdout.write(`${place} is a file: there is nothing to prepare.\n`);
    return 0;
  }
  await shared.prepare(run.signal);
  await shared.check(run.signal);
  run.stdout.write(`${place} is ready.\n`);
  if (!options.quiet && (await shared.isEmpty())) {
    run.stderr.write(
      'It has no state yet. If there is one elsewhere, almanac state migrate moves it; otherwise the first almanac apply creates it.\n',
    );
  }
  return 0;
}

/** For an administrator, so that the role of Almanac needs no right to create tables. Connects to nothing. */
async function printTable(run: Run): Promise<number> {
  const { state } = await run.config();
  if (state.backend !== 'postgres') {
    throw new Failure('usage', `--print-sql is about a state in PostgreSQL, and the backend is ${state.backend}.`, {
      hint: 'Run almanac state init without it.',
    });
  }
  run.stdout.data(printSql(state));
  return 0;
}
