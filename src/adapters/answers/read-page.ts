// Reads what every page of a list has: its records, and where the next page begins. Cursors are texts or numbers.

import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { Reading } from './read-created.ts';
import { notAnObject } from './read-fields.ts';

export interface Page {
  readonly records: readonly Json[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** How many records there are on all pages; undefined if the service does not count. */
  readonly total: number | undefined;
  /** As it was answered. */
  readonly pageInfo: JsonObject;
}

export function readPage(answer: Json | undefined): Reading<Page> {
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
