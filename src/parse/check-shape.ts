// Small checks of JSON that a program wrote: a check says what is wrong with a value, and at which JSON pointer.

import { isJsonObject, type Json } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';

/** Undefined where the value is as it should be, else a clause such as `/serial is not a whole number`. */
export type Check = (value: Json, pointer: Pointer) => string | undefined;

interface OptionalCheck {
  readonly optional: Check;
}

/** One row for each field of T: a field that is added to the model can't be forgotten here. */
export type FieldChecks<T> = { readonly [K in keyof T]-?: Check | OptionalCheck };

export function optional(check: Check): OptionalCheck {
  return { optional: check };
}

export const nonEmptyText: Check = (value, pointer) =>
  typeof value === 'string' && value !== '' ? undefined : `${pointer} is not a text`;

export const anyText: Check = (value, pointer) => (typeof value === 'string' ? undefined : `${pointer} is not a text`);

export const wholeNumber: Check = (value, pointer) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : `${pointer} is not a whole number`;

export const anyObject: Check = (value, pointer) => (isJsonObject(value) ? undefined : `${pointer} is not an object`);

const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

export const instant: Check = (value, pointer) =>
  typeof value === 'string' && instantShape.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : `${pointer} is not a time such as 2026-01-31T09:00:00Z`;

export function oneOf(...values: readonly Json[]): Check {
  const words = values.map((value) => JSON.stringify(value)).join(' or ');
  return (value, pointer) => (values.includes(value) ? undefined : `${pointer} is not ${words}`);
}

/** An object with these fields and no other: one that is not known here would be lost when the file is written. */
export function record<T>(fields: FieldChecks<T>): Check {
  const rows = Object.entries<Check | OptionalCheck>(fields).map(([key, row]) => ({
    key,
    below: pointerTo(key),
    check: typeof row === 'function' ? row : row.optional,
    isOptional: typeof row !== 'function',
  }));
  const known = new Set(rows.map(({ key }) => key));
  return (value, pointer) => {
    if (!isJsonObject(value)) return `${pointer || 'the whole'} is not an object`;
    for (const key of Object.keys(value)) {
      if (!known.has(key)) return `${pointer}${pointerTo(key)} is not known to this version`;
    }
    for (const { key, below, check, isOptional } of rows) {
      const field = value[key];
      if (field === undefined && isOptional) continue;
      const problem = field === undefined ? `${pointer}${below} is missing` : check(field, pointer + below);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

export function listOf(check: Check): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return `${pointer} is not a list`;
    return firstProblem(
      value.map((item: Json, index) => [item, pointer + pointerTo(index)]),
      check,
    );
  };
}

export function mapOf(key: Check, check: Check): Check {
  return (value, pointer) => {
    if (!isJsonObject(value)) return `${pointer} is not an object`;
    const entries = Object.entries(value).map(([name, entry]) => [name, entry, pointer + pointerTo(name)] as const);
    return (
      firstProblem(
        entries.map(([name, , place]) => [name, place]),
        key,
      ) ??
      firstProblem(
        entries.map(([, entry, place]) => [entry, place]),
        check,
      )
    );
  };
}

function firstProblem(values: readonly (readonly [Json, Pointer])[], check: Check): string | undefined {
  for (const [value, pointer] of values) {
    const problem = check(value, pointer);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
