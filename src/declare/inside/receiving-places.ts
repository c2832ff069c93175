// The places in the files that name the e-mail addresses which receive something, and who uses each: a resource, itself or
// through an audience, or an audience that nothing uses.

import { destinationOf, partAt, receiversAt } from '../../model/fields/delivery.ts';
import { domainOf } from '../../model/values/domains.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo, valueAt } from '../../model/values/pointer.ts';
import { type Place, placeOf } from '../../model/workspace/diagnostic.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import type { Audience, Audiences, Resource } from '../../model/workspace/resource.ts';
import type { FileNamed } from '../../yaml/written/open-documents.ts';
import type { ValuePlaces } from '../value-places.ts';
import { walkField } from '../walk-field.ts';

/** At least one of the two is there. */
export interface AddressUse {
  readonly resource?: Resource;
  /** The one that gives the address to the resource, or that nothing uses. */
  readonly audience?: Audience;
}

export interface ReceivingPlace {
  readonly address: string;
  readonly place: Place;
  readonly uses: readonly AddressUse[];
}

interface Sources {
  readonly resources: readonly Resource[];
  readonly audiences: Audiences;
  /** Of audiences that are judged by what uses them elsewhere, and not here. */
  readonly isElsewhere: (audience: string) => boolean;
  readonly fileNamed: FileNamed;
}

type IsWanted = (address: string) => boolean;

/** One for each address and place; only of addresses that are `wanted`. */
export async function receivingPlaces(
  { resources, audiences, isElsewhere, fileNamed }: Sources,
  isWanted: IsWanted,
): Promise<readonly ReceivingPlace[]> {
  const receiving = resources.filter((resource) => wantedAt(resource, isWanted) !== undefined);
  const holding = [...audiences.values()].filter(
    ({ name, isMisshapen, attributes }) =>
      !isMisshapen && !isElsewhere(name) && holdsWanted(attributes.emails, isWanted),
  );
  if (receiving.length === 0 && holding.length === 0) return [];
  const { valuePlaces } = await import('../value-places.ts');
  const places = placeReader(valuePlaces({ resources: [], fileNamed }));
  const found = new Map<Place, Map<string, { readonly address: string; readonly uses: AddressUse[] }>>();
  const add = (address: string, place: Place, use: AddressUse) => {
    const here = found.get(place) ?? new Map();
    found.set(place, here);
    const known = here.get(address.toLowerCase()) ?? { address, uses: [] };
    here.set(address.toLowerCase(), known);
    // Those of a resource follow one another, and there may be thousands of resources.
    const last = known.uses.at(-1);
    if (last?.resource !== use.resource || last?.audience !== use.audience) known.uses.push(use);
  };
  const used = new Set<string>();
  for (const resource of receiving) {
    for (const name of audiencesWithWanted(resource, isWanted, places, (address, place, audience) =>
      add(address, place, { resource, audience: audiences.get(audience ?? '') }),
    ))
      used.add(name);
  }
  for (const audience of holding) {
    if (used.has(audience.name)) continue;
    const { emails } = audience.attributes;
    placesIn(audience, 'emails', emails, places, (path, place) => {
      const address = valueAt(emails as never, path);
      if (typeof address === 'string' && isWanted(address)) add(address, place, { audience });
    });
  }
  return [...found].flatMap(([place, here]) => [...here.values()].map((each) => ({ ...each, place })));
}

/** Where a resource lists addresses; undefined where none of them is wanted. */
function wantedAt(resource: Resource, isWanted: IsWanted): Pointer | undefined {
  const { kind, attributes } = resource;
  const { email } = receiversAt(kind);
  if (email === undefined || destinationOf(resource) !== 'email') return undefined;
  return holdsWanted(partAt(attributes, email), isWanted) ? email : undefined;
}

function holdsWanted(addresses: unknown, isWanted: IsWanted): boolean {
  return Array.isArray(addresses) && addresses.some((each) => typeof each === 'string' && isWanted(each));
}

type Report = (address: string, place: Place, audience: string | undefined) => void;

/** Reports the addresses of a resource; the audiences that give them. */
function audiencesWithWanted(
  resource: Resource,
  isWanted: IsWanted,
  places: PlaceOfText,
  report: Report,
): ReadonlySet<string> {
  const { attributes } = resource;
  const used = new Set<string>();
  const listed = wantedAt(resource, isWanted);
  if (listed === undefined) return used;
  const [field = ''] = pointerSegments(listed);
  placesIn(resource, field, attributes[field], places, (path, place, audience) => {
    const at = pointerTo(field) + path;
    const address = isWithin(at, listed) ? valueAt(attributes as never, at) : undefined;
    if (typeof address !== 'string' || !isWanted(address)) return;
    if (audience !== undefined) used.add(audience);
    report(address, place, audience);
  });
  return used;
}

/** Every whole text of a field, where it is written, with the audience that it comes through. */
function placesIn(
  holder: Pick<Resource, 'origin' | 'origins'>,
  field: string,
  value: unknown,
  placeOfText: PlaceOfText,
  report: (path: string, place: Place, audience: string | undefined) => void,
): void {
  let audience: string | undefined;
  walkField(holder, field, value, ({ path, place, isWhole, isText }) => {
    // A variable is on the way from an audience, or from the declaration: what came before it says which.
    if (place.kind === 'audience') audience = place.name;
    else if (place.kind === 'resource' || place.kind === 'default' || place.kind === 'item') audience = undefined;
    const written = isWhole && isText ? placeOfText(place) : undefined;
    if (written !== undefined) report(path, written, audience);
  });
}

type PlaceOfText = (place: ValuePlace) => Place;

/** Equal places are one: thousands of resources may share an audience. */
function placeReader({ writtenAt }: ValuePlaces): PlaceOfText {
  const known = new Map<string, Place>();
  const once = (key: string, read: () => Place) => {
    const place = known.get(key) ?? read();
    known.set(key, place);
    return place;
  };
  return (place) => {
    if (place.kind === 'text-file') return once(place.path, () => ({ file: place.path }));
    const { file, document, pointer } = place.origin;
    const isKey = 'part' in place && place.part === 'key';
    return once(`${document} ${isKey} ${pointer} ${file}`, () => {
      const { origin } = writtenAt(place)?.text ?? place;
      return once(`text ${document} ${isKey} ${origin.pointer} ${file}`, () =>
        placeOf(origin, isKey ? 'key' : 'value'),
      );
    });
  };
}

/** Whether an address is outside, by the test of hosts. */
export function isOutsideAddress(address: string, isInside: (host: string) => boolean): boolean {
  const domain = domainOf(address.trim());
  // What is no address has an error of its own.
  return domain !== undefined && !isInside(domain);
}
