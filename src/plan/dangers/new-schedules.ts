// To whom outside a new schedule goes, also where their domain receives something else already. An update names whom it adds,
// and an adopted schedule delivers already.

import { type Danger, dangerGravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import { placesOf } from './destinations.ts';
import { counted, foldedItems, makeFound } from './folded.ts';
import { insideTest, namingWay } from './inside-test.ts';
import type { KnownPlaces } from './new-places.ts';

/** Where no domain is listed as inside, one line says so: a list would call everybody's own company outside. */
export function outsideRecipients(
  changes: readonly Change[],
  known: () => KnownPlaces,
  internalDomains: readonly string[],
): readonly Danger[] {
  const isInside = insideTest(internalDomains);
  const outside = changes
    .filter(isNewSchedule)
    .flatMap(({ address, kind, after }) =>
      placesOf(kind, after ?? {}).flatMap(({ name, recipient }) =>
        recipient === undefined || isInside(name) ? [] : [{ domain: name, recipient, address }],
      ),
    );
  if (internalDomains.length > 0) {
    const items = foldedItems(makeFound(outside.map(({ recipient, address }) => [recipient, address] as const)));
    const title = `${counted(items.length, 'outside recipient gets', 'outside recipients get')} new schedules`;
    return items.length === 0 ? [] : [danger(title, items)];
  }
  // A new domain is named as a place that receives something for the first time.
  const domains = new Set(outside.map(({ domain }) => domain).filter((domain) => known().domain.has(domain)));
  if (domains.size === 0) return [];
  const where = counted(domains.size, 'known domain', 'known domains');
  return [danger(`Recipients at ${where} get new schedules. To see who is outside, ${namingWay}`, [])];
}

function danger(title: string, items: Danger['items']): Danger {
  return { code: 'outside-recipient', gravity: dangerGravity['outside-recipient'], title, items };
}

/** Also one that only runs once. */
function isNewSchedule({ kind, action, before }: Change): boolean {
  return kind === 'schedule' && (action === 'create' || (action === 'run' && before === null));
}
