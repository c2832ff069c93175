// The form in which attributes are compared: equal for declarations with the same meaning. Defaults are left out, sets
// are sorted, cron expressions, time zones and hosts are in their canonical form, and line ends are those of Unix: a
// text of Omni may have others, and a block of YAML cannot have them.

import { canonicalCron } from '../cron/canonical-cron.ts';
import { clocksOf } from '../cron/check-time-zone.ts';
import { completed } from '../model/fields/complete-conditions.ts';
import type { Field, Fields } from '../model/fields/field.ts';
import { fieldApplies, fieldsInside, fieldsOf, isUrl, stateOnlyFields } from '../model/fields/fields.ts';
import { idKey } from '../model/fields/ids.ts';
import { canonicalServer } from '../model/fields/receiver.ts';
import type { Kind } from '../model/values/address.ts';
import {
  byCodeUnit,
  define,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  replaceIn,
} from '../model/values/json.ts';
import { asciiUrl } from '../model/values/urls.ts';

/** `withOptions` keeps the options of the request, which matter only in a create. */
export function comparable(kind: Kind, attributes: JsonObject, withOptions = false): JsonObject {
  const result: Record<string, Json> = {};
  for (const name of comparedFields(kind, attributes, withOptions)) {
    const field: Field | undefined = fieldsOf[kind][name];
    const value = attributes[name] as Json;
    define(result, name, field === undefined ? value : comparableField(field, withUnixEnds(value)));
  }
  return result;
}

export function comparedFields(kind: Kind, attributes: JsonObject, withOptions = false): readonly string[] {
  return Object.keys(attributes).filter((name) => {
    const field: Field | undefined = fieldsOf[kind][name];
    const value = attributes[name] as Json;
    if (field === undefined) return true;
    if (field.requestOption && !withOptions) return false;
    return !isDefault(field, value, attributes) && !(mayBeEmpty.has(name) && isEmptyMap(comparableField(field, value)));
  });
}

/** Empty ones mean the same as absent ones. */
const mayBeEmpty: ReadonlySet<string> = new Set([...stateOnlyFields, 'extra', 'filterConfig']);

function isEmptyMap(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

export function withUnixEnds<T extends Json | JsonObject>(value: T): T {
  const unix = (part: Json): Json => (typeof part === 'string' ? part.replaceAll('\r\n', '\n') : part);
  return replaceIn(value, unix) as T;
}

function isDefault(field: Field, value: Json, attributes: JsonObject): boolean {
  return field.default !== undefined && fieldApplies(field, attributes) && equalJson(value, field.default);
}

/** The form that all texts with one meaning have. */
const meanings: Readonly<Record<NonNullable<Field['meaning']>, (text: string) => Json>> = {
  cron: canonicalCron,
  clocks: clocksOf,
  server: canonicalServer,
  id: idKey,
};

function comparableField(field: Field, value: Json): Json {
  if (field.meaning !== undefined && typeof value === 'string') return meanings[field.meaning](value);
  if (isUrl(field) && typeof value === 'string') return asciiUrl(value);
  if (field.isConditions && isJsonObject(value)) return allCompleted(value);
  if (field.set) return sorted(field.exact && Array.isArray(value) ? value : elements(value));
  const fields = isJsonObject(value) ? fieldsInside(field.shape) : undefined;
  return fields === undefined ? value : comparableRecord(fields, value as JsonObject);
}

function allCompleted(conditions: JsonObject): JsonObject {
  const entries = Object.entries(conditions).map(([id, each]) => [id, isJsonObject(each) ? completed(each) : each]);
  return Object.fromEntries(entries);
}

function comparableRecord(fields: Fields, value: JsonObject): JsonObject {
  const result: Record<string, Json> = {};
  for (const [name, entry] of Object.entries(value)) {
    const field = fields[name];
    if (field?.default !== undefined && equalJson(entry, field.default)) continue;
    const kept = field?.set ? sorted(elements(entry)) : entry;
    if (!Array.isArray(kept) || kept.length > 0) define(result, name, kept);
  }
  return result;
}

/** The elements of a set: those of a list, or the parts of a text that commas separate. */
export function elements(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => elements(item));
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** In the order in which sets are compared. */
export function sorted(values: readonly Json[]): readonly Json[] {
  return [...values].sort((a, b) => byCodeUnit(JSON.stringify(a), JSON.stringify(b)));
}
