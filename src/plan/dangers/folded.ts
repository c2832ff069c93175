// Folding: what many resources have in common is one line, so a list does not grow with the number of equal ones.

import type { DangerItem } from '../../model/plan/danger.ts';
import type { Address } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';

/** What was found, by subject: the resources that it concerns. */
export type Found = ReadonlyMap<string, readonly Address[]>;

export function makeFound(pairs: Iterable<readonly [subject: string, address: Address]>): Found {
  const found = new Map<string, Address[]>();
  for (const [subject, address] of pairs) {
    const addresses = found.get(subject);
    if (addresses === undefined) found.set(subject, [address]);
    else if (addresses.at(-1) !== address) addresses.push(address);
  }
  return found;
}

/** By subject; an item names the first resource and counts the others. */
export function foldedItems(found: Found): readonly DangerItem[] {
  const sorted = [...found].sort(([a], [b]) => byCodeUnit(a, b));
  return sorted.map(([subject, addresses]) => ({ subject, detail: addressWords(addresses) }));
}

/** `` `schedules.a` and 3 others``. */
export function addressWords([first = '', ...others]: readonly Address[]): string {
  return others.length === 0 ? `\`${first}\`` : `\`${first}\` and ${counted(others.length, 'other', 'others')}`;
}

export function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
