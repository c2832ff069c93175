// The state for commands that only read it. What an unfinished apply left in its journal is folded in, in memory.

import { currentState, replayed } from '../../engine/state/current-state.ts';
import type { State } from '../../model/plan/state.ts';
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

export async function readState(world: World, options: GlobalOptions): Promise<NamedState> {
  const { store } = await openStateAlone(world, options);
  const stored = await store.read();
  const state = currentState(stored, store.name);
  const message = replayed(stored, state, store.name);
  if (message !== undefined) world.stderr.write(`${safeText((await underWay(store)) ?? `warning: ${message}`)}\n`);
  return { state, name: store.name };
}

/** A journal is also there while a run works, and nothing is wrong then. */
async function underWay(store: StateStore): Promise<string | undefined> {
  const held = await store.lockHolder();
  if (held === undefined || held.isDead) return undefined;
  const { holder } = held;
  const who = holder === undefined ? 'another run' : `${holder.command} of ${holder.who} on ${holder.host}`;
  return `This counts what a run has done so far that is changing ${store.name}: ${who}.`;
}
