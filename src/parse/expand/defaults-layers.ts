// The defaults that lie under the resources of a file: those of almanac.yaml, and above them its own.

import { fieldApplies, fieldsOf } from '../../model/fields/fields.ts';
import { type Kind, kindOfSection, type Section } from '../../model/values/address.ts';
import { define, isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { isWithin, pointerTo } from '../../model/values/pointer.ts';
import { type Composed, composedIn, composedOf } from '../../model/workspace/composed/composed.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Finding, WithFindings } from '../../model/workspace/diagnostic.ts';
import type { Declared, Resource } from '../../model/workspace/resource.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { RawDocument } from '../parse-source.ts';
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

/** The value of a field that cannot be interpolated: the last one counts. */
function literalIn(maps: readonly Readonly<Record<string, Declared>>[], name: string): Declared | undefined {
  return maps.findLast((map) => Object.hasOwn(map, name))?.[name];
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
  const decisive = { destinationType, format: literalIn([...layers.map(({ fields }) => fields), own], 'format') };
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
  const fields: Record<string, Declared> = {};
  const from = new Map<string, Layer>();
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer.fields)) {
      if (Object.hasOwn(own.fields, name)) continue;
      define(fields, name, value);
      inherited.set(name, layer.origin);
      from.set(name, layer);
    }
  }
  for (const [name, value] of Object.entries(own.fields)) define(fields, name, value);
  for (const name of inherited.keys()) {
    const field = fieldsOf[kind][name];
    if (field && !fieldApplies(field, fields)) delete fields[name];
  }
  const ofDefaults = [...from].flatMap(([name, { composed }]) =>
    composed === undefined ? [] : [composedIn(composed, (place) => isWithin(place, pointerTo(name)))],
  );
  const composed = composedOf([...(own.composed === undefined ? [] : [own.composed]), ...ofDefaults]);
  const { sources } = own;
  return {
    fields,
    inherited,
    ...(composed === undefined ? {} : { composed }),
    ...(sources === undefined ? {} : { sources }),
  };
}

/** What a resource declares, with the defaults below it. */
export function withDefaults(
  own: JsonObject,
  kind: Kind,
  layers: readonly Layer[],
  sources: FieldSources,
): (resolved: ResolvedFields) => WithFindings<Pick<Resource, 'attributes' | 'inherited' | 'composed' | 'sources'>> {
  const user = { kind, own, layers, destinationType: destinationOf(own, layers) };
  const taken = layers.map((layer) => layerFor(layer, user, sources));
  const used = taken.map(({ value }) => value);
  const findings = taken.flatMap((layer) => layer.findings);
  return (resolved) => {
    const { fields, ...rest } = layers.length === 0 ? resolved : mergeLayers(resolved, used, kind);
    return { value: { attributes: fields, ...rest }, findings };
  };
}

/** Where a resource is delivered to, which no reference can say. */
export function destinationOf(own: JsonObject, layers: readonly Layer[]): Declared | undefined {
  return literalIn([...layers.map(({ fields }) => fields), own], 'destinationType');
}

/** The only environments of a declaration, which no reference can name; undefined where it does not say so rightly. */
export function environmentsOf(own: JsonObject, layers: readonly Layer[]): readonly string[] | undefined {
  const value = literalIn([...layers.map(({ fields }) => fields), own], 'in');
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const names = (value as readonly Declared[]).flatMap((name) => (typeof name === 'string' ? name : []));
  return names.length === value.length ? names : undefined;
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}
