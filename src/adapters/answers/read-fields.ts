// Reads fields of an answer. A field that does not have its documented type counts as missing.

import { isJsonObject, type JsonObject } from '../../model/values/json.ts';

export const notAnObject = { problem: 'It is not a JSON object.' } as const;

/** A non-empty text. */
export function textIn(record: JsonObject, field: string): string | undefined {
  const value = record[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function flagIn(record: JsonObject, field: string): boolean | undefined {
  const value = record[field];
  return typeof value === 'boolean' ? value : undefined;
}

export function recordIn(given: JsonObject, field: string): JsonObject | undefined {
  const value = given[field];
  return isJsonObject(value) ? value : undefined;
}

export function textsIn<K extends string>(record: JsonObject, fields: readonly K[]): { readonly [P in K]?: string } {
  return Object.fromEntries(fields.map((field) => [field, textIn(record, field)])) as { readonly [P in K]?: string };
}
