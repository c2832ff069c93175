// Who outside may receive reports because somebody waived the check `recipient-not-inside`, and did not before, or not for as
// long.

import { acceptancesOf } from '../../declare/acceptances.ts';
import { waivedBy } from '../../declare/inside/audience-waivers.ts';
import { isOutsideAddress } from '../../declare/inside/receiving-places.ts';
import { deliveries, destinationOf } from '../../model/fields/schedule-form.ts';
import { addressWords, concernedBySubject, type FoundDanger } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Kind } from '../../model/values/address.ts';
import { insideTest } from '../../model/values/domains.ts';
import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { valueAt } from '../../model/values/pointer.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';

interface Waiver {
  readonly recipient: string;
  readonly reason: string;
  /** The last day; one that never comes where the waiver has no end. */
  readonly until: string;
}

const never = '9999-12-31';

export function newWaivers(changes: readonly Change[], internalDomains: readonly string[]): FoundDanger {
  const isInside = insideTest(internalDomains);
  const found = changes.flatMap(({ address, kind, before, after }) => {
    const known = waiversIn(kind, before, isInside);
    return [...waiversIn(kind, after, isInside)].flatMap(([key, waiver]) =>
      waiver.until > (known.get(key)?.until ?? '') ? [[subjectOf(waiver), address] as const] : [],
    );
  });
  const items = [...concernedBySubject(found)].map(([words, addresses]) => {
    const [subject = '', why = ''] = words.split('\n');
    return { subject, detail: `${why}, in ${addressWords(addresses)}` };
  });
  const recipients = new Set(items.map(({ subject }) => subject.toLowerCase())).size;
  const title = `${countOf(recipients, 'recipient', 'recipients')} outside may receive reports by a new or longer waiver`;
  return { code: 'waiver', title, items };
}

/** One key for equal waivers. */
function subjectOf({ recipient, reason, until }: Waiver): string {
  const end = until === never ? 'without an end' : `until ${until}`;
  return `${recipient}\n${end}: ${inBackticks(reason.replaceAll(/\s+/g, ' '))}`;
}

/** Of each recipient outside the waiver that ends last. */
function waiversIn(
  kind: Kind,
  attributes: JsonObject | null,
  isInside: (host: string) => boolean,
): ReadonlyMap<string, Waiver> {
  const waivers = new Map<string, Waiver>();
  if (attributes === null || attributes['accept'] === undefined) return waivers;
  if (destinationOf({ kind, attributes }) !== 'email') return waivers;
  const recipients = deliveries[kind].people
    .flatMap((pointer) => valueAt(attributes, pointer) ?? [])
    .filter((each) => typeof each === 'string' && isOutsideAddress(each, isInside))
    .map(String);
  const entries = isJsonObject(attributes['accept']) ? attributes['accept'] : {};
  for (const [name, { reason, until = never }] of acceptancesOf({ attributes })) {
    const waived = waivedBy(name, entries[name])?.map((email) => email.toLowerCase());
    for (const recipient of recipients) {
      const key = recipient.toLowerCase();
      const isLonger = until > (waivers.get(key)?.until ?? '');
      if ((waived === undefined || waived.includes(key)) && isLonger) waivers.set(key, { recipient, reason, until });
    }
  }
  return waivers;
}
