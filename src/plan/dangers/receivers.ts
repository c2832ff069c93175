// Who receives something that they did not receive before, or no longer, and with whose rights: places, people, owners. A
// place counts as known where a tracked resource delivers to it; one that is adopted counts as new, because a plan takes the
// declaration's word for it.

import { deliveries } from '../../model/fields/schedule-form.ts';
import { concernedBySubject, type DangerCode, type FoundDanger, foldedItems } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import { type Address, kindAt, kinds, kindsInWords } from '../../model/values/address.ts';
import { domainOf, insideTest } from '../../model/values/domains.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import { isWithin } from '../../model/values/pointer.ts';
import { sensitive } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import { plannedAs } from '../kinds.ts';
import {
  type DestinationPlace,
  hidesRecipients,
  namingWay,
  type PlaceKind,
  placesOf,
  recipientsOf,
} from './destinations.ts';
import { type GroupsByName, groupNamesOf, groupWords } from './group-words.ts';

/** What the state holds, as far as people may read it. */
export type TrackedAttributes = ReadonlyMap<Address, JsonObject>;

interface NewPlace {
  readonly code: DangerCode;
  readonly kind: PlaceKind;
  /** Undefined where inside and outside make no difference. */
  readonly inside?: boolean;
  readonly one: string;
  readonly several: string;
}

const table: readonly NewPlace[] = [
  { code: 'outside-domain', kind: 'domain', inside: false, one: 'domain', several: 'domains' },
  { code: 'outside-host', kind: 'host', inside: false, one: 'host', several: 'hosts' },
  { code: 'new-bucket', kind: 'bucket', one: 'bucket', several: 'buckets' },
  { code: 'new-aws-account', kind: 'account', one: 'AWS account', several: 'AWS accounts' },
  { code: 'inside-domain', kind: 'domain', inside: true, one: 'inside domain', several: 'inside domains' },
  { code: 'inside-host', kind: 'host', inside: true, one: 'inside host', several: 'inside hosts' },
  { code: 'new-slack-channel', kind: 'channel', one: 'Slack channel', several: 'Slack channels' },
];

export function newPlaces(
  changes: readonly Change[],
  known: () => KnownPlaces,
  internalDomains: readonly string[],
): readonly FoundDanger[] {
  const fresh = changes.flatMap(({ address, action, kind, after }) =>
    (after === null ? [] : placesOf(kind, after))
      .filter((place) => !known()[place.kind].has(wholeOf(place)))
      .map((place) => ({ address, place, isAdopted: action === 'adopt' })),
  );
  const isInside = insideTest(internalDomains);
  return table.map(({ code, kind, inside, one, several }) => {
    const ofCode = fresh.filter(
      ({ place }) => place.kind === kind && (inside === undefined || isInside(place.name) === inside),
    );
    const found = concernedBySubject(ofCode.map(({ address, place }) => [wholeOf(place), address] as const));
    // Nobody knows what is outside until almanac.yaml says what is inside.
    const isUnknown = inside === false && internalDomains.length === 0;
    const outside = inside === false && !isUnknown ? 'outside ' : '';
    const hint = isUnknown && kind === 'domain' ? `. To see what is outside, ${namingWay}` : '';
    const receive = countOf(found.size, `${outside}${one} receives`, `${outside}${several} receive`);
    const what = ofCode.every(({ isAdopted }) => isAdopted) ? 'what is adopted' : 'something for the first time';
    return { code, title: `${receive} ${what}${hint}`, items: foldedItems(found) };
  });
}

export type KnownPlaces = Readonly<Record<PlaceKind, ReadonlySet<string>>>;

export function knownPlaces(tracked: TrackedAttributes): KnownPlaces {
  const known = {
    domain: new Set<string>(),
    host: new Set<string>(),
    bucket: new Set<string>(),
    account: new Set<string>(),
    channel: new Set<string>(),
  };
  for (const [address, attributes] of tracked)
    for (const place of placesOf(kindAt(address), attributes)) known[place.kind].add(wholeOf(place));
  return known;
}

/** What makes two places the same one. */
function wholeOf({ name, path = '' }: DestinationPlace): string {
  return name + path;
}

/**
 * To whom outside a new schedule goes, also where their domain receives something else already. An update names whom it adds,
 * and an adopted schedule delivers already. Where no domain is listed as inside, one line says so: a list would call
 * everybody's own company outside.
 */
export function outsideRecipients(
  changes: readonly Change[],
  known: () => KnownPlaces,
  internalDomains: readonly string[],
  groups: GroupsByName,
): readonly FoundDanger[] {
  const isInside = insideTest(internalDomains);
  const fresh = changes.filter(isNewDelivery);
  const outside = fresh.flatMap(({ address, kind, after }) =>
    placesOf(kind, after ?? {}).flatMap(({ name, recipient }) =>
      recipient === undefined || isInside(name) ? [] : [{ domain: name, recipient, address, kind }],
    ),
  );
  if (internalDomains.length > 0) {
    const outsideGroups = fresh.flatMap(({ address, kind, after }) =>
      groupNamesOf(kind, after ?? {}).flatMap((name) => {
        const group = groups.get(name);
        return group?.outside ? [{ recipient: groupWords(name, group), address, kind }] : [];
      }),
    );
    const all = [...outside, ...outsideGroups];
    const items = foldedItems(concernedBySubject(all.map(({ recipient, address }) => [recipient, address] as const)));
    const what = pluralsOf(all);
    const title = `${countOf(items.length, 'outside recipient gets', 'outside recipients get')} new ${what}`;
    return items.length === 0 ? [] : [{ code: 'outside-recipient', title, items }];
  }
  // A new domain is named as a place that receives something for the first time.
  const domains = new Set(outside.map(({ domain }) => domain).filter((domain) => known().domain.has(domain)));
  if (domains.size === 0) return [];
  const where = countOf(domains.size, 'known domain', 'known domains');
  const title = `Recipients at ${where} get new ${pluralsOf(outside)}. To see who is outside, ${namingWay}`;
  return [{ code: 'outside-recipient', title, items: [] }];
}

