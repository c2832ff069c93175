// Who will own a schedule, or whom an AI job runs as. Omni runs them with the rights of that person, who may change a
// schedule, too. So another owner, also of a new schedule, is a danger, and an owner of a domain that is not ours a graver one.

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
  const known = once(() => new Set([...tracked().values()].map((attributes) => domainOf(ownerIn(attributes, false)))));
  const isInside = insideTest(internalDomains);
  const isOutside = (owner: string) => {
    const domain = domainOf(owner);
    return domain !== undefined && !known().has(domain) && !isInside(domain);
  };
  const sent = changes.flatMap(({ address, kind, action, before, after }) => {
    if (kind === 'dashboard') return [];
    const isPosted = action === 'create' || action === 'replace' || action === 'run';
    const owner = ownerIn(after, isPosted);
    const isSame = before !== null && ownerIn(before, isPosted).toLowerCase() === owner.toLowerCase();
    return owner === '' || isSame ? [] : [{ address, kind, owner }];
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
  readonly kind: Change['kind'];
  readonly owner: string;
}

function danger(code: DangerCode, owned: readonly Owned[], one: string, several: string): Danger {
  const found = makeFound(owned.map(({ address, owner }) => [owner, address] as const));
  const isJob = ({ kind }: Owned) => kind === 'aiJob';
  const schedules = owned.some(isJob) ? 'schedules and AI jobs' : 'schedules';
  const what = owned.every(isJob) ? 'AI jobs' : schedules;
  const title = `${counted(found.size, one, several)} ${what}, which then run with their rights`;
  return { code, gravity: dangerGravity[code], title, items: foldedItems(found) };
}

/** '' where nobody is declared. What is posted belongs to its `userId`, if it has no other owner. */
function ownerIn(attributes: JsonObject | null, isPosted: boolean): string {
  const owner = attributes?.['owner'] ?? (isPosted ? attributes?.['userId'] : undefined);
  return typeof owner === 'string' ? owner : '';
}
