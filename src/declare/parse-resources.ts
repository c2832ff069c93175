// Turns documents into declared resources: applies defaults, resolves references, and records the place of every field
// that came from a default. A loop becomes one resource for each of its items. Validation checks what a field may contain.

import { addressOf, kindOfSection, type Section, sections } from '../model/values/address.ts';
import { isJsonObject, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { noAudiences } from '../model/workspace/composed/audience.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import type { Loop, Resource } from '../model/workspace/resource.ts';
import { type Origin, placeOf } from '../model/workspace/source-file.ts';
import { entriesOf, type RawDocument } from '../yaml/raw-document.ts';
import {
  destinationOf,
  environmentsOf,
  fileLayers,
  type Layer,
  withDefaults,
  workspaceLayers,
} from './expand/defaults-layers.ts';
import { expandLoop, itemPointer } from './expand/expand-loop.ts';
import { isLoop } from './expand/read-items.ts';
import { type FieldSources, fieldsOfInstances, resolveFields } from './expand/resolve-fields.ts';
import type { ScopeOf } from './expand/resolve-reference.ts';
import { type AudienceUse, useAsWritten } from './expand/use-audience.ts';

/** A resource before validation. */
export type RawResource = Resource;

export interface ParsedResources extends WithFindings<readonly RawResource[]> {
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
  const resources: RawResource[] = [];
  const loops: Loop[] = [];
  for (const section of sections) {
    const ofFile = fileLayers(documents, section, sources);
    const layers = [...workspaceLayers(workspaceDefaults, section), ...ofFile.value];
    findings.push(...ofFile.findings);
    for (const document of documents) {
      const declared = isJsonObject(document.value) ? document.value[section] : undefined;
      for (const [key, value] of entriesOf(declared)) {
        if (!isJsonObject(value)) continue;
        const declaration = { document, section, key, value, layers };
        if (isLoop(value)) {
          const instances = instancesOf(declaration, sources);
          for (const resource of instances.value) resources.push(resource);
          for (const finding of instances.findings) findings.push(finding);
          loops.push(instances.loop);
          continue;
        }
        const resource = resourceOf(declaration, sources);
        resources.push(resource.value);
        for (const finding of resource.findings) findings.push(finding);
      }
    }
  }
  return { value: resources, findings, loops };
}

interface Declaration {
  readonly document: RawDocument;
  readonly section: Section;
  readonly key: string;
  readonly value: JsonObject;
  readonly layers: readonly Layer[];
}

function resourceOf(
  { document, section, key, value, layers }: Declaration,
  sources: FieldSources,
): WithFindings<RawResource> {
  const kind = kindOfSection[section];
  const address = addressOf(kind, key);
  const pointer = pointerTo(section, key);
  const origin = below(document.origin, pointer);
  const line = document.keyLines.get(pointer) ?? 1;
  // Where nothing has to be resolved or added, what is written is the resource.
  if (document.isLiteral && layers.length === 0)
    return { value: { kind, address, attributes: value, origin, line }, findings: nothingFound };
  const destinationType = destinationOf(value, layers);
  const own = document.isLiteral
    ? { value: { fields: value }, findings: nothingFound }
    : resolveFields(value, { kind, origin, address, destinationType }, sources);
  const { value: complete, findings } = withDefaults(value, kind, layers, sources)(own.value);
  return { value: { kind, address, ...complete, origin, line }, findings: [...findings, ...own.findings] };
}

const nothingFound: readonly Finding[] = [];

/** One resource for each item. All share the declaration, so that its own mistakes are in one place. */
function instancesOf(
  { document, section, key, value, layers }: Declaration,
  sources: FieldSources,
): WithFindings<readonly RawResource[]> & { readonly loop: Loop } {
  const scope = sources.scopeOf(document.origin.file);
  const destinationType = destinationOf(value, layers);
  const kind = kindOfSection[section];
  const pointer = pointerTo(section, key);
  const origin = below(document.origin, pointer);
  const line = document.keyLines.get(pointer) ?? 1;
  const lineOf = (item: string) => document.keyLines.get(itemPointer(section, key, item)) ?? line;
  const environments = environmentsOf(value, layers);
  const address = addressOf(kind, key);
  const expanded = expandLoop({ kind, key, value, line, address, origin, lineOf, environments }, scope);
  const { loop, fields, instances } = expanded.value;
  if (instances.length === 0) useAsWritten(value, sources.audiences);
  const withLayers = withDefaults(fields, kind, layers, sources);
  const findings = [...expanded.findings];
  const resources: RawResource[] = [];
  const fieldsOf = fieldsOfInstances(fields, { kind, origin, destinationType }, sources);
  for (const { address: ofInstance, item, each, line: ofItem } of instances) {
    const own = fieldsOf(ofInstance, each);
    const { value: complete, findings: ofDefaults } = withLayers(own.value);
    for (const finding of [...ofDefaults, ...own.findings]) findings.push(finding);
    if (scope.expansion?.take(complete.attributes) === false) break;
    const { attributes, origins } = complete;
    resources.push({ kind, address: ofInstance, attributes, origins, origin, line: ofItem, item });
  }
  const problem = scope.expansion?.problem();
  if (problem !== undefined) findings.push({ ...problem, address, place: placeOf(origin, 'key') });
  const test = resources.find(({ attributes }) => attributes['testNow'] === true);
  if (test !== undefined) findings.push(noTests(test));
  return { value: resources, findings, loop };
}

function noTests(resource: RawResource): Finding {
  const { place } = placeOfField(resource, pointerTo('testNow'), { at: 'key' });
  return {
    code: 'test-not-supported',
    message: 'Applying a loop with testNow would send a delivery for each of its items.',
    hint: 'Remove testNow. `almanac test ADDRESS` sends one delivery of one instance.',
    address: resource.item?.loop.address ?? resource.address,
    place,
  };
}

function below({ file, document, pointer }: Origin, inside: Pointer): Origin {
  return { file, document, pointer: pointer + inside };
}
