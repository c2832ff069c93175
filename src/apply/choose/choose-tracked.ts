// Which resources of the state a question is about. An address that nothing has is refused, because a typing mistake must
// not look like "none".

import { didYouMean } from '../../declare/findings/suggest.ts';
import type { State, StateResource } from '../../model/plan/state.ts';
import { type Address, groupOf, type Kind, kindOf } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { wildcard } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { chooseResources, type ResourceFilter } from './choose-schedules.ts';

export interface TrackedFilter extends ResourceFilter {
  /** With `*` for any characters; that of a loop means all its instances. */
  readonly addresses: readonly string[];
  readonly kinds: readonly string[];
}

export type Tracked = readonly [Address, StateResource];

/** Sorted by address. Throws Failure usage for an address, recipient or dashboard that nothing in the state has. */
export function chooseTracked({ resources }: State, filter: TrackedFilter): readonly Tracked[] {
  const all = Object.entries(resources)
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map((tracked) => ({ tracked, address: tracked[0], kind: kindAt(tracked[0]), attributes: tracked[1].attributes }));
  const matchers = filter.addresses.map((text) => wildcard(text));
  const addresses = all.map(({ address }) => address);
  const isNamed = (matches: (text: string) => boolean, address: Address) =>
    matches(address) || matches(groupOf(address));
  matchers.forEach((matches, index) => {
    if (!addresses.some((address) => isNamed(matches, address)))
      throw noAddress(filter.addresses[index] ?? '', addresses);
  });
  return chooseResources(all, filter)
    .filter(({ address }) => matchers.length === 0 || matchers.some((matches) => isNamed(matches, address)))
    .filter(({ kind }) => filter.kinds.length === 0 || filter.kinds.includes(kind))
    .map(({ tracked }) => tracked);
}

function kindAt(address: Address): Kind {
  return kindOf(address) ?? 'schedule';
}

function noAddress(text: string, addresses: readonly Address[]): Failure {
  const message = text.includes('*') ? `No address in the state matches ${text}.` : `The state holds no ${text}.`;
  return new Failure('usage', message, {
    hint: didYouMean(text, addresses) ?? 'almanac state list shows what it holds.',
  });
}
