// `almanac state show [ADDRESS]`: one resource of the state, or all of it.

import { requireState } from '../../engine/state/current-state.ts';
import { trackedAt } from '../../model/plan/tracked-at.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { maskState, renderStateShow } from '../../render/state/state-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { pageOf } from '../base/page.ts';
import { readState } from '../base/read-state.ts';
import type { World } from '../base/world.ts';
import type { StateShowOptions } from './command.ts';

export async function stateShow(world: World, options: StateShowOptions, address: string | undefined): Promise<number> {
  const { state: found, name } = await readState(world, options);
  const state = requireState(found, name);
  if (address !== undefined && trackedAt(state, address) === undefined) {
    throw new Failure('refused', `The state holds no ${address}.`, { hint: 'almanac state list shows what it holds.' });
  }
  if (options.format === 'json') {
    const masked = maskState(state);
    world.stdout.data(renderJson(address === undefined ? masked : (trackedAt(masked, address) ?? {})));
  } else world.stdout.write(renderStateShow(state, address, pageOf(world.stdout, world, options)) ?? '');
  return 0;
}
