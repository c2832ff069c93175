// `almanac state pull`: prints the state file, including what an interrupted apply left in its journal, or an earlier
// state of a shared place.

import { requireState } from '../../engine/state/current-state.ts';
import { earlierState } from '../../engine/state/shared-place.ts';
import type { State } from '../../model/plan/state.ts';
import { renderState } from '../../render/state/render-state.ts';
import { readState } from '../base/read-state.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { StatePullOptions } from './command.ts';

export async function statePull(world: World, options: StatePullOptions): Promise<number> {
  world.stdout.data(renderState(await pulled(world, options)));
  return 0;
}

async function pulled(world: World, options: StatePullOptions): Promise<State> {
  const { serial } = options;
  if (serial !== undefined) return earlierState((await openStateAlone(world, options)).store, serial);
  const { state, name } = await readState(world, options);
  return requireState(state, name);
}
