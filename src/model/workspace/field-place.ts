// The place of a resource and of its fields: in the declaration, in the default that provided a value, or in the item of a
// loop that the value comes from. A mistake is reported where it has to be corrected.

import { groupOf } from '../values/address.ts';
import { type Pointer, pointerSegments, pointerTo } from '../values/pointer.ts';
import type { Code } from './codes.ts';
import type { Place, RelatedPlace, Span } from './diagnostic.ts';
import { sourceAt } from './item-source.ts';
import { originOf, type Resource } from './resource.ts';
import { type Origin, placeOf } from './source-file.ts';

type Placed = Pick<Resource, 'address' | 'origin' | 'inherited' | 'item' | 'sources'>;

/** The key of the declaration; of an instance of a loop its item, where git knows who added it. */
export function placeOfResource({ origin, item }: Pick<Resource, 'origin' | 'item'>): Place {
  return placeOf(item?.origin ?? origin, 'key');
}

/** The file in which `line` is. */
export function fileOf({ origin, item }: Pick<Resource, 'origin' | 'item'>): string {
  return (item?.origin ?? origin).file;
}

export interface FieldPlace {
  readonly place: Place;
  readonly related?: readonly RelatedPlace[];
  readonly isPart?: true;
  /** The value stands in a default. */
  readonly isInherited: boolean;
}

/** `at` says whether the value or its key is meant; the key of a field stands in the declaration, whatever its value. */
export function placeOfField(
  resource: Placed,
  pointer: Pointer,
  { at = 'value', within }: { readonly at?: 'key' | 'value' | undefined; readonly within?: Span | undefined } = {},
): FieldPlace {
  const [field, ...rest] = pointerSegments(pointer);
  const origin = field === undefined ? resource.origin : originOf(resource, field);
  const isInherited = field !== undefined && resource.inherited?.has(field) === true;
  const narrowed = within === undefined ? {} : { within };
  const here = { ...origin, pointer: origin.pointer + pointerTo(...rest), at, ...narrowed };
  const found = isInherited ? undefined : sourceAt(resource.sources, pointer);
  const { item } = resource;
  if (found === undefined || item === undefined || field === undefined) return { place: here, isInherited };
  const { source, below } = found;
  if (at === 'key' && below.length === 0) return { place: here, isInherited };
  const isValue = source.isWhole && source.at === 'value';
  const place = {
    ...source.origin,
    pointer: source.origin.pointer + pointerTo(...below),
    at: isValue ? at : source.at,
    ...(isValue ? narrowed : {}),
  };
  const user = { ...resource.origin, pointer: resource.origin.pointer + found.pointer };
  const part = source.isWhole ? {} : { isPart: true as const };
  return { place, related: [usedAt(user, field, resource.address)], isInherited, ...part };
}

/** The field of a declaration that uses a value from elsewhere. */
export function usedAt(origin: Origin, field: string, address: string | undefined, code?: Code): RelatedPlace {
  const whose = address === undefined ? '' : ` of \`${groupOf(address)}\``;
  return {
    place: placeOf(origin),
    message: `\`${field}\`${whose} ${code === 'for-each-missing' ? 'needs it' : 'uses this value'}.`,
  };
}
