// The defaults that lie under the resources of a file: those of almanac.yaml, and above them its own.

import { fieldApplies, fieldsOf } from '../../model/fields/fields.ts';
import { type Kind, kindOfSection, type Section } from '../../model/values/address.ts';
import { define, isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Finding, WithFindings } from '../../model/workspace/diagnostic.ts';
import { type Given, type Giver, joinOrigins, type Origins } from '../../model/workspace/origins.ts';
import type { Declared, DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { RawDocument } from '../../yaml/raw-document.ts';
import { type FieldSources, type ResolvedFields, resolveFields } from './resolve-fields.ts';

/** A layer of defaults for one section, resolved once for all its resources. */
export interface Layer {
  readonly fields: Readonly<Record<string, Declared>>;
  readonly origin: Origin;
  /** What a resource that takes a field over records of it. */
  readonly given: ReadonlyMap<string, readonly [Pointer, Given]>;
  /** As written, if an audience is in it: what that is worth depends on the resource. */
  readonly written?: JsonObject;
}

function layerAt(origin: Origin, { fields, origins }: ResolvedFields): Layer {
  const given = Object.keys(fields).map((name) => {
    const giver: Giver = { place: { kind: 'default', origin }, origins, at: pointerTo(name) };
    return [name, [giver.at, { isWhole: true, by: [giver] }]] as const;
  });
  return { fields, origin, given: new Map(given) };
}

/** Defaults of almanac.yaml, which is not interpolated. */
export function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    return fields ? [layerAt(below(origin, section), { fields })] : [];
  });
}

export function fileLayers(
  documents: readonly RawDocument[],
  section: Section,
  sources: FieldSources,
): WithFindings<readonly Layer[]> {
  const findings: Finding[] = [];
  const layers = documents.flatMap(({ value, origin }): readonly Layer[] => {
    const defaults = isJsonObject(value) ? value['defaults'] : undefined;
    const fields = isJsonObject(defaults) ? defaults[section] : undefined;
    if (!isJsonObject(fields)) return [];
    const place = below(origin, 'defaults', section);
    if (JSON.stringify(fields).includes('${audience.')) return [{ ...layerAt(place, { fields }), written: fields }];
    const { value: own, ...rest } = resolveFields(
      fields,
      { kind: kindOfSection[section], origin: place, destinationType: undefined },
      sources,
    );
    findings.push(...rest.findings);
    return [layerAt(place, own)];
  });
  return { value: layers, findings };
}

/** The value of a field that cannot be interpolated: the resource's own, or that of the last layer that has it. */
function literalIn(layers: readonly Layer[], own: DeclaredObject, name: string): Declared | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  return layers.findLast(({ fields }) => Object.hasOwn(fields, name))?.fields[name];
}

interface LayerUser {
  readonly kind: Kind;
  readonly own: JsonObject;
  readonly layers: readonly Layer[];
  readonly destinationType: Declared | undefined;
}

/** Only the defaults that the resource takes over: an audience that lacks something for the others is no mistake. */
function layerFor(
  layer: Layer,
  { kind, own, layers, destinationType }: LayerUser,
  sources: FieldSources,
): WithFindings<Layer> {
  const { written, origin } = layer;
  if (written === undefined) return { value: layer, findings: [] };
  const above = layers.slice(layers.indexOf(layer) + 1);
  const decisive = { destinationType, format: literalIn(layers, own, 'format') };
  const taken = Object.entries(written).filter(([name]) => {
    const field = fieldsOf[kind][name];
    const isHidden = Object.hasOwn(own, name) || above.some(({ fields }) => Object.hasOwn(fields, name));
    return !isHidden && (field === undefined || fieldApplies(field, decisive));
  });
  const { value, findings } = resolveFields(Object.fromEntries(taken), { kind, origin, destinationType }, sources);
  return { value: layerAt(origin, value), findings };
}

/** The defaults below a resource, except those that do not apply to its format or destination. */
function defaultsBelow(own: DeclaredObject, layers: readonly Layer[], kind: Kind): ResolvedFields {
  const from = new Map<string, Layer>();
  for (const layer of layers)
    for (const name of Object.keys(layer.fields)) if (!Object.hasOwn(own, name)) from.set(name, layer);
  // All that decides which fields apply. A default that does not apply decides nothing.
  const decisive: Record<string, Declared | undefined> = {
    destinationType: destinationOf(own, layers),
    format: literalIn(layers, own, 'format'),
  };
  for (const name of from.keys()) {
    const field = fieldsOf[kind][name];
    if (field === undefined || fieldApplies(field, decisive)) continue;
    delete decisive[name];
    from.delete(name);
  }
  const fields = Object.fromEntries([...from].map(([name, layer]) => [name, layer.fields[name] as Declared]));
  if (from.size === 0) return { fields };
  const given = new Map([...from].map(([name, layer]) => layer.given.get(name) as readonly [Pointer, Given]));
  return { fields, origins: { given, lists: noLists } };
}

const noLists: Origins['lists'] = new Map();

/** What a resource declares, with the defaults below it; for the instances of a loop, which all have the same. */
export function withDefaults(
  own: JsonObject,
  kind: Kind,
  layers: readonly Layer[],
  sources: FieldSources,
): (resolved: ResolvedFields) => WithFindings<Pick<Resource, 'attributes' | 'origins'>> {
  const { used, findings } = layersFor({ kind, own, layers, destinationType: destinationOf(own, layers) }, sources);
  let below: ReturnType<typeof defaultsBelow> | undefined;
  return ({ fields, origins }) => {
    below ??= defaultsBelow(fields, used, kind);
    if (below.origins === undefined) return { value: { attributes: fields, origins }, findings };
    const attributes: Record<string, Declared> = {};
    for (const part of [below.fields, fields])
      for (const name of Object.keys(part)) define(attributes, name, part[name] as Declared);
    return { value: { attributes, origins: joinOrigins(below.origins, origins) }, findings };
  };
}

function layersFor(user: LayerUser, sources: FieldSources) {
  const { layers } = user;
  if (layers.every(({ written }) => written === undefined)) return { used: layers, findings: [] };
  const taken = layers.map((layer) => layerFor(layer, user, sources));
  return { used: taken.map(({ value }) => value), findings: taken.flatMap((layer) => layer.findings) };
}

/** Where a resource is delivered to, which no reference can say. */
export function destinationOf(own: DeclaredObject, layers: readonly Layer[]): Declared | undefined {
  return literalIn(layers, own, 'destinationType');
}

/** The only environments of a declaration, which no reference can name; undefined where it does not say so rightly. */
export function environmentsOf(own: JsonObject, layers: readonly Layer[]): readonly string[] | undefined {
  const value = literalIn(layers, own, 'in');
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const names = (value as readonly Declared[]).flatMap((name) => (typeof name === 'string' ? name : []));
  return names.length === value.length ? names : undefined;
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}
