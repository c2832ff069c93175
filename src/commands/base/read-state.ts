// The state for commands that only read it. What an unfinished apply left in its journal is folded in, in memory.

import { stateForShow } from '../../engine/state/current-state.ts';
import type { State } from '../../model/plan/state.ts';
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
  const { state, message } = await stateForShow(store);
  if (message !== undefined) world.stderr.write(`warning: ${safeText(message)}\n`);
  return { state, name: store.name };
}
