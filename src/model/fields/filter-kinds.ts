// The kinds of filters that the service documents, and which of them compare with values. It may have more of them.

import type { Json, JsonObject } from '../values/json.ts';

export const filterTypes = [
  'string',
  'number',
  'date',
  'boolean',
  'null',
  'query',
  'by_query',
  'user_attribute',
  'composite',
] as const;

/** Of texts, numbers and dates; the other types have none. */
export const filterKinds = [
  'EQUALS',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'SQL_LIKE',
  'IS_EMPTY',
  'LESS_THAN',
  'GREATER_THAN',
  'BETWEEN',
  'BEFORE',
  'ON_OR_AFTER',
  'TIME_FOR_INTERVAL_DURATION',
  'TIME_FOR_UNIT_DURATION',
  'QUERY_OFFSET',
  'IS_ON_DAY_OF_WEEK',
  'IS_ON_DAY_OF_MONTH',
  'IS_ON_DAY_OF_QUARTER',
  'IS_ON_DAY_OF_YEAR',
  'IS_IN_WEEK_OF_YEAR',
  'IS_IN_MONTH_OF_YEAR',
  'IS_IN_QUARTER_OF_YEAR',
  'IS_AT_HOUR_OF_DAY',
] as const;

/** The keys that hold what a filter compares with. */
export const valueKeys = ['values', 'left_side', 'right_side', 'offset_interval_string', 'filters'];

const kindsWithoutValue = ['IS_EMPTY'];
const typesWithoutValue = ['boolean', 'null', 'query', 'by_query', 'user_attribute'];

/** Whether it limits rows by its kind or type alone. */
export function needsNoValue({ kind, type }: JsonObject): boolean {
  return isOneOf(kind, kindsWithoutValue) || isOneOf(type, typesWithoutValue);
}

export function isKnownKind(kind: Json): boolean {
  return isOneOf(kind, filterKinds);
}

function isOneOf(name: Json | undefined, known: readonly string[]): boolean {
  if (name === undefined) return false;
  return known.some((each) => each.toLowerCase() === String(name).toLowerCase());
}
