// What the condition of a filter may hold, as far as the service documents it: its keys, and the names of kinds and types. It
// may have more of them.

import type { Json, JsonObject } from '../values/json.ts';
import type { Field, Fields } from './field.ts';

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

interface FilterKey extends Field {
  /** It holds what the filter compares with. */
  readonly holdsValue?: true;
  /** It turns the filter round. */
  readonly negates?: true;
  /** Another value of it lets other rows through, and nobody can tell which. */
  readonly opens?: true;
}

/** The row of a key that takes anything. */
function anything(words: string, suggested?: readonly string[]): Field {
  return { shape: { type: 'anything', suggested }, words };
}

/** In the order in which people write them. */
export const conditionFields: Readonly<Record<string, FilterKey>> = {
  values: {
    shape: { type: 'list', items: { type: 'anything' } },
    words: 'The values that pass: `{ values: [Europe, Asia] }`.',
    holdsValue: true,
  },
  kind: {
    ...anything(
      'How to compare, such as `EQUALS`, `CONTAINS`, `GREATER_THAN`, `BETWEEN` or `ON_OR_AFTER`.',
      filterKinds,
    ),
    opens: true,
  },
  type: anything('What is compared, such as `string`, `number`, `date` or `boolean`.', filterTypes),
  is_negative: { ...anything('When `true`, what does not match passes.'), negates: true, opens: true },
  case_insensitive: anything('Of texts: when `true`, upper and lower case are the same.'),
  is_inclusive: anything('Of numbers: when `true`, a bound itself passes.'),
  left_side: {
    ...anything('Where a range begins: a date such as `2026-01-01`, or `7 days ago`.'),
    holdsValue: true,
  },
  right_side: {
    ...anything('Where a range ends: a date, which is not part of it, or a duration such as `7 days`.'),
    holdsValue: true,
  },
  offset_interval_string: { ...anything('Of dates: by how much the range is moved.'), holdsValue: true },
  isFiscal: anything('Of dates: whether the fiscal calendar counts.'),
  ui_type: anything('Of dates: how the dashboard shows the filter, such as `PAST`.'),
  conjunction: { ...anything('`AND` or `OR`: how `filters` are combined.'), opens: true },
  filters: { ...anything('The conditions that `conjunction` combines.'), holdsValue: true, opens: true },
};

/** They describe a filter on its dashboard. Nobody writes them for a delivery. */
export const describingFields: Fields = {
  label: anything('The name of the filter on the dashboard.'),
  description: anything('The description of the filter on the dashboard.'),
  required: anything('Whether the filter must have a value.'),
  requiredScope: anything('`dashboard` or `tiles`: what needs the value.'),
  hidden: anything('Whether the dashboard hides the filter.'),
};

const keysWith = (has: (key: FilterKey) => boolean | undefined) =>
  Object.entries(conditionFields).flatMap(([name, key]) => (has(key) ? [name] : []));

/** The keys that hold what a filter compares with. */
export const valueKeys: readonly string[] = keysWith(({ holdsValue }) => holdsValue);
/** Those without which a filter that needs a value limits nothing. */
export const limitingKeys: readonly string[] = keysWith(({ holdsValue, negates }) => holdsValue || negates);
export const openingKeys: readonly string[] = keysWith(({ opens }) => opens);

/** With those that only Omni writes. */
export const describingKeys: readonly string[] = [...Object.keys(describingFields), 'fieldName', 'viewName'];

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
