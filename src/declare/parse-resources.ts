// Turns documents into declared resources: applies defaults, resolves references, and records the place of every field
// that came from a default. A loop becomes one resource for each of its items. Validation checks what a field may contain.

import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import { addressOf, type Kind, kindOfSection, type Section, sectionOf, sections } from '../model/values/address.ts';
import { define, isJsonObject, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { type Given, type Giver, joinOrigins, type Origins } from '../model/workspace/origins.ts';
import {
  type Declared,
  type DeclaredObject,
  environmentsIn,
  type Loop,
  noAudiences,
  type Resource,
} from '../model/workspace/resource.ts';
import { entriesOf, type RawDocument } from '../yaml/raw-document.ts';
import { type AudienceUse, useAsWritten } from './expand/audiences.ts';
import { expandLoop, isLoop, itemPointer } from './expand/expand-loop.ts';
import { type FieldSources, fieldsOfInstances, type ResolvedFields, resolveFields } from './expand/resolve-fields.ts';
import type { ScopeOf } from './expand/resolve-reference.ts';

interface ParsedResources extends WithFindings<readonly Resource[]> {
  readonly loops: readonly Loop[];
}

/** All resources of one file: its defaults apply to all of its documents. */
export function parseResources(
  documents: readonly RawDocument[],
  workspaceDefaults: readonly DefaultsLayer[],
  scopeOf: ScopeOf,
  audiences: AudienceUse = { audiences: noAudiences, used: new Set() },
): ParsedResources {
  const sources = { scopeOf, audiences };
  const findings: Finding[] = [];
  const resources: Resource[] = [];
  const loops: Loop[] = [];
  for (const section of sections) {
    const kind = kindOfSection[section];
    const ofFile = fileLayers(documents, section, sources);
    const layers = [...workspaceLayers(workspaceDefaults, section), ...ofFile.value];
    findings.push(...ofFile.findings);
    for (const document of documents) {
      const declared = isJsonObject(document.value) ? document.value[section] : undefined;
      for (const [key, value] of entriesOf(declared)) {
        if (!isJsonObject(value)) continue;
        const origin = below(document.origin, section, key);
        const line = document.keyLines.get(pointerTo(section, key)) ?? 1;
        const declaration = { document, kind, key, address: addressOf(kind, key), value, layers, origin, line };
        const made: Made = isLoop(value) ? instancesOf(declaration, sources) : resourceOf(declaration, sources);
        for (const resource of made.value) resources.push(resource);
        for (const finding of made.findings) findings.push(finding);
        if (made.loop !== undefined) loops.push(made.loop);
      }
    }
  }
  return { value: resources, findings, loops };
}

interface Made extends WithFindings<readonly Resource[]> {
  readonly loop?: Loop;
}

interface Declaration extends Pick<Resource, 'kind' | 'address' | 'origin' | 'line'> {
  readonly document: RawDocument;
  readonly key: string;
  readonly value: JsonObject;
  readonly layers: readonly Layer[];
}

function resourceOf(
  { document, kind, address, value, layers, origin, line }: Declaration,
  sources: FieldSources,
): Made {
  // Where nothing has to be resolved or added, what is written is the resource.
  if (document.isLiteral && layers.length === 0)
    return { value: [{ kind, address, attributes: value, origin, line }], findings: nothingFound };
  const destinationType = destinationOf(value, layers);
  const own = document.isLiteral
    ? { value: { fields: value }, findings: nothingFound }
    : resolveFields(value, { kind, origin, address, destinationType }, sources);
  const { value: complete, findings } = withDefaults(value, kind, layers, sources)(own.value);
  return { value: [{ kind, address, ...complete, origin, line }], findings: [...findings, ...own.findings] };
}

const nothingFound: readonly Finding[] = [];

/** One resource for each item. All share the declaration, so that its own mistakes are in one place. */
function instancesOf(
  { document, kind, key, address, value, layers, origin, line }: Declaration,
  sources: FieldSources,
): Made {
  const scope = sources.scopeOf(document.origin.file);
  const destinationType = destinationOf(value, layers);
  const lineOf = (item: string) => document.keyLines.get(itemPointer(sectionOf[kind], key, item)) ?? line;
  const environments = environmentsIn(literalIn(layers, value, 'in'));
  const expanded = expandLoop({ kind, key, value, line, address, origin, lineOf, environments }, scope);
  const { loop, fields, instances } = expanded.value;
  if (instances.length === 0) useAsWritten(value, sources.audiences);
  const withLayers = withDefaults(fields, kind, layers, sources);
  const findings = [...expanded.findings];
  const resources: Resource[] = [];
  const fieldsOf = fieldsOfInstances(fields, { kind, origin, destinationType }, sources);
  for (const { address: ofInstance, item, each } of instances) {
    const own = fieldsOf(ofInstance, each);
    const { value: complete, findings: ofDefaults } = withLayers(own.value);
    for (const finding of [...ofDefaults, ...own.findings]) findings.push(finding);
    if (scope.expansion?.take(complete.attributes) === false) break;
    const { attributes, origins } = complete;
    resources.push({ kind, address: ofInstance, attributes, origins, origin, line: each.line, item });
  }
  const problem = scope.expansion?.problem();
  if (problem !== undefined) findings.push({ ...problem, address, place: placeOf(origin, 'key') });
  const test = resources.find(({ attributes }) => attributes['testNow'] === true);
  if (test !== undefined) findings.push(noTests(test));
  return { value: resources, findings, loop };
}

function noTests(resource: Resource): Finding {
  const { place } = placeOfField(resource, pointerTo('testNow'), { at: 'key' });
  return {
    code: 'test-not-supported',
    message: 'Applying a loop with testNow would send a delivery for each of its items.',
    hint: 'Remove testNow. `almanac test ADDRESS` sends one delivery of one instance.',
    address: resource.item?.loop.address ?? resource.address,
    place,
  };
}

// The defaults that lie under the resources of a file: those of almanac.yaml, and above them its own.

/** A layer of defaults for one section, resolved once for all its resources. */
interface Layer {
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
function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    return fields ? [layerAt(below(origin, section), { fields })] : [];
  });
}

function fileLayers(
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
function withDefaults(
  own: JsonObject,
  kind: Kind,
  layers: readonly Layer[],
  sources: FieldSources,
): (resolved: ResolvedFields) => WithFindings<Pick<Resource, 'attributes' | 'origins'>> {
  const { used, findings } = layersFor({ kind, own, layers, destinationType: destinationOf(own, layers) }, sources);
  let inherited: ReturnType<typeof defaultsBelow> | undefined;
  return ({ fields, origins }) => {
    inherited ??= defaultsBelow(fields, used, kind);
    if (inherited.origins === undefined) return { value: { attributes: fields, origins }, findings };
    const attributes: Record<string, Declared> = {};
    for (const part of [inherited.fields, fields])
      for (const name of Object.keys(part)) define(attributes, name, part[name] as Declared);
    return { value: { attributes, origins: joinOrigins(inherited.origins, origins) }, findings };
  };
}

function layersFor(user: LayerUser, sources: FieldSources) {
  const { layers } = user;
  if (layers.every(({ written }) => written === undefined)) return { used: layers, findings: [] };
  const taken = layers.map((layer) => layerFor(layer, user, sources));
  return { used: taken.map(({ value }) => value), findings: taken.flatMap((layer) => layer.findings) };
}

/** Where a resource is delivered to, which no reference can say. */
function destinationOf(own: DeclaredObject, layers: readonly Layer[]): Declared | undefined {
  return literalIn(layers, own, 'destinationType');
}
