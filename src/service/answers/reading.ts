// Reads fields and pages of an answer. A field that does not have its documented type counts as missing.

import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';

/** The value of an answer, or how the answer differs from the documentation. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

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

export interface Page<T> {
  readonly records: readonly T[];
  /** How many records it has with those that are left out; undefined: those above. */
  readonly entries?: number;
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** How many there are on all pages, as the service counts; undefined if it does not count. */
  readonly total: number | undefined;
}

/** Cursors are texts or numbers. */
export interface AnsweredPage extends Page<Json> {
  /** As it was answered. */
  readonly pageInfo: JsonObject;
}

export function readPage(answer: Json | undefined): Reading<AnsweredPage> {
  if (!isJsonObject(answer)) return notAnObject;
  const { records, pageInfo } = answer;
  if (!Array.isArray(records)) return { problem: 'It has no list of records.' };
  if (!isJsonObject(pageInfo)) return { problem: 'It does not say whether there are more pages.' };
  const { hasNextPage, nextCursor, totalRecords } = pageInfo;
  if (hasNextPage === true && typeof nextCursor !== 'string' && typeof nextCursor !== 'number')
    return { problem: 'It has a next page but no cursor for it.' };
  const next = hasNextPage === true ? String(nextCursor) : undefined;
  return { value: { records, next, total: typeof totalRecords === 'number' ? totalRecords : undefined, pageInfo } };
}
