// `almanac state pull`: the state as a file would hold it, what a dead apply left folded in.

import { requireState } from '../engine/current-state.ts';
import { renderState } from '../render/render-state.ts';
import type { GlobalOptions } from './options.ts';
import { readState } from './read-state.ts';
import type { World } from './world.ts';

export async function statePull(world: World, options: GlobalOptions): Promise<number> {
  const { state, name } = await readState(world, options);
  world.stdout.write(renderState(requireState(state, name)));
  return 0;
}
