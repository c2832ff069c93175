// The defaults that lie under the resources of a file: those of almanac.yaml, and above them its own.

import { destinationOf } from '../model/fields/delivery.ts';
import type { Destination, Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import { type Kind, kindOfSection, type Section } from '../model/values/address.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { memoize } from '../model/values/memoize.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import { below, type Finding, type Origin } from '../model/workspace/diagnostic.ts';
import { type Given, type Giver, joinOrigins, type Origins } from '../model/workspace/origins.ts';
import type { Declared, Resource } from '../model/workspace/resource.ts';
import type { RawDocument } from '../yaml/raw-document.ts';
import { holdsReference } from './expand/interpolate.ts';
import { type FieldSources, type ResolvedFields, resolveFields } from './expand/resolve-fields.ts';

/** The defaults of one section in one place. */
export interface Layer {
  readonly fields: JsonObject;
  /** What one of the fields gives to a resource with this destination, which decides what an audience in it is worth. */
  readonly give: (name: string, destination: Destination | undefined) => Gift;
}

interface Gift {
  readonly value: Declared;
  /** What a resource that takes the field over records of it. */
  readonly given: Given;
}

function giftOf(name: string, origin: Origin, { fields, origins }: ResolvedFields): Gift {
  const giver: Giver = { place: { kind: 'default', origin }, origins, at: pointerTo(name) };
  return { value: fields[name] as Declared, given: { isWhole: true, by: [giver] } };
}

/** Defaults of almanac.yaml, which is not interpolated. */
export function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): readonly Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    if (fields === undefined) return [];
    return [{ fields, give: memoize((name) => giftOf(name, below(origin, section), { fields })) }];
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
    return [{ fields, give: (name, destination) => gifts(name)(varies(name) ? destination : undefined) }];
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

const noLists: Origins['lists'] = new Map();

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
