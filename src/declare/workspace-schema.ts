// The published schemas of what people write, adapted to one workspace. In source files, fields with a default in its
// almanac.yaml are no longer required, and a destination or format from these defaults decides which fields apply, as if
// written in the file. What its checks lower is not marked, and the environments that `in` may name are those that it
// declares. The schema of almanac.yaml takes its defaults from that of source files, beside it.

import { notInterpolatedWords } from '../model/fields/config-fields.ts';
import { withoutReferences } from '../model/fields/patterns.ts';
import { kindOfSection, type Section, sections } from '../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject, mapAt } from '../model/values/json.ts';
import type { Config } from '../model/workspace/config.ts';
import { environmentHint } from './findings/suggest.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';

function workspaceSchema(published: JsonObject, { defaults, checks, environments }: SchemaSettings): JsonObject {
  const definitions = mapAt(published, 'definitions');
  const given = (section: Section) =>
    Object.assign({}, ...defaults.map((layer) => layer.sections[section] ?? {})) as JsonObject;
  const hasLoweredFilters = checks['filter-shape'] === 'warning' || checks['filter-shape'] === 'off';
  const kinds = sections.map((section) => {
    const kind = kindOfSection[section];
    const resource = relaxed(mapAt(definitions, kind), given(section));
    const { filters } = kindsOfDeclaration[kind];
    const mayBeAny = hasLoweredFilters && filters !== undefined && !filters.isStrict;
    const known = namingEnvironments(resource, environments);
    return [kind, mayBeAny ? withAnyFilter(known, filters.field) : known] as const;
  });
  // The required fields of a resource unless the defaults of its file have them, with the field in the `if`.
  const required = ((published['allOf'] ?? []) as readonly Json[]).filter(isJsonObject).map((branch) => {
    const section = sections.find((name) =>
      Object.hasOwn(mapAt(branch, 'if', 'properties', 'defaults', 'properties'), name),
    );
    return section === undefined ? branch : relaxed(branch, given(section));
  });
  const properties = mapAt(published, 'properties');
  const ofFiles = mapAt(properties, 'defaults');
  const inDefaults = Object.entries(mapAt(ofFiles, 'properties')).map(
    ([section, fields]) => [section, namingEnvironments(mapAt(fields), environments)] as const,
  );
  return {
    ...published,
    properties: { ...properties, defaults: { ...ofFiles, properties: Object.fromEntries(inDefaults) } },
    allOf: required,
    definitions: { ...definitions, ...Object.fromEntries(kinds) },
  };
}

/** The schemas that the files of a workspace name, each made from the published one. */
export const schemasOfWorkspace = { resources: workspaceSchema, almanac: besideResources } as const;

/** The same schema of almanac.yaml, whose `defaults` point into the file beside it. They are the same fields, without references. */
function besideResources(published: JsonObject): JsonObject {
  const definitions = mapAt(published, 'definitions');
  const uninterpolated = { $ref: '#/definitions/uninterpolated' };
  const ofSections = sections.map((section) => [
    section,
    { $ref: `resources.schema.json#/properties/defaults/properties/${section}` },
  ]);
  const defaults = {
    ...mapAt(definitions, 'defaults'),
    properties: Object.fromEntries(ofSections),
    allOf: [uninterpolated],
  };
  const text = { pattern: withoutReferences, patternErrorMessage: notInterpolatedWords };
  return {
    ...published,
    definitions: {
      ...definitions,
      defaults,
      uninterpolated: { ...text, additionalProperties: uninterpolated, items: uninterpolated },
    },
  };
}

export type SchemaSettings = Pick<Config, 'defaults' | 'checks' | 'environments'>;

/** The names that `in` takes are those of almanac.yaml. */
function namingEnvironments(resource: JsonObject, names: readonly string[]): JsonObject {
  const properties = mapAt(resource, 'properties');
  const errorMessage = `There is no such environment in almanac.yaml. ${environmentHint('', names)}`;
  const items: JsonObject = names.length === 0 ? { pattern: '(?!)', errorMessage } : { enum: names, errorMessage };
  return { ...resource, properties: { ...properties, in: { ...mapAt(properties, 'in'), items } } };
}

/** Editors still complete its keys. */
function withAnyFilter(resource: JsonObject, field: string): JsonObject {
  const properties = mapAt(resource, 'properties');
  const filters = mapAt(properties, field);
  const { type: _, pattern: __, if: ___, else: ____, ...filter } = mapAt(filters, 'additionalProperties');
  return {
    ...resource,
    properties: { ...properties, [field]: { ...filters, additionalProperties: filter } },
  };
}

/** Fields from the defaults are no longer required, and a condition reads them as if they were in the file. */
function relaxed(schema: JsonObject, given: JsonObject): JsonObject {
  if (schema['x-code'] === 'nothing-to-update') return isDeclaredBy(given) ? { required: [] } : schema;
  const entries = Object.entries(withDependenciesMet(schema, given)).map(([name, value]): readonly [string, Json] => {
    if (name === 'if' && isJsonObject(value)) return [name, metByDefault(value, given)];
    if (name === 'required' && Array.isArray(value)) return [name, without(value, given)];
    if (name === 'patternProperties' && isJsonObject(value)) {
      const relaxedPatterns = Object.entries(value).map(
        ([pattern, each]) => [pattern, relaxedOrNot(each, given)] as const,
      );
      return [name, Object.fromEntries(relaxedPatterns.filter(([, each]) => !requiresNothing(each)))];
    }
    if (Array.isArray(value)) {
      const each = value.map((one: Json) => relaxedOrNot(one, given));
      if (name !== 'allOf') return [name, each];
      const requiring = each.filter((one) => !requiresNothing(one));
      // JSON Schema takes no empty list.
      return [name, requiring.length === 0 ? [{ required: [] }] : requiring];
    }
    return [name, relaxedOrNot(value, given)];
  });
  // An empty list of schemas is not valid.
  return Object.fromEntries(entries.filter(([name, value]) => name !== 'allOf' || Object.keys(value ?? {}).length > 0));
}

/** A rule is applied where its field is, and a field with a default is everywhere. */
function withDependenciesMet(schema: JsonObject, given: JsonObject): JsonObject {
  const rules = Object.entries(mapAt(schema, 'dependencies'));
  const met = rules.filter(([name]) => Object.hasOwn(given, name)).map(([, rule]) => rule);
  if (met.length === 0) return schema;
  const dependencies = Object.fromEntries(rules.filter(([name]) => !Object.hasOwn(given, name)));
  return { ...schema, dependencies, allOf: [...((schema['allOf'] ?? []) as readonly Json[]), ...met] };
}

function relaxedOrNot(value: Json, given: JsonObject): Json {
  return isJsonObject(value) ? relaxed(value, given) : value;
}

/** True if all its requirements are met, so that it has no effect. */
function requiresNothing(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  if ('then' in schema || 'else' in schema) {
    return [schema['then'], schema['else']].every((outcome) => outcome === undefined || requiresNothing(outcome));
  }
  const { required, patternProperties, additionalProperties, errorMessage: _, 'x-code': __, ...others } = schema;
  if (Object.keys(others).length > 0) return false;
  if (isJsonObject(additionalProperties)) return requiresNothing(additionalProperties);
  return isJsonObject(patternProperties)
    ? Object.values(patternProperties).every(requiresNothing)
    : Array.isArray(required) && required.length === 0;
}

/** True if the defaults give a dashboard without declarations something to set. */
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

function without(required: readonly Json[], given: JsonObject): readonly Json[] {
  return required.filter((name) => typeof name !== 'string' || !Object.hasOwn(given, name));
}
