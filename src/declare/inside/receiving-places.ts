// Places in the files that name receiving e-mail addresses, and the users of each. A user is a resource, itself or
// through an audience, or an audience that nothing uses. A list is read once, however many resources share it, and its
// addresses have one list of users: a thousand schedules may go to the same thousand people.

import { deliveryOf, destinationOf, partAt, receiversAt } from '../../model/fields/delivery.ts';
import { receiversUnder } from '../../model/fields/receiver.ts';
import { groupBy, memoize, once } from '../../model/values/collections.ts';
import { domainOf } from '../../model/values/domains.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo, valueAt } from '../../model/values/pointer.ts';
import { type Place, placeOf } from '../../model/workspace/diagnostic.ts';
import { audiencesIn, type ValuePlace } from '../../model/workspace/origins.ts';
import type { Audience, Audiences, Resource } from '../../model/workspace/resource.ts';
import type { FileNamed } from '../../yaml/parsed-files.ts';
import type { ValuePlaces } from '../value-places.ts';
import { walkPlaces } from '../walk-places.ts';

/** At least one of the two is present. */
export interface AddressUse {
  readonly resource?: Resource;
  /** The one that gives the address to the resource, or that nothing uses. */
  readonly audience?: Audience;
}

interface NamedAddress {
  readonly address: string;
  readonly place: Place;
  /** True if it is somewhere in `extra`. */
  readonly isExtra: boolean;
}

export interface ReceivingPlace extends NamedAddress {
  /** One list for all places that have the same users. */
  readonly uses: readonly AddressUse[];
}

interface Sources {
  readonly resources: readonly Resource[];
  readonly audiences: Audiences;
  /** True for audiences that are judged by their use elsewhere, and not here. */
  readonly isElsewhere: (audience: string) => boolean;
  readonly fileNamed: FileNamed;
}

type IsWanted = (address: string) => boolean;

/** One for each address and place; only for addresses that are `wanted`. */
export async function receivingPlaces(
  { resources, audiences, isElsewhere, fileNamed }: Sources,
  isWanted: IsWanted,
): Promise<readonly ReceivingPlace[]> {
  const fields = resources.flatMap((resource) => namingFields(resource, isWanted));
  const holding = [...audiences.values()].filter(
    ({ isMisshapen, attributes }) => !isMisshapen && holdsWanted(attributes.emails, isWanted),
  );
  if (fields.length === 0 && holding.length === 0) return [];
  const { valuePlaces } = await import('../value-places.ts');
  const places = placeReader(valuePlaces({ resources: [], fileNamed }), fileNamed);
  const found: AddressUses[] = [];
  const through = new Map<string, AddressUse[]>(holding.map(({ name }) => [name, []]));
  for (const same of sharedFields(fields)) {
    const { named, audiences: names } = namedIn(same[0] as NamingField, isWanted, places);
    const users = same.map(({ holder }) => holder);
    for (const name of names)
      for (const resource of users) through.get(name)?.push({ resource, audience: audiences.get(name) });
    found.push({ named, uses: users.map((resource) => ({ resource })) });
  }
  // Several audiences may be aliases of one list.
  for (const same of groupBy(holding, ({ attributes }) => attributes.emails).values()) {
    const [holder] = same;
    const field = { holder, field: 'emails', value: holder.attributes.emails, at: '' };
    const named = once(() => namedIn(field, isWanted, places).named);
    for (const audience of same) {
      const uses = through.get(audience.name) ?? [];
      if (uses.length === 0 && isElsewhere(audience.name)) continue;
      found.push({ named: named(), uses: uses.length === 0 ? [{ audience }] : uses });
    }
  }
  return merged(found, resources);
}

interface NamingField<H = Resource | Audience> {
  readonly holder: H;
  readonly field: string;
  /** The part of it that names them: the same one if resources share it. */
  readonly value: unknown;
  /** The place of that part in the field. */
  readonly at: Pointer;
}

function namingFields(resource: Resource, isWanted: IsWanted): readonly NamingField<Resource>[] {
  const { kind, attributes } = resource;
  const { email } = receiversAt(kind);
  const listed = email !== undefined && destinationOf(resource) === 'email' ? partAt(attributes, email) : undefined;
  const fields: NamingField<Resource>[] = [];
  if (email !== undefined && holdsWanted(listed, isWanted)) {
    const [field = ''] = pointerSegments(email);
    fields.push({ holder: resource, field, value: listed, at: email.slice(pointerTo(field).length) });
  }
  if (deliveryOf(kind, attributes).inExtra.some((receiver) => receiver.kind === 'email' && isWanted(receiver.shown)))
    fields.push({ holder: resource, field: 'extra', value: attributes.extra, at: '' });
  return fields;
}

function holdsWanted(addresses: unknown, isWanted: IsWanted): boolean {
  return Array.isArray(addresses) && addresses.some((each) => typeof each === 'string' && isWanted(each));
}

/** Groups fields that name the same addresses at the same places. */
function sharedFields(fields: readonly NamingField<Resource>[]): readonly (readonly NamingField<Resource>[])[] {
  const withValue = [...groupBy(fields, ({ value }) => value).values()];
  // The list of an audience may be an alias of another's, whose waiver does not belong to it.
  const audiencesOf = ({ holder, field }: NamingField<Resource>) =>
    audiencesIn(holder.origins, pointerTo(field)).join();
  return withValue.flatMap((same) => (same.length === 1 ? [same] : [...groupBy(same, audiencesOf).values()]));
}

