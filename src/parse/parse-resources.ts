// Turns documents into declared resources: applies defaults, resolves references, and records the place of every field
// that came from a default. Validation checks what a field may contain.

import { fieldApplies, fieldsOf, roomForSecrets } from '../model/fields/fields.ts';
import { addressOf, type Kind, kindOfSection, type Section, sections } from '../model/values/address.ts';
import { define, isJsonObject, type JsonObject } from '../model/values/json.ts';
import { isWithin, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import type { Declared, Resource } from '../model/workspace/resource.ts';
import { type Origin, placeOf } from '../model/workspace/source-file.ts';
import { type InterpolationProblem, interpolate, type Scope } from './interpolate.ts';
import { entriesOf, type RawDocument } from './parse-source.ts';

/** A resource before validation. */
export type RawResource = Resource;

/** A layer of defaults for one section, resolved once for all its resources. */
interface Layer {
  readonly fields: Readonly<Record<string, Declared>>;
  readonly origin: Origin;
}

/** The scope of a file: paths of ${file.…} are relative to it. */
export type ScopeOf = (file: string) => Scope;

/** All resources of one file: its defaults apply to all of its documents. */
export function parseResources(
  documents: readonly RawDocument[],
  workspaceDefaults: readonly DefaultsLayer[],
  scopeOf: ScopeOf,
): WithFindings<readonly RawResource[]> {
  const findings: Finding[] = [];
  const resources: RawResource[] = [];
  for (const section of sections) {
    const ofFile = fileLayers(documents, section, scopeOf);
    const layers = [...workspaceLayers(workspaceDefaults, section), ...ofFile.value];
    findings.push(...ofFile.findings);
    for (const document of documents) {
      const declared = isJsonObject(document.value) ? document.value[section] : undefined;
      for (const [key, value] of entriesOf(declared)) {
        if (!isJsonObject(value)) continue;
        const resource = resourceOf({ document, section, key, value, layers }, scopeOf);
        resources.push(resource.value);
        findings.push(...resource.findings);
      }
    }
  }
  return { value: resources, findings };
}

/** Defaults of almanac.yaml, which is not interpolated. */
function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    return fields ? [{ fields, origin: below(origin, section) }] : [];
  });
}

function fileLayers(
  documents: readonly RawDocument[],
  section: Section,
  scopeOf: ScopeOf,
): WithFindings<readonly Layer[]> {
  const layers = documents.flatMap(({ value, origin }) => {
    const defaults = isJsonObject(value) ? value['defaults'] : undefined;
    const fields = isJsonObject(defaults) ? defaults[section] : undefined;
    if (!isJsonObject(fields)) return [];
    const place = below(origin, 'defaults', section);
    return [{ fields: resolved(fields, { kind: kindOfSection[section], origin: place }, scopeOf), origin: place }];
  });
  return {
    value: layers.map(({ fields, origin }) => ({ fields: fields.value, origin })),
    findings: layers.flatMap(({ fields }) => fields.findings),
  };
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
  scopeOf: ScopeOf,
): WithFindings<RawResource> {
  const kind = kindOfSection[section];
  const address = addressOf(kind, key);
  const origin = below(document.origin, section, key);
  const { value: own, findings } = resolved(value, { kind, origin, address }, scopeOf);
  const { attributes, inherited } =
    layers.length === 0 ? { attributes: own, inherited: undefined } : merge(own, layers, kind);
  const line = document.keyLines.get(pointerTo(section, key)) ?? 1;
  const resource = { kind, address, attributes, origin, line, ...(inherited === undefined ? {} : { inherited }) };
  return { value: resource, findings };
}

/** Adds defaults to a resource, except those that do not apply to its format or destination. */
function merge(own: Readonly<Record<string, Declared>>, layers: readonly Layer[], kind: Kind) {
  const inherited = new Map<string, Origin>();
  const attributes: Record<string, Declared> = {};
  for (const { fields, origin } of layers) {
    for (const [name, value] of Object.entries(fields)) {
      if (Object.hasOwn(own, name)) continue;
      define(attributes, name, value);
      inherited.set(name, origin);
    }
  }
  for (const [name, value] of Object.entries(own)) define(attributes, name, value);
  for (const name of inherited.keys()) {
    const field = fieldsOf[kind][name];
    if (field && !fieldApplies(field, attributes)) delete attributes[name];
  }
  return { attributes, inherited };
}

/** A map of fields with its references resolved; fields that decide which others apply must not contain references. */
function resolved(
  fields: JsonObject,
  { kind, origin, ...of }: { readonly kind: Kind; readonly origin: Origin; readonly address?: string },
  scopeOf: ScopeOf,
): WithFindings<Readonly<Record<string, Declared>>> {
  const { value, problems } = interpolate(fields, scopeOf(origin.file), (pointer) => roomForSecrets(kind, pointer));
  if (value === fields) return { value: fields, findings: [] };
  const findings: Finding[] = [];
  const attributes = { ...(value as Readonly<Record<string, Declared>>) };
  const literal = Object.keys(fieldsOf[kind]).filter((name) => fieldsOf[kind][name]?.literal);
  const interpolated = literal.filter((name) => fields[name] !== attributes[name]);
  for (const name of interpolated) {
    // The value is unknown: report nothing else about it, and treat every field as applicable.
    attributes[name] = Secret.unknown();
    findings.push({
      code: 'not-interpolated',
      ...notInterpolated(name),
      ...of,
      place: placeOf(origin, 'value', name),
    });
  }
  for (const { pointer, within, ...problem } of problems) {
    if (interpolated.some((name) => isWithin(pointer, pointerTo(name)))) continue;
    const [field = ''] = pointerSegments(pointer);
    const words = fieldsOf[kind][field]?.secret ? withoutValue(problem) : problem;
    const { file, document } = origin;
    const place = { file, document, pointer: origin.pointer + pointer, at: 'value', within } as const;
    findings.push({ ...words, ...of, place });
  }
  return { value: attributes, findings };
}

function notInterpolated(name: string): Pick<Finding, 'message' | 'hint'> {
  return name === 'in'
    ? {
        message: '`in` decides where the resource exists, so it cannot be interpolated.',
        hint: 'Write the names of the environments themselves.',
      }
    : {
        message: `\`${name}\` decides which other fields apply, so it cannot be interpolated.`,
        hint: `Write the ${name} itself.`,
      };
}

/** Never quotes a password that happens to contain `${`. */
function withoutValue(
  problem: Pick<InterpolationProblem, 'code' | 'message'>,
): Pick<Finding, 'code' | 'message' | 'hint'> {
  if (problem.code !== 'invalid-interpolation') return problem;
  return {
    code: problem.code,
    message: 'The text after a `${` in this value is not a reference.',
    hint: 'Write `$${` for a literal `${`.',
  };
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}
