// The documented keys, kinds and types of the condition of a filter. The service documents no complete list, so a
// condition may have more of them.

import type { Json, JsonObject } from '../values/json.ts';
import type { Field, Fields } from './field.ts';

const typesWithWords = {
  string: 'texts',
  number: 'numbers',
  date: 'days and times',
  boolean: 'true or false',
  null: 'whether there is a value',
  query: 'the rows of a query',
  by_query: 'what a query finds',
  user_attribute: 'an attribute of the person who looks',
  composite: 'several conditions, combined by `conjunction`',
} as const;

export type FilterType = keyof typeof typesWithWords;
export const filterTypes = Object.keys(typesWithWords) as readonly FilterType[];

/**
 * The keys that a kind compares with, as far as sources tell: `values`; one end of a range, in `left_side` or
 * `right_side`; or both ends, which are two of the `values` where they are numbers.
 */
type ComparesWith = 'nothing' | 'values' | 'end' | 'ends' | 'unknown';

interface KindRow {
  /** The values that pass; for a kind that is documented nowhere, as its name suggests. */
  readonly words: string;
  readonly compares: ComparesWith;
  /** The one type that has it; absent if several have it. */
  readonly type?: 'string' | 'number' | 'date';
}

/** The kinds for texts, numbers and dates; the other types have none. */
const kindRows = {
  EQUALS: { compares: 'values', words: 'equal to one of `values`' },
  CONTAINS: { compares: 'values', type: 'string', words: 'texts that contain one of `values`' },
  STARTS_WITH: { compares: 'values', type: 'string', words: 'texts that begin with one of `values`' },
  ENDS_WITH: { compares: 'values', type: 'string', words: 'texts that end with one of `values`' },
  SQL_LIKE: { compares: 'values', type: 'string', words: 'texts that match a pattern of SQL' },
  IS_EMPTY: { compares: 'nothing', words: 'texts without a character' },
  LESS_THAN: { compares: 'values', type: 'number', words: 'numbers below the one in `values`' },
  GREATER_THAN: { compares: 'values', type: 'number', words: 'numbers above the one in `values`' },
  BETWEEN: { compares: 'ends', words: 'from one end of a range to the other' },
  BEFORE: { compares: 'end', type: 'date', words: 'days and times before an end' },
  ON_OR_AFTER: { compares: 'end', type: 'date', words: 'days and times from an end on' },
  TIME_FOR_INTERVAL_DURATION: {
    compares: 'ends',
    type: 'date',
    words: 'days and times from `left_side`, for as long as `right_side` says',
  },
  TIME_FOR_UNIT_DURATION: { compares: 'unknown', type: 'date', words: 'a unit of time, such as a month' },
  QUERY_OFFSET: { compares: 'unknown', type: 'date', words: 'the same time as in a query, moved' },
  IS_ON_DAY_OF_WEEK: { compares: 'unknown', type: 'date', words: 'certain days of the week' },
  IS_ON_DAY_OF_MONTH: { compares: 'unknown', type: 'date', words: 'certain days of the month' },
  IS_ON_DAY_OF_QUARTER: { compares: 'unknown', type: 'date', words: 'certain days of the quarter' },
  IS_ON_DAY_OF_YEAR: { compares: 'unknown', type: 'date', words: 'certain days of the year' },
  IS_IN_WEEK_OF_YEAR: { compares: 'unknown', type: 'date', words: 'certain weeks of the year' },
  IS_IN_MONTH_OF_YEAR: { compares: 'unknown', type: 'date', words: 'certain months of the year' },
  IS_IN_QUARTER_OF_YEAR: { compares: 'unknown', type: 'date', words: 'certain quarters of the year' },
  IS_AT_HOUR_OF_DAY: { compares: 'unknown', type: 'date', words: 'certain hours of the day' },
} as const satisfies Readonly<Record<string, KindRow>>;

export type FilterKind = keyof typeof kindRows;
export const filterKinds = Object.keys(kindRows) as readonly FilterKind[];

interface FilterKey extends Field {
  /** It holds what the filter compares with. */
  readonly holdsValue?: true;
  readonly negates?: true;
  /** A different value of it lets different rows through, and nobody can tell which. */
  readonly opens?: true;
  /** Words of other tools that say the same, in lower case without hyphens; Omni documents nothing under them. */
  readonly foreign?: readonly string[];
}

/** The row of a key that takes anything. */
function anything(words: string, suggested?: Readonly<Record<string, string>>): Field {
  return { shape: { type: 'anything', suggested }, words };
}

/** The row of a key that is true or false, wherever its text comes from. */
function yesOrNo(words: string): Field {
  return { shape: { type: 'boolean' }, words };
}

