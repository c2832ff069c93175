// What --refresh asks of the service before a plan is made: the tracked resources that the plan is about, and whether
// the schedules to adopt exist.

import type { Refresh } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { isSealedSecret, Secret } from '../../model/values/secret.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Declared, DeclaredObject } from '../../model/workspace/resource.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Loaded } from '../load/load.ts';
import { type Observation, observe } from './observe.ts';
import { observeAdoptions } from './observe-adoptions.ts';
import type { Service } from './service.ts';

export interface ObserveForPlanOptions {
  readonly refresh: Refresh;
  readonly loaded: Loaded;
  readonly config: Config;
  readonly state: State | undefined;
  /** Addresses as the state has them; all where undefined. */
  readonly only: ReadonlySet<Address> | undefined;
  /** Read the list of schedules even if none of them is tracked. */
  readonly lists: boolean;
  readonly service: Service;
  readonly clock: Clock;
}

/** Throws Failure usage with operations core, and what the service throws. */
export async function observeForPlan(options: ObserveForPlanOptions): Promise<Observation> {
  const { refresh, loaded, config, state, only, lists, service, clock } = options;
  checkCanObserve(config);
  const api = await service.api();
  const { call, concurrency } = service;
  const secretFields = secretFieldsIn(loaded, state);
  const { depth } = refresh;
  const observation = await observe({ state, api, clock, depth, only, lists, concurrency, call, secretFields });
  if (refresh.only) return observation;
  const adoptions = loaded.desired.adoptions.filter(({ to }) => only?.has(to) ?? true);
  const adopted = await observeAdoptions({ adoptions, state, api, call, concurrency });
  return { ...observation, findings: [...observation.findings, ...adopted] };
}

/** By address, as the state has it and as it is declared. */
export function secretFieldsIn(
  { desired }: Loaded,
  state: State | undefined,
): (address: Address) => ReadonlySet<string> {
  const fields = new Map<Address, Set<string>>();
  const add = (address: Address, attributes: DeclaredObject): void => {
    const names = Object.entries(attributes).flatMap(([name, value]) => (isSecretInside(value) ? [name] : []));
    if (names.length > 0) fields.set(address, new Set([...(fields.get(address) ?? []), ...names]));
  };
  for (const { address, attributes } of desired.resources) add(address, attributes);
  for (const { address, attributes } of state?.unresolved ?? []) if (attributes) add(address, attributes);
  const next = new Map(desired.moves.map(({ from, to }) => [from, to]));
  const declared = new Map(fields);
  for (const { from } of desired.moves) {
    const names = wayFrom(from, next).flatMap((address) => [...(declared.get(address) ?? [])]);
    fields.set(from, new Set(names));
  }
  const none: ReadonlySet<string> = new Set();
  return (address) => fields.get(address) ?? none;
}

/** The address, and those that entries of `moved` lead to from it. */
function wayFrom(from: Address, next: ReadonlyMap<Address, Address>): readonly Address[] {
  const way = new Set<Address>();
  for (let at: Address | undefined = from; at !== undefined && !way.has(at); at = next.get(at)) way.add(at);
  return [...way];
}

function isSecretInside(value: Declared): boolean {
  if (value instanceof Secret || isSealedSecret(value)) return true;
  if (Array.isArray(value)) return value.some(isSecretInside);
  return typeof value === 'object' && value !== null && Object.values(value as DeclaredObject).some(isSecretInside);
}

function checkCanObserve({ api }: Config): void {
  if (api.operations === 'full') return;
  throw new Failure('usage', 'With operations core, Almanac cannot ask Omni what exists.', {
    hint: 'Set `api: { operations: full }` in almanac.yaml.',
  });
}
