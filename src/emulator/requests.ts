// The parts of a request that an operation gets, and shared reading and paging.

import type { IncomingMessage } from 'node:http';
import { type Answer, Rejection } from './answers.ts';
import { aNumberUpTo, anId, type Check, isUuid, readQuery } from './checks.ts';
import type { Fault, Quirks, WorkFault } from './faults.ts';
import type { Store, StoredRoutine, StoredSchedule, Token } from './store.ts';

/** The input of an operation, after the steps that all operations share. */
export interface OperationInput {
  readonly store: Store;
  readonly quirks: Quirks;
  readonly caller: Token;
  /** The first parameter of the path; empty if it has none. */
  readonly id: string;
  /** The second parameter of the path. */
  readonly jobId: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly runs: AllRuns;
  readonly downloadDurationMs: number;
  readonly atWork: readonly WorkFault[];
}

export interface AllRuns {
  readonly schedules: Runs<StoredSchedule>;
  readonly routines: Runs<StoredRoutine>;
}

export interface Runs<T> {
  /** Carries out all runs that were due by now. Call it before any of them is read, and before it is changed. */
  catchUp(all: readonly T[]): void;
  /** Begins a run now, in addition. */
  begin(each: T): void;
  isRunning(each: T): boolean;
}

export interface Operation {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api`; up to two segments may be parameters, in braces. */
  readonly path: string;
  readonly hasBody?: true;
  answer(call: OperationInput): Answer;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  caller?: Token;
  body?: unknown;
  fault?: Fault;
}

export function openExchange(request: IncomingMessage): Exchange {
  // Split by hand: the URL parser would read a path that begins with two slashes as a host.
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  return {
    request,
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
  };
}

/** A UUID means the same in either case, and no other id does. */
export function sameId(known: string | null, given: unknown): boolean {
  if (known === null || typeof given !== 'string') return false;
  return known === given || (isUuid(known) && known.toLowerCase() === given.toLowerCase());
}

export const aPageSize = aNumberUpTo(100, (size, least, most) => {
  if (size < least) return `Page size must be at least ${least}`;
  return size > most ? `Page size cannot exceed ${most}` : undefined;
});

export function compare<T extends string | number>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The facts about a page beside its records. `nextCursor` is null on the last page. */
export function pageInfo(pageSize: number, totalRecords: number, nextCursor: string | null) {
  return { hasNextPage: nextCursor !== null, nextCursor, pageSize, totalRecords };
}

/**
 * The member for whom an operation acts: the one named by `userId`, which only the organization may set; the creator of
 * a personal token; or null, the organization itself. The query may contain only `userId`. `prefix` is the operation's
 * text before the message of a refusal.
 */
export function readActingMember({ query, caller, store }: OperationInput, aUser: Check<string> = anId, prefix = '') {
  const { userId } = readQuery(query, { userId: aUser }, prefix);
  if (caller.kind === 'personal') {
    if (userId !== undefined) throw new Rejection(403, 'A personal access token cannot be used with userId');
    return caller.memberId;
  }
  return userId === undefined ? null : requireMember(store, userId);
}

/** The membership id as the organization writes it. */
export function requireMember(store: Store, id: string): string {
  const member = store.data.members.find((known) => sameId(known.id, id));
  if (member === undefined) throw new Rejection(404, `User with id ${id} does not exist`);
  return member.id;
}

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