/** The words about a value that is no filter. */
export const unknownFilterWords = 'What Omni makes of it is not documented: it may let all rows through.';

/** The keys of a condition, in the order in which people write them. */
export const conditionFields: Readonly<Record<string, FilterKey>> = {
  values: {
    shape: { type: 'list', items: { type: 'anything' } },
    words: 'The values that pass: `{ values: [Europe, Asia] }`.',
    holdsValue: true,
    foreign: ['val', 'vals', 'value', 'operand', 'operands'],
  },
  kind: {
    ...anything(
      'How to compare, such as `EQUALS`, `CONTAINS`, `GREATER_THAN`, `BETWEEN` or `ON_OR_AFTER`.',
      Object.fromEntries(filterKinds.map((name) => [name, kindRows[name].words])),
    ),
    opens: true,
    foreign: ['operator', 'op', 'condition', 'comparator', 'comparison', 'comparisontype'],
  },
  type: {
    ...anything('What is compared, such as `string`, `number`, `date` or `boolean`.', typesWithWords),
  },
  is_negative: {
    ...yesOrNo('When `true`, what does not match passes.'),
    negates: true,
    opens: true,
    foreign: [
      ...['not', 'exclude', 'excluded', 'excludes', 'isexcluded', 'negate', 'negated', 'negation', 'negative', 'isnot'],
      ...['isnegated', 'inverse', 'inverted', 'isinverted', 'invert', 'except', 'without'],
    ],
  },
  case_insensitive: yesOrNo('Of texts: when `true`, upper and lower case are the same.'),
  is_inclusive: yesOrNo('Of numbers: when `true`, a bound itself passes.'),
  left_side: {
    ...anything('Where a range begins: a date such as `2026-01-01`, or `7 days ago`.'),
    holdsValue: true,
  },
  right_side: {
    ...anything('Where a range ends: a date, which is not part of it, or a duration such as `7 days`.'),
    holdsValue: true,
  },
  offset_interval_string: { ...anything('Of dates: by how much the range is moved.'), holdsValue: true },
  isFiscal: yesOrNo('Of dates: whether the fiscal calendar counts.'),
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

export const valueKeys: readonly string[] = keysWith(({ holdsValue }) => holdsValue);
/** The keys without which a filter that needs a value limits nothing. */
export const limitingKeys: readonly string[] = keysWith(({ holdsValue, negates }) => holdsValue || negates);
export const negatingKeys: readonly string[] = keysWith(({ negates }) => negates);
export const openingKeys: readonly string[] = keysWith(({ opens }) => opens);
export const booleanKeys: readonly string[] = keysWith(({ shape }) => shape.type === 'boolean');

/** True for a key that people write. */
export function isKnownKey(key: string): boolean {
  return Object.hasOwn(conditionFields, key);
}

/** The key of Omni that a word of another tool stands for. */
export function foreignKey(word: string): string | undefined {
  return foreignKeys.get(word.replaceAll(/[-_]/g, '').toLowerCase());
}

const foreignKeys: ReadonlyMap<string, string> = new Map(
  Object.entries(conditionFields).flatMap(([name, { foreign = [] }]) => foreign.map((word) => [word, name] as const)),
);

/** The keys that describe a filter, including those that only Omni writes. */
export const describingKeys: readonly string[] = [...Object.keys(describingFields), 'fieldName', 'viewName'];

const typesWithoutValue = ['boolean', 'null', 'query', 'by_query', 'user_attribute'];

/** True if the kind or type alone limits rows. */
export function needsNoValue({ kind, type }: JsonObject): boolean {
  return comparedBy(kind) === 'nothing' || typesWithoutValue.includes(String(type).toLowerCase());
}

/** Names are the same in upper and lower case. */
export function isNamed(value: unknown, ...names: readonly string[]): boolean {
  return typeof value === 'string' && names.includes(value.toLowerCase());
}

export function isKnownKind(kind: Json): boolean {
  return knownKind(kind) !== undefined;
}

export function comparedBy(kind: Json | undefined): ComparesWith {
  return rowOf(kind)?.compares ?? 'unknown';
}

export function typeOfKind(kind: Json | undefined): KindRow['type'] {
  return rowOf(kind)?.type;
}

function rowOf(kind: Json | undefined): KindRow | undefined {
  const known = knownKind(kind);
  return known && kindRows[known];
}

/** Finds a kind by its name, in upper or lower case. */
function knownKind(kind: Json | undefined): FilterKind | undefined {
  const name = String(kind).toUpperCase();
  return filterKinds.find((each) => each === name);
}
