// Which matches a plan for some addresses covers, and where the state holds them.

import { openChanges, type State } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import type { Match } from './match.ts';

/** Every address that a plan can concern: declared, tracked, or left behind by an earlier apply. */
export function knownAddresses(
  { resources }: { readonly resources: readonly { readonly address: Address }[] },
  state: State | undefined,
): ReadonlySet<Address> {
  const { resources: tracked = {}, orphans = [] } = state ?? {};
  const left = [...openChanges(state), ...orphans.filter(({ replaced }) => replaced)];
  return new Set([...[...resources, ...left].map(({ address }) => address), ...Object.keys(tracked)]);
}

/** The address at which the state holds it. */
export function trackedAs({ address, moved }: Match): Address {
  return moved?.from ?? address;
}

/** The targets and the moves that make room for them: half of a shift would overwrite an id. */
export function targeted(matches: readonly Match[], targets: ReadonlySet<Address> | undefined): readonly Match[] {
  if (targets === undefined) return matches;
  const leaving = new Map(matches.flatMap((entry) => (entry.moved ? [[entry.moved.from, entry] as const] : [])));
  const chosen = new Set<Match>();
  for (const entry of matches) {
    if (!targets.has(entry.address) && !targets.has(entry.moved?.from ?? entry.address)) continue;
    for (let next: Match | undefined = entry; next !== undefined && !chosen.has(next); ) {
      chosen.add(next);
      next = next.moved && leaving.get(next.address);
    }
  }
  return matches.filter((entry) => chosen.has(entry));
}
