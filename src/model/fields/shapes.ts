// The forms that fields of several kinds share.

import type { Field, Fields, Shape } from './field.ts';
import { filterKinds, filterTypes } from './filter-kinds.ts';
import * as patterns from './patterns.ts';

/** The row of a field that is off unless it is set. */
export function flag<const R extends Omit<Field, 'shape' | 'default'>>(row: R) {
  return { shape: { type: 'boolean' }, default: false, ...row } as const;
}

/** The row of a field that holds any text but the empty one. */
export function filled<const R extends Omit<Field, 'shape'>>(row: R) {
  return { shape: { type: 'string', minLength: 1 }, ...row } as const;
}

export const uuid = {
  type: 'string',
  pattern: patterns.uuid,
  patternWords: 'A UUID, such as `987fcdeb-51a2-43d7-9b56-254415f67890`.',
  code: 'invalid-uuid',
} as const satisfies Shape;

export const webAddress = {
  type: 'string',
  pattern: patterns.urlShape,
  patternWords: 'An absolute URL that begins with `http://` or `https://` and names a host.',
  code: 'invalid-url',
  explained: true,
} as const satisfies Shape;

export const dashboardIdentifier = {
  type: 'string',
  minLength: 1,
  pattern: patterns.identifierShape,
  patternWords: 'Only the identifier, such as `12db1a0a`: the last part of the URL, not the whole URL.',
  code: 'identifier-is-url',
  explained: true,
} as const satisfies Shape;

export const emailAddress = {
  type: 'string',
  pattern: patterns.emailShape,
  patternWords: 'An e-mail address, such as `ana@example.com`.',
  code: 'invalid-email',
  explained: true,
} as const satisfies Shape;

// The keys of a filter as far as they are known. The service documents no complete list, so others are passed on.

function anything<const T extends readonly string[]>(words: string, suggested?: T) {
  return { shape: { type: 'anything', suggested }, words } as const;
}

const conditionKeys = {
  values: {
    shape: { type: 'list', items: { type: 'anything' } },
    words: 'The values that pass: `{ values: [Europe, Asia] }`.',
  },
  kind: anything(
    'How to compare, such as `EQUALS`, `CONTAINS`, `GREATER_THAN`, `BETWEEN` or `ON_OR_AFTER`.',
    filterKinds,
  ),
  type: anything('What is compared, such as `string`, `number`, `date` or `boolean`.', filterTypes),
  is_negative: anything('When `true`, what does not match passes.'),
  case_insensitive: anything('Of texts: when `true`, upper and lower case are the same.'),
  is_inclusive: anything('Of numbers: when `true`, a bound itself passes.'),
  left_side: anything('Where a range begins: a date such as `2026-01-01`, or `7 days ago`.'),
  right_side: anything('Where a range ends: a date, which is not part of it, or a duration such as `7 days`.'),
  offset_interval_string: anything('Of dates: by how much the range is moved.'),
  isFiscal: anything('Of dates: whether the fiscal calendar counts.'),
  ui_type: anything('Of dates: how the dashboard shows the filter, such as `PAST`.'),
  conjunction: anything('`AND` or `OR`: how `filters` are combined.'),
  filters: anything('The conditions that `conjunction` combines.'),
} as const satisfies Fields;

/** The value of a filter for one delivery. */
export const deliveryFilter = {
  type: 'object',
  explained: true,
  open: true,
  fields: conditionKeys,
  words: 'The value of this filter, such as `{ values: [Europe] }`. Keys that Almanac does not know are passed on.',
} as const satisfies Shape;

/** What an update sets on a filter of a dashboard. */
export const dashboardFilter = {
  type: 'object',
  explained: true,
  open: true,
  fields: {
    ...conditionKeys,
    values: {
      shape: { type: 'list', items: { type: 'string' } },
      words: 'The values of the filter. Quote a value that looks like a number, and the words `true` and `false`.',
    },
    label: anything('The name of the filter on the dashboard.'),
    description: anything('The description of the filter on the dashboard.'),
    required: anything('Whether the filter must have a value.'),
    requiredScope: anything('`dashboard` or `tiles`: what needs the value.'),
    hidden: anything('Whether the dashboard hides the filter.'),
  },
  words: 'What to set on this filter, such as `{ values: [Europe] }`. Keys that Almanac does not know are passed on.',
} as const satisfies Shape;
