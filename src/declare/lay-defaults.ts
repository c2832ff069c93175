// The defaults that lie under the resources of a file: those of almanac.yaml, and above them its own. And what a map of filters
// takes away from the maps below it.

import { destinationOf } from '../model/fields/delivery.ts';
import type { Destination, Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import { type Kind, kindOfSection, type Section } from '../model/values/address.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { memoize, once } from '../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import { below, type Finding, type Origin } from '../model/workspace/diagnostic.ts';
import { joinOrigins, noLists, type ValueGiver, type ValueSource } from '../model/workspace/origins.ts';
import type { Declared, DeclaredObject, DroppedFilters, Resource } from '../model/workspace/resource.ts';
import { escapeInterpolation } from '../yaml/escape-interpolation.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import { holdsReference } from './expand/interpolate.ts';
import { type FieldSources, type ResolvedFields, resolveFields } from './expand/resolve-fields.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';

/** The defaults of one section in one place. */
export interface Layer {
  readonly fields: JsonObject;
  readonly origin: Origin;
  /** In almanac.yaml, where a text stands for itself. */
  readonly isWorkspace?: boolean;
  /** What one of the fields gives to a resource with this destination, which decides what an audience in it is worth. */
  readonly give: (name: string, destination: Destination | undefined) => DefaultValue;
}

interface DefaultValue {
  readonly value: Declared;
  /** What a resource that takes the field over records of it. */
  readonly given: ValueSource;
}

function giftOf(name: string, origin: Origin, { fields, origins }: ResolvedFields): DefaultValue {
  const giver: ValueGiver = { place: { kind: 'default', origin }, origins, at: pointerTo(name) };
  return { value: fields[name] as Declared, given: { isWhole: true, by: [giver] } };
}

/** Defaults of almanac.yaml, which is not interpolated. */
export function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): readonly Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    if (fields === undefined) return [];
    const at = below(origin, section);
    return [{ fields, origin: at, isWorkspace: true, give: memoize((name) => giftOf(name, at, { fields })) }];
  });
}

export function fileLayers(
  documents: readonly RawDocument[],
  section: Section,
  sources: FieldSources,
  report: (findings: readonly Finding[]) => void,
): readonly Layer[] {
  return documents.flatMap(({ value, origin: document }): readonly Layer[] => {
    const defaults = isJsonObject(value) ? value['defaults'] : undefined;
    const fields = isJsonObject(defaults) ? defaults[section] : undefined;
    if (!isJsonObject(fields)) return [];
    const origin = below(document, 'defaults', section);
    const gifts = memoize((name: string) =>
      memoize((destination: Destination | undefined) => {
        const holder = { kind: kindOfSection[section], origin, destination };
        const resolved = resolveFields({ [name]: fields[name] ?? null }, holder, sources);
        report(resolved.findings);
        return giftOf(name, origin, resolved.value);
      }),
    );
    const varies = memoize((name) => JSON.stringify(fields[name]).includes('${audience.'));
    // A mistake is reported even where no resource takes the default over. What an audience lacks is one only for those that do.
    for (const name of Object.keys(fields)) if (!varies(name)) gifts(name)(undefined);
    return [{ fields, origin, give: (name, destination) => gifts(name)(varies(name) ? destination : undefined) }];
  });
}

/** The value of a field that cannot be interpolated: the resource's own, or that of the last layer that has it. */
export function literalIn(layers: readonly Layer[], own: JsonObject, name: string): Json | undefined {
  const from = Object.hasOwn(own, name) ? own : layers.findLast(({ fields }) => Object.hasOwn(fields, name))?.fields;
  const value = from?.[name];
  return value === undefined || holdsReference(value) ? undefined : value;
}

/** What a resource declares, with the defaults below it; for the instances of a loop, which all have the same. */
export function withDefaults(
  own: JsonObject,
  kind: Kind,
  layers: readonly Layer[],
): (resolved: ResolvedFields) => Pick<Resource, 'attributes' | 'origins'> {
  const destination = destinationIn(own, kind, layers);
  const inherited = inheritedBy(own, kind, layers).map(
    ([name, layer]) => [name, layer.give(name, destination)] as const,
  );
  return ({ fields, origins }) => {
    if (inherited.length === 0) return { attributes: fields, origins };
    const attributes: Record<string, Declared> = {};
    for (const [name, { value }] of inherited) define(attributes, name, value);
    for (const name of Object.keys(fields)) define(attributes, name, fields[name] as Declared);
    const given = new Map(inherited.map(([name, gift]) => [pointerTo(name), gift.given]));
    return { attributes, origins: joinOrigins({ given, lists: noLists }, origins) };
  };
}

/** The defaults below a resource, except those that do not apply to its format or destination. */
function inheritedBy(own: JsonObject, kind: Kind, layers: readonly Layer[]): readonly (readonly [string, Layer])[] {
  const from = new Map<string, Layer>();
  for (const layer of layers)
    for (const name of Object.keys(layer.fields)) if (!Object.hasOwn(own, name)) from.set(name, layer);
  const destinationType = literalIn(layers, own, 'destinationType');
  const decisive = { destinationType, format: literalIn(layers, own, 'format') };
  const applies = (field: Field | undefined) => field === undefined || fieldApplies(field, decisive);
  return [...from].filter(([name]) => applies(fieldsOf[kind][name]));
}

