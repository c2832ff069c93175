// What --refresh asks of the service before a plan is made: the tracked resources that the plan is about, and whether
// the schedules to adopt exist.

import type { Refresh } from '../../model/plan/plan.ts';
import { openChanges, type State, type Unresolved } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { Desired, SealedResource } from '../../model/workspace/resource.ts';
import { holdsSecret } from '../../plan/difference.ts';
import type { Clock } from '../../ports/clock.ts';
import { requireFullOperations } from './full-operations.ts';
import { type Observation, observe } from './observe.ts';
import { observeAdoptions } from './observe-adoptions.ts';
import type { SecretFields } from './observed-secrets.ts';
import type { Service } from './service.ts';

export interface ObserveForPlanOptions {
  readonly refresh: Refresh;
  readonly desired: Desired<SealedResource>;
  readonly config: Config;
  /** With its fingerprints as far as they can be compared. */
  readonly state: State | undefined;
  /** As those of the state are made. */
  readonly fingerprint: SecretFields['fingerprint'];
  /** Addresses as the state has them; all where undefined. */
  readonly only: ReadonlySet<Address> | undefined;
  /** Read the list of schedules even if none of them is tracked. */
  readonly lists: boolean;
  readonly service: Service;
  readonly clock: Clock;
}

/** Throws Failure usage with operations core, and what the service throws. */
export async function observeForPlan(options: ObserveForPlanOptions): Promise<Observation> {
  const { refresh, desired, config, state, fingerprint, only, lists, service, clock } = options;
  requireFullOperations(config, 'what exists');
  const api = await service.api();
  const { call, concurrency } = service;
  const secrets = secretFieldsIn(desired, openChanges(state), fingerprint);
  const { depth } = refresh;
  const observation = await observe({ state, api, clock, depth, only, lists, concurrency, call, secrets });
  if (refresh.only) return observation;
  const adoptions = desired.adoptions.filter(({ to }) => only?.has(to) ?? true);
  const adopted = await observeAdoptions({ adoptions, state, api, call, concurrency });
  return { ...observation, findings: [...observation.findings, ...adopted] };
}

/** By address, as the state has it and as it is declared. `fingerprint` as the state's secrets are fingerprinted. */
export function secretFieldsIn(
  { resources, moves }: Desired<SealedResource>,
  unresolved: readonly Unresolved[],
  fingerprint: SecretFields['fingerprint'],
): SecretFields {
  const known = new Map<Address, JsonObject[]>();
  const add = (address: Address, attributes: JsonObject): void => {
    known.set(address, [...(known.get(address) ?? []), attributes]);
  };
  for (const { address, attributes } of resources) add(address, attributes);
  for (const { address, attributes } of unresolved) if (attributes) add(address, attributes);
  const next = new Map(moves.map(({ from, to }) => [from, to]));
  const valuesAt = (address: Address) => wayFrom(address, next).flatMap((each) => known.get(each) ?? []);
  const of = memoize((address: Address): ReadonlySet<string> => {
    const entries = valuesAt(address).flatMap((attributes) => Object.entries(attributes));
    return new Set(entries.flatMap(([name, value]) => (holdsSecret(value) ? [name] : [])));
  });
  const valuesOf = (address: Address, field: string) => valuesAt(address).flatMap((each) => each[field] ?? []);
  return { of, valuesOf, fingerprint };
}

/** The address, and those that entries of `moved` lead to from it. */
function wayFrom(from: Address, next: ReadonlyMap<Address, Address>): readonly Address[] {
  const way = new Set<Address>();
  for (let at: Address | undefined = from; at !== undefined && !way.has(at); at = next.get(at)) way.add(at);
  return [...way];
}