/** Something that is delivered and was not there before, also a schedule that only runs once. */
export function isNewDelivery({ kind, action, before }: Change): boolean {
  return kinds[kind].life === 'recurring' && (action === 'create' || (action === 'run' && before === null));
}

function pluralsOf(of: readonly Pick<Change, 'kind'>[]): string {
  return kindsInWords(
    of.map(({ kind }) => kind),
    'and',
    's',
  );
}

/**
 * Who will own a schedule, or whom an AI job runs as. Omni runs them with the rights of that person, who may change a
 * schedule, too. So another owner, also of a new schedule, is a danger, and an owner of a domain that is not ours a graver
 * one.
 */
export function newOwners(
  changes: readonly Change[],
  tracked: () => TrackedAttributes,
  internalDomains: readonly string[],
): readonly FoundDanger[] {
  const known = once(() => new Set([...tracked().values()].map((attributes) => domainOf(ownerIn(attributes, false)))));
  const isInside = insideTest(internalDomains);
  const isOutside = (owner: string) => {
    const domain = domainOf(owner);
    return domain !== undefined && !known().has(domain) && !isInside(domain);
  };
  const sent = changes.flatMap(({ address, kind, action, before, after }) => {
    if (!plannedAs[kind].runsAsOwner) return [];
    const isPosted = action === 'create' || action === 'replace' || action === 'run';
    const owner = ownerIn(after, isPosted);
    const isSame = before !== null && ownerIn(before, isPosted).toLowerCase() === owner.toLowerCase();
    return owner === '' || isSame ? [] : [{ address, kind, owner }];
  });
  const changed = sent.filter(({ owner }) => !isOutside(owner));
  const outside = sent.filter(({ owner }) => isOutside(owner));
  return [
    ownersGet('outside-owner', outside, 'outside owner gets', 'outside owners get'),
    ownersGet('new-owner', changed, 'owner gets', 'owners get'),
  ];
}

interface Owned {
  readonly address: Change['address'];
  readonly kind: Change['kind'];
  readonly owner: string;
}

function ownersGet(code: DangerCode, owned: readonly Owned[], one: string, several: string): FoundDanger {
  const found = concernedBySubject(owned.map(({ address, owner }) => [owner, address] as const));
  const title = `${countOf(found.size, one, several)} ${pluralsOf(owned)}, which then run with their rights`;
  return { code, title, items: foldedItems(found) };
}

/** '' where nobody is declared. What is posted belongs to its `userId`, if it has no other owner. */
function ownerIn(attributes: JsonObject | null, isPosted: boolean): string {
  const owner = attributes?.['owner'] ?? (isPosted ? attributes?.['userId'] : undefined);
  return typeof owner === 'string' ? owner : '';
}

/**
 * Who gets more than before, from schedules that already existed. A recipient that is hidden behind a secret counts as
 * added, since nobody can check that it was there.
 */
export function addedRecipients(changes: readonly Change[], groups: GroupsByName): FoundDanger {
  const added = changes.flatMap((change) => [...recipientsIn(change, groups, 'after', 'before'), ...hidden(change)]);
  const items = foldedItems(concernedBySubject(added));
  const title = `${countOf(items.length, 'recipient is', 'recipients are')} added`;
  return { code: 'recipient-added', title, items };
}

export function removedRecipients(changes: readonly Change[], groups: GroupsByName): FoundDanger {
  const removed = changes.flatMap((change) => recipientsIn(change, groups, 'before', 'after'));
  const items = foldedItems(concernedBySubject(removed));
  const title = `${countOf(items.length, 'recipient is', 'recipients are')} removed`;
  return { code: 'recipient-removed', title, items };
}

type Side = 'before' | 'after';
type NamedRecipient = readonly [recipient: string, address: string];

/** The recipients that one side of a change has and the other has not. */
function recipientsIn(change: Change, groups: GroupsByName, side: Side, other: Side): readonly NamedRecipient[] {
  const { kind, address } = change;
  const [these, those] = [change[side], change[other]];
  if (these === null || those === null) return [];
  const known = new Set(recipientsOf(kind, those));
  const idOf = (name: string) => groups.get(name)?.id ?? name;
  const knownGroups = new Set(groupNamesOf(kind, those).map(idOf));
  const people = recipientsOf(kind, these).filter((recipient) => !known.has(recipient));
  const others = groupNamesOf(kind, these).filter((name) => !knownGroups.has(idOf(name)));
  const named = [...people, ...others.map((name) => groupWords(name, groups.get(name)))];
  return named.map((recipient) => [recipient, address] as const);
}

function hidden({ address, kind, before, after, diff }: Change): readonly NamedRecipient[] {
  if (after === null || !hidesRecipients(kind, after)) return [];
  const differs = diff.some(({ path }) => deliveries[kind].people.some((people) => isWithin(path, people)));
  return before === null || differs ? [[sensitive, address]] : [];
}
