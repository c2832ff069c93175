// Checks one object against a table of its fields, with the messages of the library that the service uses. Rules
// between fields belong to each operation.

import { Rejection } from './answer.ts';
import { isHost } from './host.ts';
import { isHttpUrl } from './http-url.ts';

/** Returns what is wrong with a value, or undefined. */
type Check = (value: unknown) => string | undefined;

interface Field {
  readonly check: Check;
  readonly required?: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

/** Refuses anything but an object with exactly these fields, with 400 and the first finding. */
export function checkFields(body: unknown, fields: Fields, prefix = ''): void {
  if (!isObject(body)) throw new Rejection(400, `${prefix}Expected object, received ${typeName(body)}`);
  for (const [name, { check, required }] of Object.entries(fields)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    const message = value === undefined ? (required ? 'Required' : undefined) : check(value);
    if (message !== undefined) throw new Rejection(400, `${prefix}${name}: ${message}`);
  }
  refuseUnknownKeys(Object.keys(body), Object.keys(fields), prefix);
}

export function refuseUnknownKeys(given: readonly string[], known: readonly string[], prefix = ''): void {
  const unknown = given.filter((key) => !known.includes(key)).map((key) => `'${key}'`);
  if (unknown.length > 0) throw new Rejection(400, `${prefix}Unrecognized key(s) in object: ${unknown.join(', ')}`);
}

export const aString: Check = (value) => (typeof value === 'string' ? undefined : expected('string', value));

export const aNonEmptyString: Check = (value) =>
  aString(value) ?? (value === '' ? 'String must contain at least 1 character(s)' : undefined);

/** `most` counts code points. */
export function aStringUpTo(most: number): Check {
  return (value) =>
    aString(value) ??
    ([...(value as string)].length > most ? `String must contain at most ${most} character(s)` : undefined);
}

export const aBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : expected('boolean', value));

export const anObject: Check = (value) => (isObject(value) ? undefined : expected('object', value));

export const aListOfStrings: Check = (value) => {
  if (!Array.isArray(value)) return expected('array', value);
  return value.map(aString).find((message) => message !== undefined);
};

export const aUuid: Check = (value) => aString(value) ?? (isUuid(value as string) ? undefined : 'Invalid uuid');

export const anHttpUrl: Check = (value) => aString(value) ?? (isHttpUrl(value as string) ? undefined : 'Invalid url');

export const aHost: Check = (value) => aNonEmptyString(value) ?? (isHost(value as string) ? undefined : 'Invalid host');

export function anInteger(least: number, most = Number.POSITIVE_INFINITY): Check {
  return (value) => {
    if (typeof value !== 'number') return expected('number', value);
    if (!Number.isInteger(value)) return 'Expected integer, received float';
    if (value < least) return `Number must be greater than or equal to ${least}`;
    return value > most ? `Number must be less than or equal to ${most}` : undefined;
  };
}

export function oneOf(allowed: readonly string[]): Check {
  const list = allowed.map((value) => `'${value}'`).join(' | ');
  return (value) => {
    if (typeof value !== 'string') return `Expected ${list}, received ${typeName(value)}`;
    return allowed.includes(value) ? undefined : `Invalid enum value. Expected ${list}, received '${value}'`;
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
