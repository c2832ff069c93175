// What a filter lets through, as far as the keys of its condition say: whether it limits anything, and in which keys two of
// them differ.

import { byCodeUnit, canonicalJson, equalJson, isJsonObject, type Json, type JsonObject } from '../values/json.ts';

/** The keys of a filter. What is no map counts as its values: what Omni makes of it is not documented. */
export function conditionOf(filter: Json): JsonObject {
  return isJsonObject(filter) ? filter : { values: filter };
}

/** None in `[]`, `[""]`, null, and where the key is missing. */
export function hasValues(values: Json | undefined): boolean {
  return [values].flat().some((each) => each !== undefined && each !== null && !/^\s*$/.test(textOf(each)));
}

/** Whether it lets every row through: it has no value, and nothing that limits without one. */
export function isUnset(filter: Json): boolean {
  const { values, left_side, right_side, filters, is_negative, kind, type } = conditionOf(filter);
  if ([values, left_side, right_side, filters].some(hasValues) || is_negative === true) return false;
  return wordOf(kind) !== 'IS_EMPTY' && wordOf(type) !== 'BOOLEAN';
}

/**
 * The keys that differ in meaning. The order of values has none, a number means the same as its text, names of kinds are
 * the same in upper and lower case, and a key that is false or empty may as well be missing.
 */
export function differingKeys(one: Json, other: Json): readonly string[] {
  const [a, b] = [conditionOf(one), conditionOf(other)];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(byCodeUnit);
  return keys.filter((key) => !equalJson(meaningOf(key, a[key]), meaningOf(key, b[key])));
}

/** Names of the service, not data. */
const words: readonly string[] = ['kind', 'type', 'ui_type', 'conjunction'];

/** What a key says; undefined for what says as much as no value. Inside of lists and maps as well, as `filters` has them. */
export function meaningOf(key: string, value: Json | undefined): Json | undefined {
  if (value === undefined || value === false || !hasValues(value)) return undefined;
  if (key === 'values') return [...new Set([value].flat().map(textOf))].sort(byCodeUnit);
  if (Array.isArray(value)) return value.map((each: Json) => meaningOf('', each) ?? null);
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([name, each]) => [name, meaningOf(name, each)] as const);
    const meant = entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined);
    return meant.length === 0 ? undefined : Object.fromEntries(meant);
  }
  const text = textOf(value);
  return text === 'false' ? undefined : words.includes(key) ? wordOf(text) : text;
}

function wordOf(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? value.toUpperCase() : value;
}

/** The same for a number and its text. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
