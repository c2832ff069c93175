// `almanac state list`: the addresses and ids that the state holds.

import { renderJson } from '../render/plan-json.ts';
import { renderStateList, stateListDocument } from '../render/state-text.ts';
import type { GlobalOptions, TextOrJson } from './options.ts';
import { readState } from './read-state.ts';
import type { World } from './world.ts';

export interface StateListOptions extends GlobalOptions {
  readonly format: TextOrJson;
}

export async function stateList(world: World, options: StateListOptions): Promise<number> {
  const { state } = await readState(world, options);
  if (options.format === 'json') world.stdout.write(renderJson(stateListDocument(state)));
  else if (state !== undefined) world.stdout.write(renderStateList(state));
  return 0;
}
