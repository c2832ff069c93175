// Turns documents into declared resources: applies defaults, resolves references, and records the place of every field
// that came from a default. A loop becomes one resource for each of its items. Validation checks what a field may contain.

import type { Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import { addressOf, type Kind, kindOfSection, type Section, sectionOf, sections } from '../model/values/address.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { pushAll } from '../model/values/many.ts';
import { memoize } from '../model/values/memoize.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { type Given, type Giver, joinOrigins, type Origins } from '../model/workspace/origins.ts';
import {
  type Declared,
  destinationOf,
  environmentsIn,
  type Loop,
  noAudiences,
  type Resource,
} from '../model/workspace/resource.ts';
import { entriesOf, type RawDocument } from '../yaml/raw-document.ts';
import { type AudienceUse, useAsWritten } from './expand/audiences.ts';
import { expandLoop, isLoop, itemPointer } from './expand/expand-loop.ts';
import { holdsReference } from './expand/interpolate.ts';
import { liftFields } from './expand/lift-fields.ts';
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
    const ofFile = fileLayers(documents, section, sources, (found) => pushAll(findings, found));
    const layers = [...workspaceLayers(workspaceDefaults, section), ...ofFile];
    for (const document of documents) {
      const declared = isJsonObject(document.value) ? document.value[section] : undefined;
      for (const [key, value] of entriesOf(declared)) {
        if (!isJsonObject(value)) continue;
        const origin = below(document.origin, section, key);
        const line = document.keyLines.get(pointerTo(section, key)) ?? 1;
        const declaration = { document, kind, key, address: addressOf(kind, key), value, layers, origin, line };
        const made: Made = isLoop(value) ? instancesOf(declaration, sources) : resourceOf(declaration, sources);
        for (const finding of made.findings) findings.push(finding);
        for (const resource of made.value) {
          const lifted = liftFields(resource);
          resources.push(lifted.value);
          for (const finding of lifted.findings) findings.push(finding);
        }
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
  const destinationType = literalIn(layers, value, 'destinationType');
  const { value: own, findings } = document.isLiteral
    ? { value: { fields: value }, findings: nothingFound }
    : resolveFields(value, { kind, origin, address, destinationType }, sources);
  return { value: [{ kind, address, ...withDefaults(value, kind, layers)(own), origin, line }], findings };
}

const nothingFound: readonly Finding[] = [];

/** One resource for each item. All share the declaration, so that its own mistakes are in one place. */
function instancesOf(
  { document, kind, key, address, value, layers, origin, line }: Declaration,
  sources: FieldSources,
): Made {
  const scope = sources.scopeOf(document.origin.file);
  const destinationType = literalIn(layers, value, 'destinationType');
  const lineOf = (item: string) => document.keyLines.get(itemPointer(sectionOf[kind], key, item)) ?? line;
  const webhookUrl = literalIn(layers, value, 'webhookUrl');
  const shared = {
    in: environmentsIn(literalIn(layers, value, 'in')),
    destination: destinationOf({ kind, attributes: { destinationType, webhookUrl } }),
  };
  const expanded = expandLoop({ kind, key, value, line, address, origin, lineOf, shared }, scope);
  const { loop, fields, instances } = expanded.value;
  if (instances.length === 0) useAsWritten(value, sources.audiences);
  // Where an item leaves a field out, a default may give it.
  const completeWithout = memoize((lacked: string) => withDefaults(omit(fields, lacked.split(',')), kind, layers));
  const findings = [...expanded.findings];
  const resources: Resource[] = [];
  const fieldsOf = fieldsOfInstances(fields, { kind, origin, destinationType }, sources);
  for (const { address: ofInstance, item, each } of instances) {
    const own = fieldsOf(ofInstance, each);
    for (const finding of own.findings) findings.push(finding);
    const lacked = Object.keys(fields).filter((name) => !Object.hasOwn(own.value.fields, name));
    const { attributes, origins } = completeWithout(lacked.join())(own.value);
    if (scope.expansion?.take(attributes) === false) break;
    resources.push({ kind, address: ofInstance, attributes, origins, origin, line: each.line, item });
  }
  const problem = scope.expansion?.problem();
  if (problem !== undefined) findings.push({ ...problem, address, place: placeOf(origin, 'key') });
  const test = resources.find(({ attributes }) => attributes['testNow'] === true);
  if (test !== undefined) findings.push(noTests(test));
  return { value: resources, findings, loop };
}

function omit(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
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

/** The defaults of one section in one place. */
interface Layer {
  readonly fields: JsonObject;
  /** What one of the fields gives to a resource with this destination, which decides what an audience in it is worth. */
  readonly give: (name: string, destinationType: Json | undefined) => Gift;
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
function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): readonly Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    if (fields === undefined) return [];
    return [{ fields, give: memoize((name) => giftOf(name, below(origin, section), { fields })) }];
  });
}

function fileLayers(
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
      memoize((destinationType: Json | undefined) => {
        const holder = { kind: kindOfSection[section], origin, destinationType };
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
function literalIn(layers: readonly Layer[], own: JsonObject, name: string): Json | undefined {
  const holder = [own, ...layers.map(({ fields }) => fields).reverse()].find((fields) => Object.hasOwn(fields, name));
  const value = holder?.[name];
  return value === undefined || holdsReference(value) ? undefined : value;
}

/** What a resource declares, with the defaults below it; for the instances of a loop, which all have the same. */
function withDefaults(
  own: JsonObject,
  kind: Kind,
  layers: readonly Layer[],
): (resolved: ResolvedFields) => Pick<Resource, 'attributes' | 'origins'> {
  const inherited = inheritedBy(own, kind, layers);
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
function inheritedBy(own: JsonObject, kind: Kind, layers: readonly Layer[]): readonly (readonly [string, Gift])[] {
  const from = new Map<string, Layer>();
  for (const layer of layers)
    for (const name of Object.keys(layer.fields)) if (!Object.hasOwn(own, name)) from.set(name, layer);
  const destinationType = literalIn(layers, own, 'destinationType');
  const decisive = { destinationType, format: literalIn(layers, own, 'format') };
  const applies = (field: Field | undefined) => field === undefined || fieldApplies(field, decisive);
  return [...from]
    .filter(([name]) => applies(fieldsOf[kind][name]))
    .map(([name, layer]) => [name, layer.give(name, destinationType)]);
}
