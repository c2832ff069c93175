// Lists that are read page by page with an opaque cursor. It contains the place of the last record and the sort order, so
// pages do not shift when records are added or removed.

import { Rejection } from './answers.ts';
import { compare, pageInfo } from './requests.ts';

/** Where a record stands in a sorted list. */
export interface Place {
  readonly value: string | number;
  readonly id: string;
}

interface Page {
  readonly sortField: string;
  readonly sortDirection: 'asc' | 'desc';
  readonly pageSize: number;
  readonly cursor?: string;
}

/** Sorts what was found, and cuts the page out of it. `prefix` is what the operation puts before a refusal. */
export function cutPage<T>(found: readonly T[], asked: Page, placeOf: (record: T) => Place, prefix = '') {
  const sign = asked.sortDirection === 'asc' ? 1 : -1;
  const inOrder = found
    .map((record) => ({ record, place: placeOf(record) }))
    .sort((a, b) => sign * comparePlaces(a.place, b.place));
  const after = asked.cursor === undefined ? undefined : readCursor(asked, asked.cursor, prefix);
  const rest = inOrder.filter(({ place }) => after === undefined || sign * comparePlaces(place, after) > 0);
  const page = rest.slice(0, asked.pageSize);
  const last = page.at(-1);
  const next = rest.length > page.length && last !== undefined ? writeCursor(asked, last.place) : null;
  return { pageInfo: pageInfo(asked.pageSize, found.length, next), page: page.map(({ record }) => record) };
}

function comparePlaces(a: Place, b: Place): number {
  return compare(a.value, b.value) || compare(a.id, b.id);
}

function writeCursor({ sortField, sortDirection }: Page, { value, id }: Place): string {
  return Buffer.from(JSON.stringify([sortField, sortDirection, value, id])).toString('base64url');
}

function readCursor({ sortField, sortDirection }: Page, cursor: string, prefix: string): Place {
  const [field, direction, value, id] = decodeCursor(cursor);
  const isPlace = typeof id === 'string' && (typeof value === 'string' || typeof value === 'number');
  if (field !== sortField || direction !== sortDirection || !isPlace) {
    throw new Rejection(400, `${prefix}cursor: Invalid cursor for this sortField and sortDirection`);
  }
  return { value, id };
}

function decodeCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
