// The conditions of filters as they are sent, with booleans read from text. The text may come from a cell, a quoted
// word or a variable. `is_negative` as a text would turn a filter round in a program that takes every text for true. An
// unreadable value stays as it is, and is an error. Conditions of a delivery are completed. All later steps see the
// whole condition.

import { completed, isMap } from '../model/fields/complete-conditions.ts';
import { booleanKeys } from '../model/fields/filter-keys.ts';
import { define } from '../model/values/json.ts';
import type { Declared, DeclaredObject, Resource } from '../model/workspace/resource.ts';
import { kindsOfDeclaration } from './kinds-of-declaration.ts';

/** The same resource if nothing had to be read. */
export function withReadConditions(resource: Resource): Resource {
  const { kind, attributes } = resource;
  const { field, limitsRows } = kindsOfDeclaration[kind].filters ?? {};
  const filters = field === undefined ? undefined : attributes[field];
  if (field === undefined || !isMap(filters)) return resource;
  const whole = changed(filters, (filter) => {
    const read = readCondition(filter);
    return limitsRows && isMap(read) ? completed(read) : read;
  });
  return whole === filters ? resource : { ...resource, attributes: { ...attributes, [field]: whole } };
}

function readCondition(condition: Declared): Declared {
  if (!isMap(condition)) return condition;
  return changed(condition, (value, key) => {
    if (booleanKeys.includes(key)) return booleanIn(value);
    return key === 'filters' && Array.isArray(value) ? listOf(value) : value;
  });
}

function listOf(conditions: readonly Declared[]): readonly Declared[] {
  const read = conditions.map(readCondition);
  return read.every((each, index) => each === conditions[index]) ? conditions : read;
}

/** Reads the forms of people, tables and programs: `TRUE`, `false`, 0, 1. */
function booleanIn(value: Declared): Declared {
  switch (typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '') {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return value;
  }
}

/** Copies only if something changes. */
function changed(map: DeclaredObject, change: (value: Declared, key: string) => Declared): DeclaredObject {
  let copy: Record<string, Declared> | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key] as Declared;
    const other = change(value, key);
    if (other === value) continue;
    copy ??= { ...map };
    define(copy, key, other);
  }
  return copy ?? map;
}
