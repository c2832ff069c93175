// The state for commands that only read it. What an unfinished apply left in its journal is folded in, in memory, and the
// error stream says so.

import { checkSameOrganization, stateForShow } from '../../engine/state/current-state.ts';
import type { State } from '../../model/plan/state.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { GlobalOptions } from './command.ts';
import { openStateAlone } from './session.ts';
import type { World } from './world.ts';

export interface NamedState {
  /** Undefined if there is none yet. */
  readonly state: State | undefined;
  /** How users name it. */
  readonly name: string;
}

/** For commands that need no declaration. */
export async function readState(world: World, options: GlobalOptions): Promise<NamedState> {
  const { store } = await openStateAlone(world, options);
  return { state: await readStore(world, store), name: store.name };
}

/** Undefined if there is none yet. */
export async function readStore({ stderr }: World, store: StateStore): Promise<State | undefined> {
  const { state, message } = await stateForShow(store);
  if (message !== undefined) stderr.write(`warning: ${safeText(message)}\n`);
  return state;
}

/** For commands that compare it with the service. Throws Failure state-conflict for that of another organization. */
export async function readStoreOf(
  world: World,
  store: StateStore,
  { api: { baseUrl } }: Config,
): Promise<State | undefined> {
  const state = await readStore(world, store);
  checkSameOrganization(state, baseUrl, store.name);
  return state;
}
