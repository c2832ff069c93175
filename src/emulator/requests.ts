// What an operation reads of a request: its fields, its query, and on whose behalf it acts.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Fault, Quirks } from './faults.ts';
import { type Answer, parsedUrl, Rejection } from './pipeline.ts';
import type { EmulatedObject, Store, StoredSchedule, Token } from './store.ts';

// One request on its way through the pipeline, and the type of a pipeline step.

/** The input of an operation, after the steps that all operations share. */
export interface Call {
  readonly store: Store;
  readonly quirks: Quirks;
  readonly caller: Token;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly runs: ScheduleRuns;
}

/** What schedules do by themselves. */
export interface ScheduleRuns {
  /** Carries out what was due by now. Call it before schedules are read, and before they are changed. */
  catchUp(schedules: readonly StoredSchedule[]): void;
  /** A run that begins now, in addition. */
  begin(schedule: StoredSchedule): void;
  isRunning(schedule: StoredSchedule): boolean;
}

export interface Operation {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api`; a segment in braces is a parameter. */
  readonly path: string;
  readonly hasBody: boolean;
  answer(call: Call): Answer;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  caller?: Token;
  route?: { readonly operation: Operation; readonly params: Readonly<Record<string, string>> };
  body?: unknown;
  /** The fault that strikes this request. */
  fault?: Fault;
}

/** Ends the request with an answer or a Rejection, or returns undefined to pass it on. */
export type Step = (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

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

// Checks one object against a table of its fields, with the messages of the library that the service uses. Rules
// between fields belong to each operation.

/** Returns what is wrong with a value, or undefined for a T. */
export interface Check<T = unknown> {
  (value: unknown): string | undefined;
  readonly accepts?: T;
}

interface Field {
  readonly check: Check;
  readonly required?: true;
}

type Fields = Readonly<Record<string, Field>>;
type Accepted<F extends Field> = NonNullable<F['check']['accepts']>;

/** An object of these fields. */
export type BodyOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { required: true } ? K : never]: Accepted<F[K]>;
} & { readonly [K in keyof F as F[K] extends { required: true } ? never : K]?: Accepted<F[K]> };

/** Refuses anything but an object with exactly these fields, with 400 and the first finding. */
export function checkFields<F extends Fields>(body: unknown, fields: F, prefix = ''): BodyOf<F> {
  if (!isObject(body)) throw new Rejection(400, `${prefix}Expected object, received ${typeName(body)}`);
  for (const [name, { check, required }] of Object.entries(fields)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    const message = value === undefined ? (required ? 'Required' : undefined) : check(value);
    if (message !== undefined) throw new Rejection(400, `${prefix}${name}: ${message}`);
  }
  refuseUnknownKeys(Object.keys(body), Object.keys(fields), prefix);
  return body as BodyOf<F>;
}

function refuseUnknownKeys(given: readonly string[], known: readonly string[], prefix = ''): void {
  const unknown = given.filter((key) => !known.includes(key)).map((key) => `'${key}'`);
  if (unknown.length > 0) throw new Rejection(400, `${prefix}Unrecognized key(s) in object: ${unknown.join(', ')}`);
}

export const aString: Check<string> = (value) => (typeof value === 'string' ? undefined : expected('string', value));

export const aNonEmptyString: Check<string> = (value) =>
  aString(value) ?? (value === '' ? 'String must contain at least 1 character(s)' : undefined);

/** `most` counts code points. */
export function aStringUpTo(most: number): Check<string> {
  return (value) =>
    aString(value) ??
    ([...(value as string)].length > most ? `String must contain at most ${most} character(s)` : undefined);
}

export const aBoolean: Check<boolean> = (value) =>
  typeof value === 'boolean' ? undefined : expected('boolean', value);

export const anObject: Check<EmulatedObject> = (value) => (isObject(value) ? undefined : expected('object', value));

export const aListOfStrings: Check<string[]> = (value) => {
  if (!Array.isArray(value)) return expected('array', value);
  return value.map(aString).find((message) => message !== undefined);
};

export const aUuid: Check<string> = (value) => aString(value) ?? (isUuid(value as string) ? undefined : 'Invalid uuid');

export const anHttpUrl: Check<string> = (value) =>
  aString(value) ?? (isHttpUrl(value as string) ? undefined : 'Invalid url');

export const aHost: Check<string> = (value) =>
  aNonEmptyString(value) ?? (isHost(value as string) ? undefined : 'Invalid host');

export function anInteger(least: number, most = Number.POSITIVE_INFINITY): Check<number> {
  return (value) => {
    if (typeof value !== 'number') return expected('number', value);
    if (!Number.isInteger(value)) return 'Expected integer, received float';
    if (value < least) return `Number must be greater than or equal to ${least}`;
    return value > most ? `Number must be less than or equal to ${most}` : undefined;
  };
}

export function oneOf<const T extends string>(allowed: readonly T[]): Check<T> {
  const list = allowed.map((value) => `'${value}'`).join(' | ');
  return (value) => {
    if (typeof value !== 'string') return `Expected ${list}, received ${typeName(value)}`;
    return allowed.some((each) => each === value)
      ? undefined
      : `Invalid enum value. Expected ${list}, received '${value}'`;
  };
}

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text);
}

/** A UUID means the same in either case. */
export function sameId(known: string | null, given: unknown): boolean {
  return known !== null && typeof given === 'string' && known.toLowerCase() === given.toLowerCase();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expected(type: string, value: unknown): string {
  return `Expected ${type}, received ${typeName(value)}`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

// Values of parameters that several lists share. `prefix` is what the operation puts before the message of a refusal.

/** 1 to 100; 20 by default. */
export function readPageSize(text: string | undefined, prefix = ''): number {
  if (text === undefined) return 20;
  if (!/^-?\d+$/.test(text)) refuse('pageSize', 'Expected number, received nan', prefix);
  const size = Number(text);
  if (size < 1) refuse('pageSize', 'Page size must be at least 1', prefix);
  if (size > 100) refuse('pageSize', 'Page size cannot exceed 100', prefix);
  return size;
}

export function compare<T extends string | number>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** What a list says beside its records. `nextCursor`: null on the last page. */
export function pageInfo(pageSize: number, totalRecords: number, nextCursor: string | null) {
  return { hasNextPage: nextCursor !== null, nextCursor, pageSize, totalRecords };
}

export function readChoice<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
  prefix = '',
): Choice {
  const choice = choices.find((known) => known === value);
  return choice ?? refuse(name, oneOf(choices)(value) ?? 'Invalid', prefix);
}

export function checkUuid(name: string, value: string | undefined, prefix = ''): void {
  if (value !== undefined && !isUuid(value)) refuse(name, 'Invalid uuid', prefix);
}

export function refuse(name: string, message: string, prefix = ''): never {
  throw new Rejection(400, `${prefix}${name}: ${message}`);
}

/** The query string of a request: only known parameters, each at most once. */
export function readQuery<Name extends string>(
  query: URLSearchParams,
  known: readonly Name[],
  prefix = '',
): Partial<Record<Name, string>> {
  refuseUnknownKeys([...new Set(query.keys())], known, `${prefix}formErrors: `);
  const values: Partial<Record<Name, string>> = {};
  for (const name of known) {
    const [value, second] = query.getAll(name);
    if (second !== undefined) throw new Rejection(400, `${prefix}${name}: Expected string, received array`);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

// For whom an operation acts: the member named by `userId`, which only the organization may set; the creator of a
// personal token; or the organization itself.

/** The membership id, or null for the organization. The query may contain only `userId`. */
export function readActingMember(call: Call, userId: { mustBeUuid: boolean; prefix?: string }): string | null {
  const given = readQuery(call.query, ['userId'], userId.prefix).userId;
  if (given !== undefined && userId.mustBeUuid && !isUuid(given)) {
    throw new Rejection(400, `${userId.prefix ?? ''}userId: Invalid uuid`);
  }
  if (call.caller.kind === 'personal') {
    if (given !== undefined) throw new Rejection(403, 'A personal access token cannot be used with userId');
    return call.caller.memberId;
  }
  return given === undefined ? null : requireMember(call.store, given);
}

/** The membership id as the organization writes it. */
export function requireMember(store: Store, id: string): string {
  const member = store.data.members.find((known) => sameId(known.id, id));
  if (member === undefined) throw new Rejection(404, `User with id ${id} does not exist`);
  return member.id;
}

/**
 * Whether a text is an absolute http or https URL as written. Node's parser repairs a good deal (missing slashes, white
 * space, unusual IPv4 numbers); a text that needs repair is refused.
 */
export function isHttpUrl(text: string): boolean {
  const url = parsedUrl(text);
  if (/[\s\p{Cc}\\]/u.test(text) || url === undefined) return false;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return false;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (/^\[[\da-f:.]+\]$/i.test(host)) return true;
  if (/^[\d.]+$/.test(url.hostname)) return url.hostname === host;
  return /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(host);
}

/** Whether a text is a host name (RFC 1123, with underscores) or an IP address, and nothing else. */
export function isHost(text: string): boolean {
  // IPv6 with a zone, or with IPv4 at its end, means something else on each machine.
  if (isIP(text) !== 0) return isIP(text) === 4 || /^[^%.]*$/.test(text);
  const labels = text.split('.');
  const isLabel = (label: string) => /^\w[\w-]*$/.test(label) && !label.endsWith('-');
  return text.length <= 253 && labels.every(isLabel) && !/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '');
}
