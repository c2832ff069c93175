// Waivers of checks that a plan brings or prolongs. A waiver of `recipient-not-inside` lets somebody outside receive
// reports; one of `rows-of-others`, or of what a dashboard or Omni makes of its filters, may show the rows of others.

import { acceptancesOf } from '../../declare/acceptances.ts';
import { waivedBy } from '../../declare/inside/audience-waivers.ts';
import { isOutsideAddress } from '../../declare/inside/receiving-places.ts';
import type { Delivery } from '../../model/fields/delivery.ts';
import { addressWords, concernedBySubject, foldedItems } from '../../model/plan/danger.ts';
import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { countOf, inBackticks } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { DangerRule } from './world.ts';

interface Waiver {
  readonly recipient: string;
  readonly reason: string;
  /** The last day; one that never comes where the waiver has no end. */
  readonly until: string;
}

const never = '9999-12-31';

export const newWaivers: DangerRule = (steps, { isInside, judgesRecipients }) => {
  if (!judgesRecipients) return [];
  const found = steps.flatMap(({ change: { address, before, after }, delivered }) => {
    const known = waiversIn(before, delivered().before, isInside);
    return [...waiversIn(after, delivered().after, isInside)].flatMap(([key, waiver]) =>
      waiver.until > (known.get(key)?.until ?? '') ? [[subjectOf(waiver), address] as const] : [],
    );
  });
  const items = [...concernedBySubject(found)].map(([words, addresses]) => {
    const [subject = '', why = ''] = words.split('\n');
    return { subject, detail: `${why}, in ${addressWords(addresses)}` };
  });
  const recipients = new Set(items.map(({ subject }) => subject.toLowerCase())).size;
  const title = `${countOf(recipients, 'recipient', 'recipients')} outside may receive reports by a new or longer waiver`;
  return [{ code: 'waiver', title, items }];
};

export const rowWaivers: DangerRule = (steps, { rows }) => {
  if (rows === undefined) return [];
  const waived = steps.flatMap(({ change: { address, before, after } }) =>
    waivedRows.flatMap((code) => {
      const { reason, until = never } = waiverIn(after, code) ?? {};
      if (reason === undefined || until <= (waiverIn(before, code)?.until ?? '')) return [];
      return [[`until ${until}: ${inBackticks(reason.replaceAll(/\s+/g, ' '))}`, address] as const];
    }),
  );
  const reports = countOf(new Set(waived.map(([, address]) => address)).size, 'resource', 'resources');
  const title = `${reports} may show the rows of others by a new or longer waiver`;
  return [{ code: 'waiver', title, items: foldedItems(concernedBySubject(waived)) }];
};

/** The checks whose waiver may give somebody the rows of others. */
const waivedRows: readonly Code[] = [
  'rows-of-others',
  'filters-joined',
  'tile-unfiltered',
  'stored-otherwise',
  'not-read',
];

function waiverIn(attributes: JsonObject | null, code: Code) {
  return attributes === null ? undefined : acceptancesOf({ attributes }).get(code);
}

/** One key for equal waivers. */
function subjectOf({ recipient, reason, until }: Waiver): string {
  const end = until === never ? 'without an end' : `until ${until}`;
  return `${recipient}\n${end}: ${inBackticks(reason.replaceAll(/\s+/g, ' '))}`;
}

/** Returns for each recipient outside the waiver that ends last. */
function waiversIn(
  attributes: JsonObject | null,
  delivery: Delivery | undefined,
  isInside: (host: string) => boolean,
): ReadonlyMap<string, Waiver> {
  const waivers = new Map<string, Waiver>();
  if (attributes === null || delivery === undefined || attributes['accept'] === undefined) return waivers;
  const outside = [...delivery.to, ...delivery.inExtra].filter(
    ({ kind, shown, isHidden }) => kind === 'email' && !isHidden && isOutsideAddress(shown, isInside),
  );
  const entries = isJsonObject(attributes['accept']) ? attributes['accept'] : {};
  for (const [name, { reason, until = never }] of acceptancesOf({ attributes })) {
    const waived = waivedBy(name, entries[name])?.map((email) => email.toLowerCase());
    for (const { shown: recipient, compared: key } of outside) {
      const isLonger = until > (waivers.get(key)?.until ?? '');
      if ((waived === undefined || waived.includes(key)) && isLonger) waivers.set(key, { recipient, reason, until });
    }
  }
  return waivers;
}
