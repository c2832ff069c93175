// The published schema of source files, adapted to one workspace: fields with a default in its almanac.yaml are no longer
// required, and a destination or format from these defaults decides which fields apply, as if written in the file. What
// its checks lower is not marked.

import { kindOfSection, type Section, sections } from '../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject, mapAt } from '../model/values/json.ts';
import { codeList } from '../model/values/words.ts';
import type { Config, DefaultsLayer } from '../model/workspace/config.ts';

export function workspaceSchema(published: JsonObject, { defaults, checks }: SchemaSettings): JsonObject {
  const definitions = mapAt(published, 'definitions');
  const hasLoweredFilters = checks['filter-shape'] === 'warning' || checks['filter-shape'] === 'off';
  const relaxed = sections.map((section) => {
    const kind = kindOfSection[section];
    const resource = relax(mapAt(definitions, kind), givenTo(section, defaults));
    return [kind, hasLoweredFilters && kind === 'schedule' ? withAnyFilter(resource) : resource] as const;
  });
  const required = branchesOf(published).flatMap((branch) => relaxRequired(branch, defaults));
  return { ...published, allOf: required, definitions: { ...definitions, ...Object.fromEntries(relaxed) } };
}

export type SchemaSettings = Pick<Config, 'defaults' | 'checks'>;

/** Editors still complete its keys. */
function withAnyFilter(schedule: JsonObject): JsonObject {
  const properties = mapAt(schedule, 'properties');
  const filterConfig = mapAt(properties, 'filterConfig');
  const { type: _, pattern: __, ...filter } = mapAt(filterConfig, 'additionalProperties');
  return {
    ...schedule,
    properties: { ...properties, filterConfig: { ...filterConfig, additionalProperties: filter } },
  };
}

function givenTo(section: Section, defaults: readonly DefaultsLayer[]): JsonObject {
  return Object.assign({}, ...defaults.map((layer) => layer.sections[section] ?? {})) as JsonObject;
}

/** What a resource must have unless the defaults of its file have it, with the field in the `if`. */
function relaxRequired(branch: JsonObject, defaults: readonly DefaultsLayer[]): readonly JsonObject[] {
  const inSections = mapAt(branch, 'else', 'patternProperties');
  const section = sections.find((name) => Object.hasOwn(inSections, `^${name}$`));
  if (section === undefined) return [branch];
  const given = givenTo(section, defaults);
  const patterns = mapAt(inSections, `^${section}$`, 'patternProperties');
  const relaxed = Object.entries(patterns).flatMap(([pattern, resource]): readonly (readonly [string, Json])[] => {
    if (!isJsonObject(resource)) return [];
    const { if: condition, then } = resource;
    const required = without((isJsonObject(then) ? then : resource)['required'], given);
    if (required.length === 0) return [];
    if (!isJsonObject(condition) || !isJsonObject(then)) return [[pattern, resource]];
    return [[pattern, { if: metByDefault(condition, given), then: { ...then, ...leftWords(then, given) } }]];
  });
  if (relaxed.length === 0) return [];
  const patternProperties = { [`^${section}$`]: { patternProperties: Object.fromEntries(relaxed) } };
  return [{ ...branch, else: { patternProperties } }];
}

function branchesOf(schema: JsonObject): readonly JsonObject[] {
  return Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly Json[]).filter(isJsonObject) : [];
}

function relax(resource: JsonObject, given: JsonObject): JsonObject {
  const { allOf: _, ...rest } = resource;
  const allOf = branchesOf(resource).flatMap((branch) => relaxBranch(branch, given));
  return { ...rest, ...(allOf.length === 0 ? {} : { allOf }) };
}

function relaxBranch(branch: JsonObject, given: JsonObject): readonly JsonObject[] {
  const [condition, then] = [mapAt(branch, 'if'), mapAt(branch, 'then')];
  if (then['x-code'] === 'nothing-to-update') return isDeclaredBy(given) ? [] : [branch];
  return [{ ...branch, if: metByDefault(condition, given), then: withoutRequired(then, given) }];
}

/** Whether the defaults give a dashboard that declares nothing something to set. */
function isDeclaredBy(given: JsonObject): boolean {
  return ['filters', 'controls', 'filterOrder'].some((name) => Object.keys(given[name] ?? {}).length > 0);
}

/** An omitted field has its default: if that meets the condition, the field is not required. */
function metByDefault(condition: JsonObject, given: JsonObject): JsonObject {
  const properties = mapAt(condition, 'properties');
  if (!Array.isArray(condition['required'])) return condition;
  const required = (condition['required'] as readonly Json[]).filter((name) => {
    if (typeof name !== 'string' || !Object.hasOwn(given, name)) return true;
    const wanted = properties[name];
    if (wanted === undefined) return false;
    if (!isJsonObject(wanted)) return true;
    if ('const' in wanted) return wanted['const'] !== given[name];
    return !(Array.isArray(wanted['enum']) && wanted['enum'].includes(given[name] as Json));
  });
  return { ...condition, required };
}

function withoutRequired(then: JsonObject, given: JsonObject): JsonObject {
  const required = then['required'];
  return Array.isArray(required) ? { ...then, required: without(required, given) } : then;
}

/** `With destinationType email, …` with the names that the defaults do not have. */
function leftWords({ errorMessage }: JsonObject, given: JsonObject): JsonObject {
  if (typeof errorMessage !== 'string') return {};
  const names = [...errorMessage.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const left = names.filter((name) => !Object.hasOwn(given, name));
  const before = errorMessage.slice(0, errorMessage.indexOf(', ') + 2);
  return { errorMessage: `${before}${codeList(left)} ${left.length === 1 ? 'is' : 'are'} required.` };
}

function without(required: Json | undefined, given: JsonObject): readonly Json[] {
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  return names.filter((name) => typeof name !== 'string' || !Object.hasOwn(given, name));
}
