// Whether what Omni answers for a filter means the same as what it is compared with. The answer may hold more keys, also in
// the maps inside of it, such as the conditions of `filters`.

import { meaningOf } from '../../model/fields/conditions.ts';
import { conditionFields } from '../../model/fields/filter-keys.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';

/** The keys that people write; the others say how the dashboard shows the filter. */
export function isWritten(key: string): boolean {
  return Object.hasOwn(conditionFields, key);
}

export function writtenKeys(entry: JsonObject): readonly string[] {
  return Object.keys(entry).filter(isWritten);
}

/** In the keys that ours has. */
export function isAs(key: string, ours: Json | undefined, found: Json | undefined): boolean {
  return equalJson(meaningOf(key, ours), meaningOf(key, within(ours, found)));
}

/** In the keys that both have. */
export function isSame(key: string, a: Json | undefined, b: Json | undefined): boolean {
  return equalJson(meaningOf(key, within(b, a)), meaningOf(key, within(a, b)));
}

/** In the keys that people write. */
export function areAlike(a: JsonObject, b: JsonObject): boolean {
  const keys = new Set([...writtenKeys(a), ...writtenKeys(b)]);
  return [...keys].every((key) => equalJson(meaningOf(key, a[key]), meaningOf(key, b[key])));
}

/** Of maps inside of the value, the keys that the other has. */
function within(other: Json | undefined, value: Json | undefined): Json | undefined {
  if (Array.isArray(other) && Array.isArray(value) && other.length === value.length)
    return value.map((each: Json, index) => within(other[index], each) ?? null);
  if (!isJsonObject(other) || !isJsonObject(value)) return value;
  const shared = Object.entries(value).filter(([key]) => Object.hasOwn(other, key));
  return Object.fromEntries(shared.map(([key, each]) => [key, within(other[key], each) ?? null]));
}
