// A workspace in every environment with its state, to prove edits harmless.

import type { Loaded } from '../../declare/load/load.ts';
import type { ParsedOnce } from '../../declare/load/load-again.ts';
import { type EnvironmentState, environmentWords, type InEnvironment, makeSide } from '../../edit/in-environment.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { readState } from '../../state/current-state.ts';
import type { GlobalOptions } from './command.ts';
import { environmentsOf, type StateThere, statesOf } from './neighbours.ts';
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
  const { usable } = await run.settings();
  const sides = await loadEverywhere(run, workspace);
  // Errors in the declarations are reported first.
  const sound = new Set(sides.flatMap(({ name, loaded }) => (hasErrors(loaded.findings) ? [] : [name])));
  const others = (await environmentsOf(run, workspace.root, usable)).filter((each) => sound.has(each.environment));
  const states = await statesOf(run, workspace.root, usable, others);
  for (const side of sides) {
    const { name, loaded } = side;
    const there = states.find(({ candidate }) => candidate.environment === name);
    const { state, failure } = there ?? (sound.has(name) ? await ownState(run, loaded) : {});
    if (failure !== undefined) unread.push({ ...side, failure });
    environments.push(failure !== undefined ? side : makeSide({ ...side, state }, side.load, run));
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

async function ownState(run: Run, loaded: Loaded): Promise<Pick<StateThere, 'state' | 'failure'>> {
  try {
    return await readState(await run.store({ loaded }));
  } catch (error) {
    if (error instanceof Failure && error.code !== 'invalid-workspace' && error.code !== 'interrupted')
      return { failure: error };
    throw error;
  }
}
