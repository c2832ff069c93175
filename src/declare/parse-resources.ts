// Turns documents into declared resources: applies defaults, resolves references, and records the place of every field
// that came from a default. A loop becomes one resource for each of its items. Validation checks what a field may contain.

import { addressOf, kindOfSection, sectionOf, sections } from '../model/values/address.ts';
import { isJsonObject, type JsonObject } from '../model/values/json.ts';
import { pushAll } from '../model/values/many.ts';
import { memoize } from '../model/values/memoize.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import { below, type Finding, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { destinationOf, environmentsIn, type Loop, noAudiences, type Resource } from '../model/workspace/resource.ts';
import { entriesOf, type RawDocument } from '../yaml/raw-document.ts';
import { expandLoop, isLoop, itemPointer } from './expand/expand-loop.ts';
import { liftFields } from './expand/lift-fields.ts';
import { type FieldSources, fieldsOfInstances, resolveFields } from './expand/resolve-fields.ts';
import type { ScopeOf } from './expand/resolve-reference.ts';
import { type AudienceUse, useAsWritten } from './expand/use-audience.ts';
import { fileLayers, type Layer, literalIn, withDefaults, workspaceLayers } from './lay-defaults.ts';

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
  const keySpan = (name: string) => document.loopKeys.get(pointerTo(sectionOf[kind], key, name));
  const expanded = expandLoop({ kind, key, value, line, address, origin, lineOf, keySpan, shared }, scope);
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
