// The place of a resource and of its fields: in the declaration, in the default that provided a value, or in the item of a
// loop that the value comes from. A mistake is reported where it has to be corrected.

import { groupOf } from '../values/address.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../values/pointer.ts';
import type { Code } from './codes.ts';
import { type Finding, type Origin, type Place, placeOf, type RelatedPlace, type Span } from './diagnostic.ts';
import { placeIn, sourceOf, type ValueIn, type ValuePlace } from './origins.ts';
import type { Item, Resource } from './resource.ts';

type PlacedResource = Pick<Resource, 'address' | 'origin' | 'origins' | 'item'>;

/** The key of the declaration; for an instance of a loop its item, if git knows who added it. */
export function placeOfResource({ origin, item }: Pick<Resource, 'origin' | 'item'>): Place {
  return placeOf(item?.origin ?? origin, 'key');
}

/** The file in which `line` is. */
export function fileOf({ origin, item }: Pick<Resource, 'origin' | 'item'>): string {
  return (item?.origin ?? origin).file;
}

/**
 * The line of what a difference changes. For an instance of a loop that is its item, or the declaration if nothing of
 * the difference comes from the item.
 */
export function lineOfDifference(
  resource: PlacedResource & Pick<Resource, 'line'>,
  paths: readonly Pointer[],
): FileLine {
  const { item } = resource;
  const isOfLoop = item !== undefined && paths.length > 0 && !paths.some((path) => isFromItem(resource, path));
  return isOfLoop
    ? { file: item.loop.origin.file, line: item.loop.line }
    : { file: fileOf(resource), line: resource.line };
}

interface FileLine {
  readonly file: string;
  readonly line: number;
}

/** True even if only a part of what is at the path comes from there. */
function isFromItem(resource: PlacedResource, path: Pointer): boolean {
  const { last } = written(resource, path);
  if (last.place.kind === 'item' || itemIn(resource, last) !== undefined) return true;
  return [...(resource.origins?.given ?? [])].some(
    ([at, { by }]) => isWithin(at, path) && by.some(({ place }) => place.kind === 'item'),
  );
}

export interface FieldPlace {
  readonly place: Place;
  readonly related?: readonly RelatedPlace[];
  readonly isPart?: true;
  /** The value is in a default. */
  readonly isInherited: boolean;
}

interface PartOfField {
  readonly at?: 'key' | 'value' | undefined;
  readonly within?: Span | undefined;
  /** The text of the cell that is meant, where several give the value. */
  readonly part?: string | undefined;
}

/** `at` says whether the value or its key is meant; the key of a field stands in the declaration, whatever its value. */
export function placeOfField(
  resource: PlacedResource,
  pointer: Pointer,
  { at = 'value', within, part }: PartOfField = {},
): FieldPlace {
  const [field = ''] = pointerSegments(pointer);
  const { declared, last } = written(resource, pointer);
  const inherited = declared.place.kind === 'default';
  const fieldPlace = { ...diagnosticPlace(declared, at), within };
  const related = [usedAt(placeIn(declared).origin, field, resource.address)];
  if (last !== declared) {
    if (at === 'key' && last.at === '') return { place: fieldPlace, isInherited: inherited };
    const isKey = last.place.kind === 'item' && last.place.part === 'key';
    const place = isKey ? diagnosticPlace(last, 'key') : { ...diagnosticPlace(last, at), within };
    return { place, related, isInherited: inherited };
  }
  const source = at === 'key' || inherited ? undefined : itemIn(resource, last, part);
  return source === undefined
    ? { place: fieldPlace, isInherited: inherited }
    : { ...source, related, isInherited: inherited };
}

/** The place of a finding about a part of a resource, and whom it is about: a default is that of all who have it. */
export function findingAt(
  resource: PlacedResource,
  pointer: Pointer,
  part?: PartOfField,
): Pick<Finding, 'address' | 'concerns' | 'place' | 'related' | 'isPart'> {
  const { isInherited, ...places } = placeOfField(resource, pointer, part);
  return { ...(isInherited ? { concerns: [resource.address] } : { address: resource.address }), ...places };
}

/** The place where a part of a value is written. What other lists and audiences give is at the reference to them. */
export function writtenOrigin(holder: Pick<Resource, 'origin' | 'origins'>, pointer: Pointer): Origin {
  return placeIn(written(holder, pointer).declared).origin;
}

