// What gives a field its value, as it is written: the entry of the resource, or that of a default.

import { sectionOf } from '../../model/values/address.ts';
import type { Json } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import { giverOf, type LocatedPlace, type Origins } from '../../model/workspace/origins.ts';
import { originOf, type SealedResource } from '../../model/workspace/resource.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { OpenDocuments } from '../../parse/written/open-documents.ts';
import type { WrittenValue } from '../../parse/written/written-values.ts';

/** A value as it is written. */
export interface WrittenRaw {
  /** With aliases followed. */
  readonly value: WrittenValue;
  /** With references. */
  readonly raw: Json;
}

export interface Supply extends WrittenRaw {
  /** Where an alias of it may stand. */
  readonly place: Extract<LocatedPlace, { readonly kind: 'resource' | 'anchor' | 'default' }>;
  /** What the record says of it, there. */
  readonly origins: Origins | undefined;
  readonly at: Pointer;
}

/** Undefined where neither the resource nor a default has the field. */
export function supplyOf(resource: SealedResource, field: string, documents: OpenDocuments): Supply | undefined {
  const origin = originOf(resource, field);
  const found = rawAt(origin, documents);
  if (found === undefined) return undefined;
  const { slot, ...written } = found;
  const at = pointerTo(field);
  const giver = giverOf(resource.origins, at);
  const isDefault = giver?.place.kind === 'default';
  const kind = slot.pointer !== origin.pointer ? 'anchor' : isDefault ? 'default' : 'resource';
  const recorded = isDefault ? giver : { origins: resource.origins, at };
  return { ...written, origins: recorded.origins, at: recorded.at, place: { kind, origin: slot } };
}

export interface RawAt extends WrittenRaw {
  /** The entry that holds it. */
  readonly slot: Origin;
}

/** What is written at a place; undefined where nothing is. */
export function rawAt(origin: Origin, { suppliersAt, valueAt }: OpenDocuments): RawAt | undefined {
  const [first] = suppliersAt(origin);
  if (first === undefined) return undefined;
  const slot = { ...origin, pointer: first.slot };
  return { slot, value: first.value, raw: valueAt(slot) ?? valueAt(origin) ?? null };
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
