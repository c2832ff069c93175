// The published schema of source files, adapted to one workspace: fields with a default in its almanac.yaml are no longer
// required, and a destination or format from these defaults decides which fields apply, as if written in the file.

import { kindOfSection, sections } from '../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import type { DefaultsLayer } from '../model/workspace/config.ts';

export function workspaceSchema(published: JsonObject, defaults: readonly DefaultsLayer[]): JsonObject {
  const definitions = objectAt(published, 'definitions');
  const relaxed = sections.map((section) => {
    const given = Object.assign({}, ...defaults.map((layer) => layer.sections[section] ?? {})) as JsonObject;
    const kind = kindOfSection[section];
    return [kind, relax(objectAt(definitions, kind), given)] as const;
  });
  return { ...published, definitions: { ...definitions, ...Object.fromEntries(relaxed) } };
}

function relax(resource: JsonObject, given: JsonObject): JsonObject {
  const branches = Array.isArray(resource['allOf']) ? (resource['allOf'] as readonly Json[]) : [];
  const { allOf: _, ...rest } = resource;
  const allOf = branches.filter(isJsonObject).flatMap((branch) => relaxBranch(branch, given));
  const required = without(resource['required'], given);
  return { ...rest, required, ...(allOf.length === 0 ? {} : { allOf }) };
}

function relaxBranch(branch: JsonObject, given: JsonObject): readonly JsonObject[] {
  const [condition, then] = [objectAt(branch, 'if'), objectAt(branch, 'then')];
  if (then['x-code'] === 'nothing-to-update') return isDeclaredBy(given) ? [] : [branch];
  return [{ ...branch, if: metByDefault(condition, given), then: withoutRequired(then, given) }];
}

/** Whether the defaults give a dashboard that declares nothing something to set. */
function isDeclaredBy(given: JsonObject): boolean {
  return ['filters', 'controls', 'filterOrder'].some((name) => Object.keys(given[name] ?? {}).length > 0);
}

/** An omitted field has its default: if that meets the condition, the field is not required. */
function metByDefault(condition: JsonObject, given: JsonObject): JsonObject {
  const properties = objectAt(condition, 'properties');
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
  if (!Array.isArray(required)) return then;
  const left = without(required, given);
  const { errorMessage } = then;
  if (typeof errorMessage !== 'string' || then['x-code'] !== 'required-field') return { ...then, required: left };
  return { ...then, required: left, errorMessage: requiredWords(errorMessage, left.map(String)) };
}

/** `With destinationType email, …` with the remaining names. */
function requiredWords(words: string, names: readonly string[]): string {
  const before = words.slice(0, words.indexOf(', ') + 2);
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop() ?? '';
  return `${before}${quoted.length === 0 ? `${last} is` : `${quoted.join(', ')} and ${last} are`} required.`;
}

function without(required: Json | undefined, given: JsonObject): readonly Json[] {
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  return names.filter((name) => typeof name !== 'string' || !Object.hasOwn(given, name));
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}
