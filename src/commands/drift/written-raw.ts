// What is written at a place, and whether something else would give the value if it did not.

import { movedTo } from '../../declare/value-places.ts';
import { sectionOf } from '../../model/values/address.ts';
import type { Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import { type Held, type LocatedPlace, placeIn, type SplicedItem } from '../../model/workspace/origins.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import type { OpenDocuments } from '../../yaml/written/open-documents.ts';
import type { WrittenValue } from '../../yaml/written/written-values.ts';

/** A value as it is written, with what the record says of it. */
export interface WrittenRaw extends Pick<Held, 'origins' | 'at'> {
  /** Where an alias of it may stand. */
  readonly place: LocatedPlace;
  /** With aliases followed. */
  readonly value: WrittenValue;
  /** With references. */
  readonly raw: Json;
}

/** Undefined where nothing is written. */
export function rawIn(held: Held, { suppliersAt, valueAt }: OpenDocuments): WrittenRaw | undefined {
  const place = placeIn(held);
  const [first] = suppliersAt(place.origin);
  if (first === undefined) return undefined;
  const slot = movedTo(place, first.slot);
  const raw = valueAt(slot.origin) ?? valueAt(place.origin) ?? null;
  return { place: slot, value: first.value, raw, origins: held.origins, at: held.at };
}

/** The items that a list takes from others. */
export function splicedIn({ origins, at }: Pick<Held, 'origins' | 'at'>): readonly SplicedItem[] | undefined {
  return origins?.lists.get(at);
}

/** Whether a field would have another value if what gives it one did not. */
export function hidesAnother(
  { kind, origin }: SealedResource,
  field: string,
  defaults: readonly DefaultsLayer[],
  { documentsOf, suppliersAt }: OpenDocuments,
): boolean {
  const section = sectionOf[kind];
  const layers = [
    ...defaults.map((layer) => below(layer.origin, section)),
    ...documentsOf(origin.file).map((document) => below(document, 'defaults', section)),
  ];
  return [origin, ...layers].flatMap((holder) => suppliersAt(below(holder, field))).length > 1;
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}