/** Where it delivers, as far as that is written: what a reference stands for is not known yet. */
export function destinationIn(own: JsonObject, kind: Kind, layers: readonly Layer[]): Destination | undefined {
  return destinationOf({ kind, attributes: layers.length === 0 ? own : writtenIn(own, kind, layers) });
}

/** What is written of a resource, its defaults included. */
export function writtenIn(own: JsonObject, kind: Kind, layers: readonly Layer[]): JsonObject {
  const inherited = inheritedBy(own, kind, layers);
  return { ...Object.fromEntries(inherited.map(([name, { fields }]) => [name, fields[name] as Json])), ...own };
}

/** What is written of filters in one place. */
interface FilterMap {
  readonly filters: JsonObject;
  readonly origin: Origin | undefined;
}

/** What a declaration makes of the filters that defaults and merged maps give. */
export interface ReplacedFilters {
  readonly field: string;
  /** The ids that its map drops on purpose, with null. */
  readonly unset: readonly string[];
  readonly dropped: DroppedFilters | undefined;
}

/** Undefined where its map replaces none. */
export function replacedFilters(
  own: JsonObject,
  kind: Kind,
  { merged, pointersOf }: MergedMaps,
  layers: readonly Layer[],
  origin: Origin,
): ReplacedFilters | undefined {
  const { field = '', limitsRows = false } = kindsOfDeclaration[kind].filters ?? {};
  if (!limitsRows || (merged === undefined && !layers.some(({ fields }) => Object.hasOwn(fields, field))))
    return undefined;
  const maps: FilterMap[] = [];
  const add = (filters: Json | undefined, at: () => Origin | undefined, isText = false) => {
    if (isJsonObject(filters) && maps.at(-1)?.filters !== filters)
      maps.push({ filters: isText ? (escapeInterpolation(filters) as JsonObject) : filters, origin: at() });
  };
  const addMerged = (into: JsonObject) => {
    for (const source of [...(merged?.get(into) ?? [])].reverse()) {
      addMerged(source);
      const filters = source[field];
      add(filters, () => (isJsonObject(filters) ? pointersOf(filters) : undefined));
    }
  };
  for (const layer of layers) {
    addMerged(layer.fields);
    add(layer.fields[field], () => below(layer.origin, field), layer.isWorkspace);
  }
  addMerged(own);
  add(own[field], () => below(origin, field));
  const counting = maps.pop();
  // What a reference gives instead is not known here.
  if (counting === undefined || maps.length === 0 || holdsOther(own, layers, field)) return undefined;
  const given = new Map<string, { readonly value: Json; readonly origin: Origin | undefined }>();
  for (const { filters, origin: at } of maps)
    for (const [id, value] of Object.entries(filters)) {
      if (value === null) given.delete(id);
      else given.set(id, { value, origin: at && below(at, id) });
    }
  const { filters } = counting;
  const lost = [...given].filter(([id]) => !Object.hasOwn(filters, id));
  const unset = [...given.keys()].filter((id) => filters[id] === null);
  if (lost.length === 0 && unset.length === 0) return undefined;
  const whole = { ...Object.fromEntries(lost.map(([id, { value }]) => [id, value])), ...filters };
  const dropped = { lost: new Map(lost.map(([id, { origin: at }]) => [id, at])), whole };
  return { field, unset, dropped: lost.length === 0 ? undefined : dropped };
}

function holdsOther(own: JsonObject, layers: readonly Layer[], field: string): boolean {
  const from = Object.hasOwn(own, field) ? own : layers.findLast(({ fields }) => Object.hasOwn(fields, field))?.fields;
  return !isJsonObject(from?.[field]);
}

export interface MergedMaps {
  readonly merged: RawDocument['merged'];
  /** Where a map is written; undefined for one that stands in a merge alone. */
  readonly pointersOf: (map: JsonObject) => Origin | undefined;
}

/** The places of the maps of a document, which are worked out when one is asked for: almost no document merges any. */
export function mergedMapsOf({ merged, value, origin }: RawDocument): MergedMaps {
  const places = once(() => {
    const found = new Map<Json, Pointer>();
    const visit = (part: Json, at: Pointer): void => {
      if (typeof part !== 'object' || part === null || found.has(part)) return;
      found.set(part, at);
      for (const [key, each] of Object.entries(part)) visit(each, at + pointerTo(key));
    };
    visit(value, '');
    return found;
  });
  return {
    merged,
    pointersOf: (map) => {
      const pointer = places().get(map);
      return pointer === undefined ? undefined : { ...origin, pointer };
    },
  };
}

/** A resource as its declaration replaces filters. */
export function withReplacedFilters(resource: Resource, { field, unset, dropped }: ReplacedFilters): Resource {
  const filters = resource.attributes[field] as DeclaredObject;
  const set = Object.fromEntries(Object.entries(filters).filter(([id]) => !unset.includes(id)));
  const attributes = unset.length === 0 ? resource.attributes : { ...resource.attributes, [field]: set };
  return { ...resource, attributes, ...(dropped && { dropped }) };
}
