// A workspace in every environment with its state, to prove edits harmless.

import type { Loaded } from '../../declare/load/load.ts';
import type { ParsedOnce } from '../../declare/load/load-again.ts';
import { type EnvironmentState, environmentWords, type InEnvironment, makeSide } from '../../edit/in-environment.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { readState } from '../../state/current-state.ts';
import type { GlobalOptions } from './command.ts';
import type { Run } from './run.ts';

/**
 * The environments that a change of source files is proven in: all of them, each with its state if that can be read.
 */
interface EveryEnvironment {
  /** Environments whose state cannot be read have none here. */
  readonly environments: readonly InEnvironment[];
  readonly unread: readonly UnreadState[];
}

export interface UnreadState extends EnvironmentState {
  readonly failure: Failure;
}

export async function everyEnvironment(run: Run, workspace: ParsedOnce): Promise<EveryEnvironment> {
  const environments: InEnvironment[] = [];
  const unread: UnreadState[] = [];
  for (const side of await loadEverywhere(run, workspace)) {
    const state = await stateOf(run.inEnvironment(side.name), side.loaded);
    if (state instanceof Failure) unread.push({ ...side, failure: state });
    environments.push(state instanceof Failure ? side : makeSide({ ...side, state }, side.load, run));
  }
  return { environments, unread };
}

/** Loads the environments without their states. `without` is an environment that is known already. */
export async function loadEverywhere(
  run: Run,
  workspace: ParsedOnce,
  without?: Pick<EnvironmentState, 'name'>,
): Promise<readonly InEnvironment[]> {
  const { environments } = (await run.settings()).usable;
  const names = [undefined, ...environments].filter((name) => without === undefined || name !== without.name);
  const loadedIn: InEnvironment[] = [];
  for (const name of names) {
    const load: InEnvironment['load'] = (edited) => run.inEnvironment(name).loadFrom(edited);
    const loaded = await load(workspace);
    // Where there are environments, the part that they share need not be complete.
    const isShared = name === undefined && environments.length > 0;
    if (isShared && (loaded.missingEnvironment !== undefined || hasErrors(loaded.findings))) continue;
    loadedIn.push(makeSide({ name, loaded }, load, run));
  }
  return loadedIn;
}

export function unreadWords({ name, failure }: UnreadState): string {
  return `The state of ${environmentWords(name)} cannot be read. ${failure.message}`;
}

/** `why` says what looks at all environments. Throws Failure usage. */
export function refuseOneEnvironment(why: string, { env, state }: GlobalOptions): void {
  const option = state !== undefined ? '--state cannot name one' : env !== undefined ? '--env cannot choose one' : '';
  if (option !== '') throw new Failure('usage', `${why}, so ${option}.`);
}

async function stateOf(run: Run, loaded: Loaded) {
  // Errors in the declarations are reported first.
  if (hasErrors(loaded.findings)) return undefined;
  try {
    return (await readState(await run.store({ loaded }))).state;
  } catch (error) {
    if (error instanceof Failure && error.code !== 'invalid-workspace' && error.code !== 'interrupted') return error;
    throw error;
  }
}
