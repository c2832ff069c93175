// Fields of an answer, each as the type that it is documented with, else as not there.

import { isJsonObject, type JsonObject } from '../../model/values/json.ts';

export const notAnObject = { problem: 'It is not a JSON object.' } as const;

/** A text that is not empty. */
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

/** A field to spread into an object, or none. */
export function optional<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V });
}