interface NamedAddresses {
  readonly named: readonly NamedAddress[];
  /** Names from audiences are not included. */
  readonly audiences: ReadonlySet<string>;
}

function namedIn(
  { holder, field, value, at }: NamingField,
  isWanted: IsWanted,
  placeOfText: PlaceOfText,
): NamedAddresses {
  const named: NamedAddress[] = [];
  const audiences = new Set<string>();
  const inExtra = field === 'extra' ? groupBy(receiversUnder(value, ''), (each) => each.at) : undefined;
  const addressesAt = (path: Pointer, isText: boolean, isFirst: boolean) => {
    if (inExtra === undefined) {
      const address = isText ? valueAt(value as never, path) : undefined;
      return typeof address === 'string' ? [{ address, part: 'value' as const }] : [];
    }
    return (inExtra.get(path) ?? []).flatMap(({ kind, shown, isKey }) => {
      const isHere = kind === 'email' && (isKey ? isFirst : isText);
      return isHere ? { address: shown, part: isKey ? ('key' as const) : ('value' as const) } : [];
    });
  };
  const seenPaths = new Set<Pointer>();
  walkPlaces(
    holder,
    field,
    holder.attributes[field],
    ({ path, place, isWhole, isText }) => {
      if (!isWhole || !isWithin(path, at)) return;
      if (place.kind === 'audience') return void audiences.add(place.name);
      // A text may name thousands, and finding a place takes as long as the keys that lead there.
      const placeOfPart = memoize((part: 'key' | 'value') => placeOfText(place, part));
      for (const { address, part } of addressesAt(path.slice(at.length), isText, !seenPaths.has(path)))
        if (isWanted(address)) named.push({ address, place: placeOfPart(part), isExtra: inExtra !== undefined });
      seenPaths.add(path);
    },
    ({ kind }) => kind !== 'audience',
  );
  return { named, audiences };
}

interface AddressUses {
  readonly named: readonly NamedAddress[];
  readonly uses: readonly AddressUse[];
}

/** A place that is found several times is one, with all of its users in the order of the resources. */
function merged(found: readonly AddressUses[], resources: readonly Resource[]): readonly ReceivingPlace[] {
  const at = new Map<Place, Map<string, { readonly named: NamedAddress; readonly lists: (readonly AddressUse[])[] }>>();
  for (const { named, uses } of found)
    for (const each of named) {
      const ofPlace = at.get(each.place) ?? new Map();
      at.set(each.place, ofPlace);
      const key = `${each.isExtra} ${each.address.toLowerCase()}`;
      const known = ofPlace.get(key) ?? { named: each, lists: [] };
      ofPlace.set(key, known);
      if (known.lists.at(-1) !== uses) known.lists.push(uses);
    }
  const join = joiner(resources);
  return [...at.values()].flatMap((here) =>
    [...here.values()].map(({ named, lists }) => ({ ...named, uses: join(lists) })),
  );
}

/** Joins lists of users; the same lists become the same one. */
function joiner(resources: readonly Resource[]): (lists: readonly (readonly AddressUse[])[]) => readonly AddressUse[] {
  const numbers = new Map<readonly AddressUse[], number>();
  const known = new Map<string, readonly AddressUse[]>();
  const ranks = once(() => new Map(resources.map((resource, index) => [resource, index])));
  const rankOf = ({ resource }: AddressUse) => (resource && ranks().get(resource)) ?? resources.length;
  return (lists) => {
    const [first = [], ...others] = lists;
    if (others.length === 0) return first;
    for (const list of lists) if (!numbers.has(list)) numbers.set(list, numbers.size);
    const key = lists.map((list) => numbers.get(list)).join();
    const joined = known.get(key) ?? distinct(lists.flat()).sort((a, b) => rankOf(a) - rankOf(b));
    known.set(key, joined);
    return joined;
  };
}

function distinct(uses: readonly AddressUse[]): AddressUse[] {
  return [...new Map(uses.map((use) => [`${use.resource?.address} ${use.audience?.name}`, use])).values()];
}

type PlaceOfText = (place: ValuePlace, part: 'key' | 'value') => Place;

/** Equal places are one: thousands of resources may share a list. */
function placeReader({ writtenAt }: ValuePlaces, fileNamed: FileNamed): PlaceOfText {
  // Without an alias and a merge key, everything is written where it stands, and the file is not parsed once more.
  const isElsewhere = memoize((file: string) => /&|<</.test(fileNamed(file)?.text ?? ''));
  const known = new Map<string, Place>();
  const placeOnce = (key: string, read: () => Place) => {
    const place = known.get(key) ?? read();
    known.set(key, place);
    return place;
  };
  return (place, part) => {
    if (place.kind === 'text-file') return placeOnce(place.path, () => ({ file: place.path }));
    const { file, document, pointer } = place.origin;
    const isKey = part === 'key' || ('part' in place && place.part === 'key');
    return placeOnce(`${document} ${isKey} ${pointer} ${file}`, () => {
      const { origin } = (isElsewhere(file) ? writtenAt(place)?.text : undefined) ?? place;
      return placeOnce(`text ${document} ${isKey} ${origin.pointer} ${file}`, () =>
        placeOf(origin, isKey ? 'key' : 'value'),
      );
    });
  };
}

export function isOutsideAddress(address: string, isInside: (host: string) => boolean): boolean {
  const domain = domainOf(address.trim());
  // An invalid address has an error of its own.
  return domain !== undefined && !isInside(domain);
}
