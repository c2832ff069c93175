// `almanac state list|show`: looks at the state, with what an unfinished apply left folded in memory; writes nothing.

import { currentState } from '../engine/current-state.ts';
import { Failure } from '../model/failure.ts';
import type { State } from '../model/state.ts';
import { renderJson } from '../render/plan-json.ts';
import { maskState, renderStateList, renderStateShow } from '../render/state-text.ts';
import type { GlobalOptions, TextOrJson } from './options.ts';
import { pageOf } from './page.ts';
import { openStateAlone } from './session.ts';
import type { World } from './world.ts';

export interface StateOptions extends GlobalOptions {
  readonly format: TextOrJson;
}

export async function stateList(world: World, options: StateOptions): Promise<number> {
  const { state } = await readState(world, options);
  if (options.format === 'json') world.stdout.write(renderJson(Object.keys(state?.resources ?? {})));
  else if (state !== undefined) world.stdout.write(renderStateList(state));
  return 0;
}

export async function stateShow(world: World, options: StateOptions, address: string | undefined): Promise<number> {
  const { state, name } = await readState(world, options);
  if (state === undefined) {
    throw new Failure('refused', `There is no state yet: ${name} does not exist.`, {
      hint: 'The first almanac apply makes it.',
    });
  }
  const resource = address === undefined ? undefined : state.resources[address];
  if (address !== undefined && resource === undefined) {
    throw new Failure('refused', `The state holds no ${address}.`, { hint: 'almanac state list shows what it holds.' });
  }
  if (options.format === 'json') {
    const masked = maskState(state);
    world.stdout.write(renderJson(address === undefined ? masked : (masked.resources[address] ?? {})));
  } else world.stdout.write(renderStateShow(state, address, pageOf(world.stdout, world, options)) ?? '');
  return 0;
}

async function readState(world: World, options: GlobalOptions): Promise<{ state: State | undefined; name: string }> {
  const { store } = await openStateAlone(world, options);
  return { state: currentState(await store.read(), store.name), name: store.name };
}
