// Turns documents into declared resources: applies defaults, resolves references, and records places. Every field that
// came from a default has its place. A loop becomes one resource for each of its items. Resources of other environments
// are not resolved. Validation checks the content of fields.

import { isMap } from '../model/fields/complete-conditions.ts';
import { destinationOf } from '../model/fields/delivery.ts';
import type { Destination, Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf } from '../model/fields/fields.ts';
import { addressOf, type Kind, kindOfSection, kinds, type Section, sections } from '../model/values/address.ts';
import { memoize, pushAll } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { define, isJsonObject, type Json, type JsonObject, pick } from '../model/values/json.ts';
import { pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { isHeard } from '../model/workspace/codes.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';
import { below, type Finding, type Origin, placeOf, type WithFindings } from '../model/workspace/diagnostic.ts';
import { placeOfField } from '../model/workspace/field-place.ts';
import { joinOrigins, noLists, type ValueGiver, type ValueSource } from '../model/workspace/origins.ts';
import {
  type Declared,
  environmentsIn,
  type LeftOutFilter,
  type Loop,
  noAudiences,
  type Resource,
} from '../model/workspace/resource.ts';
import { entriesOf, type RawDocument, takenFromMerges } from '../yaml/raw-document.ts';
import { namesIn } from '../yaml/references-in.ts';
import { type Elsewhere, type Here, replacedFields, whyElsewhere } from './environments.ts';
import { expandLoop, isLoop, itemPointer } from './expand/expand-loop.ts';
import { holdsReference } from './expand/interpolate.ts';
import { type FieldSources, fieldsOfInstances, type ResolvedFields, resolveFields } from './expand/resolve-fields.ts';
import type { ScopeOf } from './expand/resolve-reference.ts';
import { makeAudienceUse, useAsWritten } from './expand/use-audience.ts';
import { withReadConditions } from './join-filters.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';

interface ParsedResources extends WithFindings<readonly Resource[]> {
  /** The loops of every environment. */
  readonly loops: readonly Loop[];
  readonly elsewhere: Elsewhere;
}

interface Sources extends FieldSources {
  readonly runContext: Here;
}

/** All resources of one file: its defaults apply to all of its documents. */
export function parseResources(
  documents: readonly RawDocument[],
  workspaceDefaults: readonly DefaultsLayer[],
  scopeOf: ScopeOf,
  audiences = makeAudienceUse(noAudiences),
  runContext: Here = {},
): ParsedResources {
  const sources: Sources = { scopeOf, audiences, runContext };
  const findings: Finding[] = [];
  const resources: Resource[] = [];
  const loops: Loop[] = [];
  const elsewhere = { absent: [] as Resource[], loops: [] as Loop[], skipped: 0 };
  for (const section of sections) {
    const ofDefaults: Finding[] = [];
    const ofFile = fileLayers(documents, section, sources, (found) => pushAll(ofDefaults, found));
    const layers = [...workspaceLayers(workspaceDefaults, section), ...ofFile];
    const declarations = documents.flatMap((document) => declarationsIn(document, section, layers, runContext));
    const takers: Declaration[] = [];
    for (const declaration of declarations) {
      const { why } = declaration;
      const made = isLoop(declaration.value) ? instancesOf(declaration, sources) : resourceOf(declaration, sources);
      for (const finding of made.findings)
        if (why === undefined || isHeard(finding.code, 'here')) findings.push(finding);
      pushAll(why === undefined ? resources : elsewhere.absent, made.value.map(withReadConditions));
      if (why === undefined && made.value.length > 0) takers.push(declaration);
      if (why === 'skip') elsewhere.skipped += made.value.length;
      if (made.loop === undefined) continue;
      loops.push(made.loop);
      if (why !== undefined) elsewhere.loops.push(made.loop);
    }
    const hasOthers = declarations.some(({ why }) => why !== undefined);
    pushAll(findings, neededOf(ofDefaults, takers, hasOthers, runContext));
  }
  return { value: resources, findings, loops, elsewhere };
}

/**
 * Removes findings about defaults that only resources elsewhere use, or that a sink replaces. `takers` become resources
 * here.
 */
function neededOf(
  findings: readonly Finding[],
  takers: readonly Declaration[],
  hasOthers: boolean,
  { deliver }: Here,
): readonly Finding[] {
  if (findings.length === 0) return findings;
  if (takers.length === 0 && hasOthers) return findings.filter(({ code }) => isHeard(code, 'here'));
  const replaced = new Set(
    takers.flatMap(({ kind, value, shared }) =>
      [...replacedFields(kind, shared.destination, deliver)].filter((name) => !Object.hasOwn(value, name)),
    ),
  );
  const fieldOf = ({ place }: Finding) =>
    place !== undefined && 'pointer' in place ? pointerSegments(place.pointer)[2] : undefined;
  return findings.filter((finding) => isHeard(finding.code, 'sent') || !replaced.has(fieldOf(finding) ?? ''));
}

interface ParsedEntry extends WithFindings<readonly Resource[]> {
  readonly loop?: Loop;
}

interface Declaration extends Pick<Resource, 'kind' | 'address' | 'origin' | 'line'> {
  readonly document: RawDocument;
  readonly key: string;
  readonly value: JsonObject;
  readonly layers: readonly Layer[];
  /** Shared by all instances of a loop; empty if no environment needs it. */
  readonly shared: Pick<Loop, 'in' | 'destination'>;
  readonly why: ReturnType<typeof whyElsewhere>;
}

function declarationsIn(
  document: RawDocument,
  section: Section,
  layers: readonly Layer[],
  runContext: Here,
): readonly Declaration[] {
  const kind = kindOfSection[section];
  const declared = isJsonObject(document.value) ? document.value[section] : undefined;
  const isSomewhere = runContext.environment !== undefined || runContext.deliver !== undefined;
  return entriesOf(declared).flatMap(([key, value]): readonly Declaration[] => {
    if (!isJsonObject(value)) return [];
    const origin = below(document.origin, section, key);
    const line = document.keyLines.get(pointerTo(section, key)) ?? 1;
    const isAsked = isSomewhere || isLoop(value);
    const shared = isAsked ? sharedBy(kind, layers, value) : nothingShared;
    const why = whyElsewhere(shared, runContext);
    return [{ document, kind, key, address: addressOf(kind, key), value, layers, origin, line, shared, why }];
  });
}

const nothingShared: Declaration['shared'] = {};

function sharedBy(kind: Kind, layers: readonly Layer[], value: JsonObject): Declaration['shared'] {
  return { in: environmentsIn(literalIn(layers, value, 'in')), destination: destinationIn(value, kind, layers) };
}

function resourceOf(declaration: Declaration, sources: Sources): ParsedEntry {
  const { document, kind, address, value, layers, origin, line, why } = declaration;
  // If nothing has to be resolved or added, the written text is the resource.
  if (document.isLiteral && layers.length === 0)
    return { value: [{ kind, address, attributes: value, origin, line }], findings: nothingFound };
  if (why !== undefined) noteUses(declaration, sources);
  if (isLeftOut(declaration, sources)) return { value: [unresolved(declaration)], findings: nothingFound };
  const { value: own, findings } = document.isLiteral
    ? { value: { fields: value }, findings: nothingFound }
    : resolveFields(value, { address, ...holderOf(declaration, sources) }, sources);
  return { value: [{ kind, address, ...withDefaults(value, kind, layers)(own), origin, line }], findings };
}

const nothingFound: readonly Finding[] = [];

function holderOf({ kind, origin, value, layers, why }: Declaration, { runContext }: Sources) {
  const destination = destinationIn(value, kind, layers);
  const replaced = why === undefined ? replacedFields(kind, destination, runContext.deliver) : undefined;
  return { kind, origin, destination, replaced };
}

/** Its audiences are in use, although not here. `items` are the values that a loop's items give to its fields. */
function noteUses(
  { kind, value, layers }: Declaration,
  { audiences }: Sources,
  items?: { readonly fields: JsonObject; readonly given: readonly JsonObject[] },
): void {
  const written = { ...writtenIn(items?.fields ?? value, kind, layers), forEach: items?.given ?? [] };
  useAsWritten(written, audiences, audiences.usedElsewhere);
}

/** True if nobody needs more than the fact that it is declared. */
function isLeftOut({ why }: Declaration, { runContext }: Sources): boolean {
  return why !== undefined && runContext.everywhere !== true;
}

/** Has the fields by which entries of `moved` and `adopt`, and the names of environments, are checked. */
function unresolved({ kind, address, value, layers, origin, line }: Declaration): Resource {
  const knownFields = (fields: JsonObject): JsonObject => {
    const names = ['in', 'testNow'].filter((name) => Object.hasOwn(fields, name));
    const known = (of: Json = null) => (holdsReference(of) ? null : of);
    return Object.fromEntries(names.map((name) => [name, known(fields[name])]));
  };
  const defaults = layers.map((layer) => ({ ...layer, fields: knownFields(layer.fields) }));
  return {
    kind,
    address,
    ...withDefaults(knownFields(value), kind, defaults)({ fields: knownFields(value) }),
    origin,
    line,
  };
}

/** One resource for each item. All share the declaration, so that its own mistakes are in one place. */
function instancesOf(declaration: Declaration, sources: Sources): ParsedEntry {
  const { document, kind, key, address, value, layers, origin, line, shared, why } = declaration;
  const scope = sources.scopeOf(document.origin.file);
  const lineOf = (item: string) => document.keyLines.get(itemPointer(kinds[kind].section, key, item)) ?? line;
  const keySpan = (name: string) => document.loopKeys.get(pointerTo(kinds[kind].section, key, name));
  const expanded = expandLoop({ kind, key, value, line, address, origin, lineOf, keySpan, shared }, scope);
  const { loop, fields, instances } = expanded.value;
  if (instances.length === 0) useAsWritten(value, sources.audiences);
  else if (why !== undefined) {
    const names = [...namesIn(fields, 'each')];
    const given = instances.map(({ each }) => (each.isFinal ? {} : pick(each.values, names)));
    noteUses(declaration, sources, { fields, given });
  }
  if (isLeftOut(declaration, sources)) {
    const all = unresolved(declaration);
    const absent = instances.map(
      (of): Resource => ({ ...all, address: of.address, line: of.each.line, item: of.item }),
    );
    return { value: absent, findings: nothingFound, loop };
  }
  // If an item leaves a field out, a default may give it.
  const completeWithout = memoize((lacked: string) => withDefaults(omit(fields, lacked.split(',')), kind, layers));
  const findings = [...expanded.findings];
  const resources: Resource[] = [];
  const fieldsOf = fieldsOfInstances(fields, holderOf(declaration, sources), sources);
  for (const { address: ofInstance, item, each } of instances) {
    const own = fieldsOf(ofInstance, each);
    for (const finding of own.findings) findings.push(finding);
    const lacked = Object.keys(fields).filter((name) => !Object.hasOwn(own.value.fields, name));
    const complete = completeWithout(lacked.join())(own.value);
    if (scope.expansion?.take(complete.attributes) === false) break;
    resources.push({ kind, address: ofInstance, ...complete, origin, line: each.line, item });
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
    hint: `Remove testNow. \`${command('test', 'ADDRESS')}\` sends one delivery of one instance.`,
    address: resource.item?.loop.address ?? resource.address,
    place,
  };
}

// The defaults below the resources of a file: those of almanac.yaml, and above them its own. A value replaces the one
// below it. If a map of filters leaves some out, they are recorded, for join-filters.ts to decide.

/** The defaults of one section in one place. */
interface Layer {
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
function workspaceLayers(layers: readonly DefaultsLayer[], section: Section): readonly Layer[] {
  return layers.flatMap(({ sections: bySection, origin }) => {
    const fields = bySection[section];
    if (fields === undefined) return [];
    const at = below(origin, section);
    return [{ fields, origin: at, isWorkspace: true, give: memoize((name) => giftOf(name, at, { fields })) }];
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
function literalIn(layers: readonly Layer[], own: JsonObject, name: string): Json | undefined {
  const from = Object.hasOwn(own, name) ? own : layers.findLast(({ fields }) => Object.hasOwn(fields, name))?.fields;
  const value = from?.[name];
  return value === undefined || holdsReference(value) ? undefined : value;
}

/** The declared fields of a resource, with the defaults below it; all instances of a loop share them. */
function withDefaults(
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
function destinationIn(own: JsonObject, kind: Kind, layers: readonly Layer[]): Destination | undefined {
  return destinationOf({ kind, attributes: layers.length === 0 ? own : writtenIn(own, kind, layers) });
}

/** The written fields of a resource, its defaults included. */
function writtenIn(own: JsonObject, kind: Kind, layers: readonly Layer[]): JsonObject {
  const inherited = inheritedBy(own, kind, layers);
  return { ...Object.fromEntries(inherited.map(([name, { fields }]) => [name, fields[name] as Json])), ...own };
}
