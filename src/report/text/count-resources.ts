// How many resources, in words: "90 schedules", and of a loop "12 instances of regional-sales".

import type { Change } from '../../model/plan/plan.ts';
import { type Address, behindDot, groupOf, itemOf, type Kind, keyPattern, kinds } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';

const resourceKeyPattern = new RegExp(`^${keyPattern}$`);

/** Says whose instances they are if all are those of one loop. */
export function countResources(kind: Kind, addresses: readonly Address[]): string {
  const count = addresses.length;
  const loop = loopOf(addresses);
  return count < 2 || loop === undefined ? countOf(count, kinds[kind].words) : `${count} instances of ${loop}`;
}

/** What each of those that are counted is called: `weekly-sales`, and of one loop the key of its item. */
export function keysOfCounted(addresses: readonly Address[]): readonly string[] {
  const loop = loopOf(addresses);
  return addresses.map((address) => behindDot(loop === undefined ? address : behindDot(address)));
}

/** The key of the loop that all are instances of. */
function loopOf(addresses: readonly Address[]): string | undefined {
  const groups = new Set(addresses.map((address) => (itemOf(address) === undefined ? '' : groupOf(address))));
  const [group = ''] = groups.size === 1 ? groups : [];
  const key = behindDot(group);
  // A state that somebody wrote may hold other keys, which reports would have to escape.
  return resourceKeyPattern.test(key) ? key : undefined;
}

/**
 * `from 1 loop` of instances alone, and `12 of them from 1 loop` among others; or nothing where each has its own. What a
 * plan gives up is left out, because its declaration may be gone.
 */
export function loopCounts(changes: readonly Pick<Change, 'address' | 'kind' | 'action'>[]): string {
  const declared = changes.filter(({ action }) => action !== 'delete' && action !== 'forget');
  const instances = declared.filter(({ address }) => itemOf(address) !== undefined);
  const groups = new Set(instances.map(({ address }) => groupOf(address)));
  if (groups.size === instances.length) return '';
  const loops = `from ${countOf(groups.size, 'loop')}`;
  return instances.length === changes.length ? loops : `${instances.length} of them ${loops}`;
}
