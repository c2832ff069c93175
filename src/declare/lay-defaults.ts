// The defaults below the resources of a file: those of almanac.yaml, and above them its own. A value replaces the one
// below it. If a map of filters leaves some out, they are recorded, for join-filters.ts to decide.

import { isMap } from '../model/fields/complete-conditions.ts';
import { destinationOf } from '../model/fields/delivery.ts';
import type { Destination, Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import { type Kind, kindOfSection, type Section } from '../model/values/address.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { memoize } from '../model/values/memoize.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import { below, type Finding, type Origin } from '../model/workspace/diagnostic.ts';
import { joinOrigins, noLists, type ValueGiver, type ValueSource } from '../model/workspace/origins.ts';
import type { Declared, LeftOutFilter, Resource } from '../model/workspace/resource.ts';
import { type RawDocument, takenFromMerges } from '../yaml/raw-document.ts';
import { holdsReference } from './expand/interpolate.ts';
import { type FieldSources, type ResolvedFields, resolveFields } from './expand/resolve-fields.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';

/** The defaults of one section in one place. */
export interface Layer {
  readonly fields: JsonObject;
  readonly origin: Origin;
  /** True in almanac.yaml, where references are not resolved. */
  readonly isWorkspace?: boolean;
  /** The value of a field for a resource with this destination, which decides the value of an audience in it. */
  readonly give: (name: string, destination: Destination | undefined) => DefaultValue;
}

interface DefaultValue {
  readonly value: Declared;
  /** The source that a resource records if it uses the field. */
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
    // A mistake is reported even if no resource uses the default. A half that an audience lacks is reported only for
    // its users.
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

/** The declared fields of a resource, with the defaults below it; all instances of a loop share them. */
export function withDefaults(
  own: JsonObject,
  kind: Kind,
  layers: readonly Layer[],
): (resolved: ResolvedFields) => Pick<Resource, 'attributes' | 'origins' | 'leftOut'> {
  const destination = destinationIn(own, kind, layers);
  const { field = '', limitsRows = false } = kindsOfDeclaration[kind].filters ?? {};
  const ofFilters = limitsRows ? layers.filter(({ fields }) => Object.hasOwn(fields, field)) : [];
  const inherited = inheritedBy(own, kind, layers).map(
    ([name, layer]) => [name, layer.give(name, destination)] as const,
  );
  const complete = ({ fields, origins }: ResolvedFields): Pick<Resource, 'attributes' | 'origins'> => {
    if (inherited.length === 0) return { attributes: fields, origins };
    const attributes: Record<string, Declared> = {};
    for (const [name, { value }] of inherited) define(attributes, name, value);
    for (const name of Object.keys(fields)) define(attributes, name, fields[name] as Declared);
    const given = new Map(inherited.map(([name, gift]) => [pointerTo(name), gift.given]));
    return { attributes, origins: joinOrigins({ given, lists: noLists }, origins) };
  };
  return (resolved) => {
    const completed = complete(resolved);
    const isOwn = Object.hasOwn(resolved.fields, field);
    const written = isOwn ? own[field] : ofFilters.at(-1)?.fields[field];
    const fromMerges = isJsonObject(written) ? takenFromMerges.get(written) : undefined;
    const filters = completed.attributes[field] ?? {};
    if ((ofFilters.length === 0 && fromMerges === undefined) || !isMap(filters)) return completed;
    const below = filtersIn(isOwn ? ofFilters : ofFilters.slice(0, -1), field, destination);
    const isTaken = (id: string) => filters[id] === null && (below.has(id) || fromMerges?.includes(id) === true);
    const kept = Object.entries(filters).filter(([id]) => !isTaken(id));
    const leftOut = new Map([...below].filter(([id]) => !Object.hasOwn(filters, id)));
    const isWhole = kept.length === Object.keys(filters).length;
    return {
      ...completed,
      ...(isWhole ? {} : { attributes: { ...completed.attributes, [field]: Object.fromEntries(kept) } }),
      ...(leftOut.size === 0 ? {} : { leftOut }),
    };
  };
}

/** The filters of the layers, keyed by id; each layer removes those below it that it sets to null. */
function filtersIn(layers: readonly Layer[], field: string, destination: Destination | undefined) {
  const filters = new Map<string, LeftOutFilter>();
  for (const layer of layers) {
    const { value: map, given } = layer.give(field, destination);
    const [giver] = given.by;
    if (giver === undefined || !isMap(map)) continue;
    const identifier = Object.hasOwn(layer.fields, 'identifier')
      ? layer.give('identifier', destination).value
      : undefined;
    for (const [id, value] of Object.entries(map)) {
      if (value === null) filters.delete(id);
      else filters.set(id, { value, giver: { ...giver, at: giver.at + pointerTo(id) }, identifier });
    }
  }
  return filters;
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

/** The destination, if it is written: the value of a reference is not known yet. */
export function destinationIn(own: JsonObject, kind: Kind, layers: readonly Layer[]): Destination | undefined {
  return destinationOf({ kind, attributes: layers.length === 0 ? own : writtenIn(own, kind, layers) });
}

/** The written fields of a resource, its defaults included. */
export function writtenIn(own: JsonObject, kind: Kind, layers: readonly Layer[]): JsonObject {
  const inherited = inheritedBy(own, kind, layers);
  return { ...Object.fromEntries(inherited.map(([name, { fields }]) => [name, fields[name] as Json])), ...own };
}
