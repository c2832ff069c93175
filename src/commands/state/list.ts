// `almanac state list`: the addresses and ids that the state holds.

import { renderStateList, stateListDocument } from '../../render/state/state-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { readState } from '../base/read-state.ts';
import type { World } from '../base/world.ts';
import type { StateListOptions } from './command.ts';

export async function stateList(world: World, options: StateListOptions): Promise<number> {
  const { state } = await readState(world, options);
  if (options.format === 'json') world.stdout.data(renderJson(stateListDocument(state)));
  else if (state !== undefined) world.stdout.write(renderStateList(state));
  return 0;
}
