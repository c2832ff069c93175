// Who will own a schedule. Omni runs its deliveries with the rights of its owner, who may change it, too. So another owner,
// also of a new schedule, is a danger, and an owner of a domain that is not ours a graver one.

import { type Danger, type DangerCode, dangerGravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/once.ts';
import { domainOf } from './destinations.ts';
import { counted, foldedItems, makeFound } from './folded.ts';
import { insideTest } from './inside-test.ts';
import type { Tracked } from './tracked.ts';

export function newOwners(
  changes: readonly Change[],
  tracked: () => Tracked,
  internalDomains: readonly string[],
): readonly Danger[] {
  const known = once(() => new Set([...tracked().values()].map((attributes) => domainOf(ownerIn(attributes)))));
  const isInside = insideTest(internalDomains);
  const isOutside = (owner: string) => {
    const domain = domainOf(owner);
    return domain !== undefined && !known().has(domain) && !isInside(domain);
  };
  const sent = changes.flatMap(({ address, action, before, after }) => {
    const owner = ownerIn(after, action);
    const isSame = before !== null && ownerIn(before, action).toLowerCase() === owner.toLowerCase();
    return owner === '' || isSame ? [] : [{ address, owner }];
  });
  const changed = sent.filter(({ owner }) => !isOutside(owner));
  const outside = sent.filter(({ owner }) => isOutside(owner));
  return [
    danger('outside-owner', outside, 'outside owner gets', 'outside owners get'),
    danger('new-owner', changed, 'owner gets', 'owners get'),
  ];
}

interface Owned {
  readonly address: Change['address'];
  readonly owner: string;
}

function danger(code: DangerCode, owned: readonly Owned[], one: string, several: string): Danger {
  const found = makeFound(owned.map(({ address, owner }) => [owner, address] as const));
  const title = `${counted(found.size, one, several)} schedules, which then run with their rights`;
  return { code, gravity: dangerGravity[code], title, items: foldedItems(found) };
}

/** '' where nobody is declared. A schedule that is posted belongs to its `userId`, if it has no other owner. */
function ownerIn(attributes: JsonObject | null, action?: Change['action']): string {
  const owner = attributes?.['owner'] ?? (action === 'replace' ? attributes?.['userId'] : undefined);
  return typeof owner === 'string' ? owner : '';
}
