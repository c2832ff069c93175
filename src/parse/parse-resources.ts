// Turns documents into declared resources: applies defaults, resolves references, and records the place of every field
// that came from a default. Validation checks what a field may contain.

import { fieldApplies, fieldsOf, roomForSecrets } from '../model/fields/fields.ts';
import { addressOf, type Kind, kindOfSection, type Section, sections } from '../model/values/address.ts';
import { define, isJsonObject, type JsonObject } from '../model/values/json.ts';
import { isWithin, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { Secret } from '../model/values/secret.ts';
import { noAudiences } from '../model/workspace/audience.ts';
import { type Composed, composedIn, composedOf } from '../model/workspace/composed.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import type { Finding, WithFindings } from '../model/workspace/diagnostic.ts';
import type { Declared, Resource } from '../model/workspace/resource.ts';
import { type Origin, placeOf } from '../model/workspace/source-file.ts';
import { type AudienceUse, withAudiences } from './expand/use-audience.ts';
import { type InterpolationProblem, interpolate, type ScopeOf } from './interpolate.ts';
import { entriesOf, type RawDocument } from './parse-source.ts';

/** A resource before validation. */
export type RawResource = Resource;

/** A layer of defaults for one section, resolved once for all its resources. */
interface Layer {
  readonly fields: Readonly<Record<string, Declared>>;
  readonly origin: Origin;
  readonly composed?: Composed;
  /** As written, if an audience is in it: what that is worth depends on the resource. */
  readonly written?: JsonObject;
}

/** All resources of one file: its defaults apply to all of its documents. */
export function parseResources(
  documents: readonly RawDocument[],
  workspaceDefaults: readonly DefaultsLayer[],
  scopeOf: ScopeOf,
  audiences: AudienceUse = { audiences: noAudiences, used: new Set() },
): WithFindings<readonly RawResource[]> {
  const sources = { scopeOf, audiences };
  const findings: Finding[] = [];
  const resources: RawResource[] = [];
  for (const section of sections) {
    const ofFile = fileLayers(documents, section, sources);
    const layers = [...workspaceLayers(workspaceDefaults, section), ...ofFile.value];
    findings.push(...ofFile.findings);
    for (const document of documents) {
      const declared = isJsonObject(document.value) ? document.value[section] : undefined;
      for (const [key, value] of entriesOf(declared)) {
        if (!isJsonObject(value)) continue;
        const resource = resourceOf({ document, section, key, value, layers }, sources);
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

/** What the references of a file are resolved with. */
interface Sources {
  readonly scopeOf: ScopeOf;
  readonly audiences: AudienceUse;
}

function fileLayers(
  documents: readonly RawDocument[],
  section: Section,
  sources: Sources,
): WithFindings<readonly Layer[]> {
  const findings: Finding[] = [];
  const layers = documents.flatMap(({ value, origin }): readonly Layer[] => {
    const defaults = isJsonObject(value) ? value['defaults'] : undefined;
    const fields = isJsonObject(defaults) ? defaults[section] : undefined;
    if (!isJsonObject(fields)) return [];
    const place = below(origin, 'defaults', section);
    if (JSON.stringify(fields).includes('${audience.')) return [{ fields, written: fields, origin: place }];
    const { value: own, ...rest } = resolved(fields, { kind: kindOfSection[section], origin: place }, sources);
    findings.push(...rest.findings);
    return [{ ...own, origin: place }];
  });
  return { value: layers, findings };
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
  sources: Sources,
): WithFindings<RawResource> {
  const kind = kindOfSection[section];
  const address = addressOf(kind, key);
  const origin = below(document.origin, section, key);
  const destinationType = literalIn([...layers.map(({ fields }) => fields), value], 'destinationType');
  const { value: own, findings } = resolved(value, { kind, origin, address, destinationType }, sources);
  const taken = layers.map((layer) => layerFor(layer, { kind, own: value, layers, destinationType }, sources));
  const merged =
    layers.length === 0
      ? own
      : merge(
          own,
          taken.map((layer) => layer.value),
          kind,
        );
  const { fields: attributes, ...rest } = merged;
  const line = document.keyLines.get(pointerTo(section, key)) ?? 1;
  return {
    value: { kind, address, attributes, origin, line, ...rest },
    findings: [...taken.flatMap((layer) => layer.findings), ...findings],
  };
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
  sources: Sources,
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
  const { value, findings } = resolved(Object.fromEntries(taken), { kind, origin, destinationType }, sources);
  return { value: { ...value, origin }, findings };
}

/** Adds defaults to a resource, except those that do not apply to its format or destination. */
function merge(
  own: ResolvedFields,
  layers: readonly Layer[],
  kind: Kind,
): ResolvedFields & Pick<RawResource, 'inherited'> {
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
  return { fields, inherited, ...(composed === undefined ? {} : { composed }) };
}

/** A map of fields with its references resolved. */
interface ResolvedFields {
  readonly fields: Readonly<Record<string, Declared>>;
  readonly composed?: Composed;
}

interface Holder {
  readonly kind: Kind;
  readonly origin: Origin;
  readonly address?: string;
  readonly destinationType?: Declared | undefined;
}

/** Fields that decide which others apply must not contain references. */
function resolved(
  fields: JsonObject,
  { kind, origin, destinationType, ...of }: Holder,
  { scopeOf, audiences }: Sources,
): WithFindings<ResolvedFields> {
  const scope = withAudiences(scopeOf(origin.file), audiences, { kind, destinationType });
  const { value, problems, ...spliced } = interpolate(fields, scope, {
    roomAt: (pointer) => roomForSecrets(kind, pointer),
    ignoresCaseAt: (pointer) => fieldsOf[kind][pointerSegments(pointer)[0] ?? '']?.set === true,
  });
  if (value === fields) return { value: { fields }, findings: [] };
  const findings: Finding[] = [];
  const attributes = { ...(value as Readonly<Record<string, Declared>>) };
  const literal = Object.keys(fieldsOf[kind]).filter((name) => fieldsOf[kind][name]?.literal);
  const interpolated = literal.filter((name) => fields[name] !== attributes[name]);
  for (const name of interpolated) {
    // The value is unknown: report nothing else about it, and treat every field as applicable.
    attributes[name] = Secret.unknown();
    findings.push({
      code: 'not-interpolated',
      message: `\`${name}\` decides which other fields apply, so it cannot be interpolated.`,
      hint: `Write the ${name} itself.`,
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
  return { value: { fields: attributes, ...spliced }, findings };
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
