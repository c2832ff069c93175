// The checks of values in a request, and in the kept data. There is one check for each form of a value, and tables of
// the fields of an object. The messages are those of the library that the service uses.

import { Rejection } from './answers.ts';

/** Describes the fault of the value `at` a path, such as `filters.region`; undefined for a T. */
export interface Check<T = unknown> {
  (value: unknown, at: string): string | undefined;
  readonly accepts?: T;
}

export interface Field<T = unknown> {
  readonly check: Check<T>;
  readonly required?: true;
}

type Fields = Readonly<Record<string, Field>>;
type Accepted<C> = C extends Check<infer T> ? T : never;

export type RecordOf<F extends Fields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: Accepted<F[K]['check']>;
} & { [K in keyof F as F[K] extends { required: true } ? never : K]?: Accepted<F[K]['check']> };

export type TypeOf<C extends Check> = Accepted<C>;

/** Refuses anything but an object with exactly these fields, with 400 and the first finding. */
export function checkFields<F extends Fields>(body: unknown, fields: F, prefix = ''): RecordOf<F> {
  const fault = anObjectOfOnly(fields)(body, '');
  if (fault !== undefined) throw new Rejection(400, prefix + fault);
  return body as RecordOf<F>;
}

/** The query string of a request: only known parameters, each at most once. */
export function readQuery<C extends Readonly<Record<string, Check<string>>>>(
  query: URLSearchParams,
  known: C,
  prefix = '',
): { [K in keyof C]?: Accepted<C[K]> } {
  const unknown = unknownKeys([...new Set(query.keys())], known);
  if (unknown !== undefined) throw new Rejection(400, `${prefix}formErrors: ${unknown}`);
  for (const [name, check] of Object.entries(known)) {
    const values = query.getAll(name);
    const fault = values.length > 1 ? aString(values, name) : values.map((value) => check(value, name))[0];
    if (fault !== undefined) throw new Rejection(400, prefix + fault);
  }
  return Object.fromEntries(query) as { [K in keyof C]?: Accepted<C[K]> };
}

function unknownKeys(given: readonly string[], known: object): string | undefined {
  const unknown = given.filter((key) => !Object.hasOwn(known, key)).map((key) => `'${key}'`);
  return unknown.length > 0 ? `Unrecognized key(s) in object: ${unknown.join(', ')}` : undefined;
}

export function refuse(name: string, message: string): never {
  throw new Rejection(400, `${name}: ${message}`);
}

export interface Needed<T> extends Field<T> {
  readonly required: true;
}

export function needed<T>(check: Check<T>): Needed<T> {
  return { check, required: true };
}

export const aString: Check<string> = (value, at) =>
  typeof value === 'string' ? undefined : expected('string', value, at);

/** A text in which `faultIn` finds no fault. */
export function aText(faultIn: (text: string) => string | false | undefined): Check<string> {
  return (value, at) => {
    if (typeof value !== 'string') return expected('string', value, at);
    const fault = faultIn(value);
    return fault ? says(at, fault) : undefined;
  };
}

export const noText = 'String must contain at least 1 character(s)';

export const aNonEmptyString = aText((text) => text === '' && noText);

/** `most` counts code points. */
export function aStringUpTo(most: number): Check<string> {
  return aText((text) => [...text].length > most && `String must contain at most ${most} character(s)`);
}

export function aNonEmptyStringUpTo(most: number): Check<string> {
  return (value, at) => aNonEmptyString(value, at) ?? aStringUpTo(most)(value, at);
}

/** A UUID, as the documentation says, or a short text, as live organizations have: the object is then looked up. */
export const anId = aText((text) => !/^[\w-]+$/.test(text) && 'Invalid uuid');

export const aBoolean: Check<boolean> = (value, at) =>
  typeof value === 'boolean' ? undefined : expected('boolean', value, at);

export const aNumber: Check<number> = (value, at) =>
  typeof value === 'number' ? undefined : expected('number', value, at);

export function aNumberFrom(least: number): Check<number> {
  return (value, at) => {
    if (typeof value !== 'number') return expected('number', value, at);
    const fault = outside(value, least, Number.POSITIVE_INFINITY);
    return fault && says(at, fault);
  };
}

export function anInteger(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Check<number> {
  return (value, at) => {
    if (typeof value !== 'number') return expected('number', value, at);
    const fault = Number.isInteger(value) ? outside(value, least, most) : 'Expected integer, received float';
    return fault && says(at, fault);
  };
}

/** A number from 1 in a query string. `words` are the message for one that is too small or too large. */
export function aNumberUpTo(most: number, words = outside): Check<string> {
  return aText((text) => (/^-?\d+$/.test(text) ? words(Number(text), 1, most) : 'Expected number, received nan'));
}

function outside(value: number, least: number, most: number): string | undefined {
  if (value < least) return `Number must be greater than or equal to ${least}`;
  return value > most ? `Number must be less than or equal to ${most}` : undefined;
}

export function oneOf<const T extends string>(...allowed: readonly T[]): Check<T> {
  const list = allowed.map((value) => `'${value}'`).join(' | ');
  return (value, at) => {
    if (typeof value !== 'string') return expected(list, value, at);
    return allowed.some((each) => each === value)
      ? undefined
      : says(at, `Invalid enum value. Expected ${list}, received '${value}'`);
  };
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, at) => (value === null ? undefined : check(value, at));
}

export const anObject: Check<Record<string, unknown>> = (value, at) =>
  isObject(value) ? undefined : expected('object', value, at);

/** Other fields are allowed. */
export function anObjectOf<F extends Fields>(fields: F): Check<RecordOf<F>> {
  return (value, at) => {
    if (!isObject(value)) return expected('object', value, at);
    for (const [name, { check, required }] of Object.entries(fields)) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      const path = inside(at, name);
      const fault = given !== undefined ? check(given, path) : required && says(path, 'Required');
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** Other fields are refused. */
export function anObjectOfOnly<F extends Fields>(fields: F): Check<RecordOf<F>> {
  return (value, at) => {
    const fault = anObjectOf(fields)(value, at);
    if (fault !== undefined) return fault;
    const unknown = unknownKeys(Object.keys(value as object), fields);
    return unknown && says(at, unknown);
  };
}

export function aMapOf<T>(check: Check<T>): Check<Record<string, T>> {
  return (value, at) => {
    if (!isObject(value)) return expected('object', value, at);
    return firstOf(Object.entries(value), ([name, entry]) => check(entry, inside(at, name)));
  };
}

export function aListOf<T>(check: Check<T>): Check<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return expected('array', value, at);
    return firstOf([...value.entries()], ([index, entry]) => check(entry, inside(at, String(index))));
  };
}

export function aListUpTo<T>(most: number, check: Check<T>): Check<T[]> {
  return (value, at) => {
    const fault = aListOf(check)(value, at);
    const isLong = Array.isArray(value) && value.length > most;
    return fault ?? (isLong ? says(at, `Array must contain at most ${most} element(s)`) : undefined);
  };
}

/** Like the service, it does not say which item is not a string. */
export const aListOfStrings: Check<string[]> = (value, at) => {
  if (!Array.isArray(value)) return expected('array', value, at);
  return firstOf(value, (entry) => aString(entry, at));
};

function firstOf<T>(items: readonly T[], faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inside(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function says(at: string, message: string): string {
  return at === '' ? message : `${at}: ${message}`;
}

function expected(type: string, value: unknown, at: string): string {
  const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return says(at, `Expected ${type}, received ${received}`);
}