/** The audience that gives a part of a field. */
export function audienceAt(resource: PlacedResource, pointer: Pointer): string | undefined {
  return resource.origins === undefined ? undefined : written(resource, pointer).audience;
}

/** The place that sets the variable which a part of a field consists of; undefined if it is no variable. */
export function variableAt(resource: PlacedResource, pointer: Pointer): RelatedPlace | undefined {
  const { last } = written(resource, pointer);
  const giver = sourceOf(last.origins, last.at);
  if (giver?.place.kind !== 'variable') return undefined;
  return {
    place: placeOf(placeIn({ ...giver, place: giver.place }).origin),
    message: 'This is the value of the variable.',
  };
}

/** The place where a text puts values of the item together, or where a row leaves a list without items. */
function itemIn(
  { item, origins }: PlacedResource,
  { at }: ValueIn,
  part?: string,
): Pick<FieldPlace, 'place' | 'isPart'> | undefined {
  if (item === undefined) return undefined;
  if (origins?.lists.get(at)?.().length === 0) return { place: placeOf(item.origin, 'key') };
  const places = (origins?.given.get(at)?.by ?? []).flatMap(({ place }) => (place.kind === 'item' ? place : []));
  const [first] = places;
  if (first === undefined) return undefined;
  const cell = part === undefined ? undefined : places.find((each) => cellAt(item, each)?.trim() === part);
  if (cell !== undefined) return { place: placeOf(cell.origin) };
  const isOne = places.every(({ origin, part }) => origin.pointer === first.origin.pointer && part === first.part);
  const place = isOne ? placeOf(first.origin, first.part === 'key' ? 'key' : 'value') : placeOf(item.origin, 'key');
  return { place, isPart: true };
}

function cellAt({ cells }: Item, { origin, part }: Extract<ValuePlace, { readonly kind: 'item' }>): string | undefined {
  const cell = part === 'cell' ? cells?.[pointerSegments(origin.pointer).at(-1) ?? ''] : undefined;
  return typeof cell === 'string' ? cell : undefined;
}

interface WrittenPlace {
  /** The place in the declaration, or in the default that gives the field. */
  readonly declared: ValueIn;
  /** The place in the item of a loop, if the declaration has the value from there. */
  readonly last: ValueIn;
  readonly audience?: string;
}

/** Follows what is written into the default and the item. What others give is at the reference to it. */
function written({ origin, origins }: Pick<Resource, 'origin' | 'origins'>, pointer: Pointer): WrittenPlace {
  const root: ValueIn = { place: { kind: 'resource', origin }, origins, at: '' };
  return pointerSegments(pointer).reduce<WrittenPlace>(entered, { declared: root, last: root });
}

function entered(found: WrittenPlace, segment: string): WrittenPlace {
  const { last } = found;
  const spliced = last.origins?.lists
    .get(last.at)?.()
    .find(({ index }) => index === Number(segment));
  const inside = given(found, { ...last, at: last.at + pointerTo(spliced?.written ?? segment) });
  // The entry of the list in the item, if that is where the items come from.
  return spliced?.item === undefined || inside.last.at !== '' ? inside : entered(inside, String(spliced.item));
}

function given(found: WrittenPlace, last: ValueIn): WrittenPlace {
  const next = found.last === found.declared ? { ...found, declared: last, last } : { ...found, last };
  const giver = sourceOf(last.origins, last.at);
  if (giver === undefined) return next;
  const { place, origins, at } = giver;
  if (place.kind === 'audience') return { ...next, audience: place.name };
  if (place.kind !== 'default' && place.kind !== 'resource' && place.kind !== 'item') return next;
  const there: ValueIn = { place, origins, at };
  if (place.kind === 'item') return given({ ...next, last: there }, there);
  return given({ ...next, declared: there, last: there }, there);
}

function diagnosticPlace(held: ValueIn, at: 'key' | 'value'): Extract<Place, { readonly pointer: Pointer }> {
  return { ...placeIn(held).origin, at };
}

/** The field of a declaration that uses a value from elsewhere. */
export function usedAt(origin: Origin, field: string, address: string | undefined, code?: Code): RelatedPlace {
  const whose = address === undefined ? '' : ` of \`${groupOf(address)}\``;
  return {
    place: placeOf(origin),
    message: `\`${field}\`${whose} ${code === 'for-each-missing' ? 'needs it' : 'uses this value'}.`,
  };
}
