// The defaults that lie under the resources of a file: those of almanac.yaml, and above them its own.

import { fieldApplies, fieldsOf } from '../../model/fields/fields.ts';
import { type Kind, kindOfSection, type Section } from '../../model/values/address.ts';
import { define, isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { isWithin, pointerTo } from '../../model/values/pointer.ts';
import { type Composed, composedIn, composedOf } from '../../model/workspace/composed/composed.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Finding, WithFindings } from '../../model/workspace/diagnostic.ts';
import type { Declared, DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { RawDocument } from '../raw-document.ts';
import { type FieldSources, type ResolvedFields, resolveFields } from './resolve-fields.ts';

/** A layer of defaults for one section, resolved once for all its resources. */
export interface Layer {
  readonly fields: Readonly<Record<string, Declared>>;
  readonly origin: Origin;
  readonly composed?: Composed;
  /** As written, if an audience is in it: what that is worth depends on the resource. */
  readonly written?: JsonObject;
}

/** Defaults of almanac.yaml, which is not interpolated. */
export function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    return fields ? [{ fields, origin: below(origin, section) }] : [];
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
    if (JSON.stringify(fields).includes('${audience.')) return [{ fields, written: fields, origin: place }];
    const { value: own, ...rest } = resolveFields(fields, { kind: kindOfSection[section], origin: place }, sources);
    findings.push(...rest.findings);
    return [{ ...own, origin: place }];
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
  return { value: { ...value, origin }, findings };
}

/** Adds defaults to a resource, except those that do not apply to its format or destination. */
function mergeLayers(
  own: ResolvedFields,
  layers: readonly Layer[],
  kind: Kind,
): ResolvedFields & Pick<Resource, 'inherited'> {
  const inherited = new Map<string, Origin>();
  const from = new Map<string, Layer>();
  for (const layer of layers) {
    for (const name of Object.keys(layer.fields)) {
      if (Object.hasOwn(own.fields, name)) continue;
      inherited.set(name, layer.origin);
      from.set(name, layer);
    }
  }
  // All that decides which fields apply. A default that does not apply decides nothing.
  const decisive: Record<string, Declared | undefined> = {
    destinationType: destinationOf(own.fields, layers),
    format: literalIn(layers, own.fields, 'format'),
  };
  const fields: Record<string, Declared> = {};
  for (const [name, layer] of from) {
    const field = fieldsOf[kind][name];
    if (field && !fieldApplies(field, decisive)) delete decisive[name];
    else define(fields, name, layer.fields[name] as Declared);
  }
  for (const name of Object.keys(own.fields)) define(fields, name, own.fields[name] as Declared);
  const { sources } = own;
  const composed = composedFrom(own, from);
  return {
    fields,
    inherited,
    ...(composed === undefined ? {} : { composed }),
    ...(sources === undefined ? {} : { sources }),
  };
}

/** Most defaults hold no audience. */
function composedFrom({ composed: own }: ResolvedFields, from: ReadonlyMap<string, Layer>): Composed | undefined {
  const parts = own === undefined ? [] : [own];
  for (const [name, { composed }] of from) {
    if (composed !== undefined) parts.push(composedIn(composed, (place) => isWithin(place, pointerTo(name))));
  }
  return parts.length === 0 ? undefined : composedOf(parts);
}

/** What a resource declares, with the defaults below it. */
export function withDefaults(
  own: JsonObject,
  kind: Kind,
  layers: readonly Layer[],
  sources: FieldSources,
): (resolved: ResolvedFields) => WithFindings<Pick<Resource, 'attributes' | 'inherited' | 'composed' | 'sources'>> {
  const { used, findings } = layersFor({ kind, own, layers, destinationType: destinationOf(own, layers) }, sources);
  return (resolved) => {
    const { fields, ...rest } = layers.length === 0 ? resolved : mergeLayers(resolved, used, kind);
    return { value: { attributes: fields, ...rest }, findings };
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
