// `almanac state pull`: prints the state file, including what an interrupted apply left in its journal.

import { requireState } from '../../engine/state/current-state.ts';
import { renderState } from '../../render/state/render-state.ts';
import type { GlobalOptions } from '../base/command.ts';
import { readState } from '../base/read-state.ts';
import type { World } from '../base/world.ts';

export async function statePull(world: World, options: GlobalOptions): Promise<number> {
  const { state, name } = await readState(world, options);
  world.stdout.data(renderState(requireState(state, name)));
  return 0;
}
