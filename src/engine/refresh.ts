// The look at the service that a plan was asked to begin with: what it needs, and what of the state it is about.

import type { Address } from '../model/address.ts';
import type { Config } from '../model/config.ts';
import { Failure } from '../model/failure.ts';
import type { Refresh } from '../model/plan.ts';
import type { State } from '../model/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { Connection } from './connect.ts';
import type { Loaded } from './load.ts';
import { type Observation, observe } from './observe.ts';

export interface RefreshOptions {
  readonly refresh: Refresh | undefined;
  readonly loaded: Loaded;
  readonly state: State | undefined;
  readonly targets: readonly Address[] | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly connected: () => Connection;
}

/** Undefined where none was asked for. Throws Failure usage with operations core, and what the api throws. */
export async function refreshed(options: RefreshOptions): Promise<Observation | undefined> {
  const { refresh, loaded, state, clock, signal, targets } = options;
  if (refresh === undefined || loaded.config === undefined) return undefined;
  checkCanLook(loaded.config);
  const only = targets === undefined ? undefined : addressesOf(targets, loaded);
  const { concurrency } = loaded.config.api;
  const api = await options.connected().open();
  return observe({ state, api, clock, depth: refresh.depth, only, concurrency, signal });
}

export function checkCanLook({ api }: Config): void {
  if (api.operations === 'full') return;
  throw new Failure('usage', 'With operations core the service can not be asked what there is.', {
    hint: 'Set `api: { operations: full }` in almanac.yaml.',
  });
}

/** As the state has them: where an entry of `moved` says what it was called. */
function addressesOf(targets: readonly Address[], { desired }: Loaded): ReadonlySet<Address> {
  const wanted = new Set(targets);
  for (const { from, to } of desired.moves) if (wanted.has(to)) wanted.add(from);
  return wanted;
}
