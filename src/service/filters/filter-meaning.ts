// What a value of a filter means: values are a set, a number is its text, names of kinds have no case, and null, false and
// an empty list say as much as no value. Of maps inside, such as the conditions of `filters`, only shared keys count.

import { deliveryFilter } from '../../model/fields/shapes.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';

/** The keys that people write; the others say how the dashboard shows the filter. */
export function isWritten(key: string): boolean {
  return Object.hasOwn(deliveryFilter.fields, key);
}

export function writtenKeys(entry: JsonObject): readonly string[] {
  return Object.keys(entry).filter(isWritten);
}

/** Whether what was found means what is ours, in the keys that ours has. */
export function isAs(key: string, ours: Json | undefined, found: Json | undefined): boolean {
  return equalJson(meaning(key, ours), meaning(key, within(ours, found)));
}

/** In the keys that both have. */
export function isSame(key: string, a: Json | undefined, b: Json | undefined): boolean {
  return equalJson(meaning(key, within(b, a)), meaning(key, within(a, b)));
}

/** In the keys that people write. */
export function areAlike(a: JsonObject, b: JsonObject): boolean {
  return [...new Set([...writtenKeys(a), ...writtenKeys(b)])].every((key) =>
    equalJson(meaning(key, a[key]), meaning(key, b[key])),
  );
}

/** Names of the service, not data. */
const names: ReadonlySet<string> = new Set(['kind', 'type', 'ui_type', 'conjunction']);

/** Of maps inside of the value, the keys that the other has. */
function within(other: Json | undefined, value: Json | undefined): Json | undefined {
  if (Array.isArray(other) && Array.isArray(value) && other.length === value.length)
    return value.map((each: Json, index) => within(other[index], each) ?? null);
  if (!isJsonObject(other) || !isJsonObject(value)) return value;
  const shared = Object.entries(value).filter(([key]) => Object.hasOwn(other, key));
  return Object.fromEntries(shared.map(([key, each]) => [key, within(other[key], each) ?? null]));
}

/** Undefined for what is empty. */
function meaning(key: string, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (key === 'values') {
    const values = new Set([value].flat().map((each) => textOf(each as Json)));
    return values.size === 0 || (values.size === 1 && values.has('""')) ? undefined : [...values].sort();
  }
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((each: Json) => meaning('', each) ?? null);
  if (isJsonObject(value)) return meaningOf(value);
  const text = String(value);
  if (text === '' || text === 'false') return undefined;
  return names.has(key) ? text.toLowerCase() : text;
}

function meaningOf(map: JsonObject): Json | undefined {
  const entries = Object.entries(map).flatMap(([key, each]) => {
    const meant = meaning(key, each);
    return meant === undefined ? [] : [[key, meant] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The same for a number and its text. */
export function textOf(value: Json): string {
  return JSON.stringify(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
}
