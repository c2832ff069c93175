// A number of resources in words: "90 schedules", or "12 instances of regional-sales" for a loop.

import type { Change } from '../../model/plan/plan.ts';
import { type Address, behindDot, groupOf, itemOf, type Kind, keyPattern, kinds } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';

const resourceKeyPattern = new RegExp(`^${keyPattern}$`);

/** Names the loop if all are its instances. */
export function countResources(kind: Kind, addresses: readonly Address[]): string {
  const count = addresses.length;
  const loop = loopOf(addresses);
  return count < 2 || loop === undefined ? countOf(count, kinds[kind].words) : `${count} instances of ${loop}`;
}

/** The name of each counted resource: `weekly-sales`, or in one loop the key of its item. */
export function keysOfCounted(addresses: readonly Address[]): readonly string[] {
  const loop = loopOf(addresses);
  return addresses.map((address) => behindDot(loop === undefined ? address : behindDot(address)));
}

function loopOf(addresses: readonly Address[]): string | undefined {
  const groups = new Set(addresses.map((address) => (itemOf(address) === undefined ? '' : groupOf(address))));
  const [group = ''] = groups.size === 1 ? groups : [];
  const key = behindDot(group);
  // A state that somebody wrote may have other keys, which reports would have to escape.
  return resourceKeyPattern.test(key) ? key : undefined;
}

/**
 * `from 1 loop` for instances alone, and `12 of them from 1 loop` among others; empty if each has its own. Removed
 * resources are left out, because their declarations may be gone.
 */
export function loopCounts(changes: readonly Pick<Change, 'address' | 'kind' | 'action'>[]): string {
  const declared = changes.filter(({ action }) => action !== 'delete' && action !== 'forget');
  const instances = declared.filter(({ address }) => itemOf(address) !== undefined);
  const groups = new Set(instances.map(({ address }) => groupOf(address)));
  if (groups.size === instances.length) return '';
  const loops = `from ${countOf(groups.size, 'loop')}`;
  return instances.length === changes.length ? loops : `${instances.length} of them ${loops}`;
}
