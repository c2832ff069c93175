// The keys of a filter as far as they are known. The service documents no complete list, so others are passed on.

import type { Fields, Shape } from './field.ts';

const conditionKeys = {
  values: {
    shape: { type: 'list', items: { type: 'anything' } },
    words: 'The values that pass: `{ values: [Europe, Asia] }`.',
  },
  kind: {
    shape: { type: 'anything' },
    words: 'How to compare, such as `EQUALS`, `CONTAINS`, `GREATER_THAN`, `BETWEEN` or `ON_OR_AFTER`.',
  },
  type: {
    shape: { type: 'anything' },
    words: 'What is compared, such as `string`, `number`, `date` or `boolean`.',
  },
  is_negative: { shape: { type: 'anything' }, words: 'When `true`, what does not match passes.' },
  case_insensitive: { shape: { type: 'anything' }, words: 'Of texts: when `true`, upper and lower case are the same.' },
  is_inclusive: { shape: { type: 'anything' }, words: 'Of numbers: when `true`, a bound itself passes.' },
  left_side: {
    shape: { type: 'anything' },
    words: 'Where a range begins: a date such as `2026-01-01`, or `7 days ago`.',
  },
  right_side: {
    shape: { type: 'anything' },
    words: 'Where a range ends: a date, which is not part of it, or a duration such as `7 days`.',
  },
  offset_interval_string: { shape: { type: 'anything' }, words: 'Of dates: by how much the range is moved.' },
  isFiscal: { shape: { type: 'anything' }, words: 'Of dates: whether the fiscal calendar counts.' },
  ui_type: { shape: { type: 'anything' }, words: 'Of dates: how the dashboard shows the filter, such as `PAST`.' },
  conjunction: { shape: { type: 'anything' }, words: '`AND` or `OR`: how `filters` are combined.' },
  filters: { shape: { type: 'anything' }, words: 'The conditions that `conjunction` combines.' },
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
    label: { shape: { type: 'anything' }, words: 'The name of the filter on the dashboard.' },
    description: { shape: { type: 'anything' }, words: 'The description of the filter on the dashboard.' },
    required: { shape: { type: 'anything' }, words: 'Whether the filter must have a value.' },
    requiredScope: { shape: { type: 'anything' }, words: '`dashboard` or `tiles`: what needs the value.' },
    hidden: { shape: { type: 'anything' }, words: 'Whether the dashboard hides the filter.' },
  },
  words: 'What to set on this filter, such as `{ values: [Europe] }`. Keys that Almanac does not know are passed on.',
} as const satisfies Shape;
