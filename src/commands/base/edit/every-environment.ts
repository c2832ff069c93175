// A workspace in every environment, with the state of each: what may only change if nothing changes anywhere.

import type { Loaded } from '../../../declare/load/load.ts';
import type { Workspace } from '../../../declare/workspace.ts';
import { hasErrors } from '../../../model/workspace/diagnostic.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { currentState } from '../../../state/current-state.ts';
import type { ParseFile } from '../../../yaml/raw-document.ts';
import type { GlobalOptions } from '../command.ts';
import type { Run } from '../run.ts';
import type { LoadedSide } from './prove-everywhere.ts';

/**
 * The environments that a change of source files is proven in: all of them, each with its state as far as that can be
 * read.
 */
interface EveryEnvironment {
  /** Those that cannot be read have no state. */
  readonly sides: readonly LoadedSide[];
  readonly unread: readonly UnreadState[];
}

export interface UnreadState extends LoadedSide {
  readonly failure: Failure;
}

export async function everyEnvironment(run: Run, workspace: Workspace, parse: ParseFile): Promise<EveryEnvironment> {
  const { environments: names } = (await run.settings()).usable;
  const sides: LoadedSide[] = [];
  const unread: UnreadState[] = [];
  for (const name of [undefined, ...names]) {
    const here = run.inEnvironment(name);
    const loaded = await here.loadFrom(workspace, { parse });
    // With environments, what they share need not be complete.
    const isShared = name === undefined && names.length > 0;
    if (isShared && (loaded.missingEnvironment !== undefined || hasErrors(loaded.findings))) continue;
    const state = await readState(here, loaded);
    if (state instanceof Failure) unread.push({ side: { name }, loaded, failure: state });
    sides.push({ side: state instanceof Failure ? { name } : { name, state }, loaded });
  }
  return { sides, unread };
}

export function unreadWords({ side: { name }, failure }: UnreadState): string {
  return `The state of ${environmentWords(name)} cannot be read. ${failure.message}`;
}

export function environmentWords(name: string | undefined): string {
  return name === undefined ? 'the workspace' : `the environment ${name}`;
}

/** `why`: what looks at all of them. Throws Failure usage. */
export function refuseOneEnvironment(why: string, { env, state }: GlobalOptions): void {
  const option = state !== undefined ? '--state cannot name one' : env !== undefined ? '--env cannot choose one' : '';
  if (option !== '') throw new Failure('usage', `${why}, so ${option}.`);
}

async function readState(run: Run, loaded: Loaded) {
  // What is wrong with the declarations is reported first.
  if (hasErrors(loaded.findings)) return undefined;
  try {
    const store = await run.store({ loaded });
    return currentState(await store.read(), store.name);
  } catch (error) {
    if (error instanceof Failure && error.code !== 'invalid-workspace' && error.code !== 'interrupted') return error;
    throw error;
  }
}
