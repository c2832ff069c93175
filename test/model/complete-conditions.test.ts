// Which conditions are completed, by the table of kinds and types: what is certain gets its type and its kind, anything else stays
// as it is written.

import { describe, expect, it, test } from 'vitest';
import { completed, lackedKey, withoutCompleted } from '../../src/model/fields/complete-conditions.ts';
import type { filterKinds, filterTypes } from '../../src/model/fields/filter-keys.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { sealedSecret } from '../../src/model/values/secret.ts';

const text = { kind: 'EQUALS', type: 'string' };
const ofValues: readonly (readonly [string, readonly (string | number | boolean | null | JsonObject)[], JsonObject])[] =
  [
    ['texts', ['Europe', 'Asia'], text],
    ['texts of which one is no number', ['1000', 'A12'], text],
    ['a text beside null', ['Europe', null], text],
    ['a text in letters that YAML 1.1 takes for a boolean', ['no'], text],
    ['a version', ['1.2.3'], text],
    ['a text that begins like an exponent', ['E5'], text],
    ['a text of digits', ['1000'], {}],
    ['a text of digits with zeros before it', ['0042'], {}],
    ['a text with an exponent', ['1e5'], {}],
    ['a text of digits in groups', ['1,000.50'], {}],
    ['a number', [42], {}],
    ['texts and numbers', ['Europe', 42], {}],
    ['a day', ['2026-01-01'], {}],
    ['a day in another writing', ['31/12/2026'], {}],
    ['a boolean', [true], {}],
    ['a secret', [sealedSecret(null)], {}],
    ['no value', [], {}],
    ['a blank', [' '], {}],
    ['a list', [['Europe']] as never, {}],
  ];

describe('the values of a filter without a type', () => {
  it.each(ofValues)('%s are completed only where they are certain', (_, values, added) => {
    expect(completed({ values })).toEqual({ values, ...added });
    expect(completed({ values, is_negative: true })).toEqual({ values, is_negative: true, ...added });
    expect(completed({ kind: 'equals', values })).toEqual({ values, ...added, kind: 'equals' });
  });
});

const ofKinds: Readonly<Record<(typeof filterKinds)[number], readonly (readonly [JsonObject, string | undefined])[]>> =
  {
    EQUALS: [
      [{ values: ['Europe'] }, 'string'],
      [{ values: [42] }, undefined],
    ],
    CONTAINS: [[{ values: ['1000'] }, 'string']],
    STARTS_WITH: [[{ values: ['1000'] }, 'string']],
    ENDS_WITH: [[{ values: ['1000'] }, 'string']],
    SQL_LIKE: [[{ values: ['10%'] }, 'string']],
    IS_EMPTY: [[{}, undefined]],
    LESS_THAN: [[{ values: ['1000'] }, 'number']],
    GREATER_THAN: [[{ values: [12.5] }, 'number']],
    BETWEEN: [
      [{ values: [1, '5'] }, 'number'],
      [{ left_side: '2026-01-01', right_side: '2026-02-01' }, 'date'],
      [{ values: ['2026-01-01', '2026-02-01'] }, undefined],
      [{ values: [1, 5], left_side: '1' }, undefined],
      [{}, undefined],
    ],
    BEFORE: [[{ right_side: '2026-01-01' }, 'date']],
    ON_OR_AFTER: [[{ left_side: '7 days ago' }, 'date']],
    TIME_FOR_INTERVAL_DURATION: [[{ left_side: '7 days ago', right_side: '7 days' }, 'date']],
    TIME_FOR_UNIT_DURATION: [[{ left_side: '7 days ago' }, 'date']],
    QUERY_OFFSET: [[{ offset_interval_string: '1 day' }, 'date']],
    IS_ON_DAY_OF_WEEK: [[{ values: [1] }, 'date']],
    IS_ON_DAY_OF_MONTH: [[{ values: [1] }, 'date']],
    IS_ON_DAY_OF_QUARTER: [[{ values: [1] }, 'date']],
    IS_ON_DAY_OF_YEAR: [[{ values: [1] }, 'date']],
    IS_IN_WEEK_OF_YEAR: [[{ values: [1] }, 'date']],
    IS_IN_MONTH_OF_YEAR: [[{ values: [1] }, 'date']],
    IS_IN_QUARTER_OF_YEAR: [[{ values: [1] }, 'date']],
    IS_AT_HOUR_OF_DAY: [[{ values: [1] }, 'date']],
  };

describe('a kind without a type', () => {
  const rows = Object.entries(ofKinds).flatMap(([kind, each]) =>
    each.map(([rest, type]) => [kind, rest, type] as const),
  );
  it.each(rows)('%s with %j is completed only where the type is certain, in capitals or not', (name, rest, type) => {
    for (const kind of [name, name.toLowerCase()])
      expect(completed({ kind, ...rest })).toEqual({ kind, ...rest, ...(type && { type }) });
  });
});

const ofTypes: Readonly<
  Record<(typeof filterTypes)[number], readonly (readonly [JsonObject, JsonObject, lacks?: 'kind'])[]>
> = {
  string: [
    [{ values: ['1000'] }, { kind: 'EQUALS' }],
    [{ values: [] }, { kind: 'EQUALS' }],
    [{ left_side: 'A' }, {}, 'kind'],
  ],
  number: [
    [{ values: ['1000', 42] }, { kind: 'EQUALS' }],
    [{ left_side: 1, right_side: 2 }, {}, 'kind'],
  ],
  date: [
    [{ values: ['2026-01-01'] }, {}, 'kind'],
    [{ left_side: '7 days ago' }, {}, 'kind'],
  ],
  boolean: [[{ is_negative: true }, {}]],
  null: [[{}, {}]],
  query: [[{ values: [] }, {}]],
  by_query: [[{}, {}]],
  user_attribute: [[{}, {}]],
  composite: [[{ conjunction: 'OR' }, {}]],
};

describe('a type without a kind', () => {
  const rows = Object.entries(ofTypes).flatMap(([type, each]) =>
    each.map(([rest, added, lacks]) => [type, rest, added, lacks] as const),
  );
  it.each(rows)(
    '%s with %j is completed only where the kind is certain, in small letters or not',
    (name, rest, added, lacks) => {
      for (const type of [name, name.toUpperCase()]) {
        const whole = completed({ type, ...rest });
        expect(whole).toEqual({ type, ...rest, ...added });
        expect(lackedKey(whole)).toBe(lacks);
      }
    },
  );
});

test('the conditions that a filter combines are completed, and the filter is a composite', () => {
  const combined: JsonObject = { conjunction: 'OR', filters: [{ values: ['Europe'] }, { kind: 'IS_EMPTY' }] };
  expect(completed(combined)).toEqual({
    conjunction: 'OR',
    filters: [{ values: ['Europe'], ...text }, { kind: 'IS_EMPTY' }],
    type: 'composite',
  });
  expect(completed({ ...combined, type: 'Composite' }).type).toBe('Composite');
});

test('a condition stays where its keys are those of another tool, a null or unknown, and where it is whole', () => {
  for (const condition of [
    { values: ['Europe'], operator: 'is' },
    { values: ['Europe'], type: null },
    { values: ['Europe'], kind: null },
    { values: ['Europe'], type: 'text' },
    { values: ['Europe'], ...text },
    { is_negative: true },
    { left_side: '2026-01-01' },
    {},
  ] as readonly JsonObject[])
    expect(completed(condition)).toBe(condition);
});

test('what people read has none of the keys that would be added, and completing it gives the same condition', () => {
  expect(withoutCompleted({ values: ['Europe'], ...text })).toEqual({ values: ['Europe'] });
  expect(withoutCompleted({ values: [42], kind: 'EQUALS', type: 'number' })).toEqual({ values: [42], type: 'number' });
  expect(withoutCompleted({ values: ['a'], kind: 'CONTAINS', type: 'string' })).toEqual({
    values: ['a'],
    kind: 'CONTAINS',
  });
  expect(withoutCompleted({ values: ['a'], type: 'number', kind: 'LESS_THAN' })).toEqual({
    values: ['a'],
    kind: 'LESS_THAN',
  });
  const rows = [
    ...ofValues.map(([, values]) => ({ values })),
    ...Object.values(ofKinds)
      .flat()
      .map(([rest]) => rest),
  ];
  for (const row of rows) expect(completed(withoutCompleted(completed(row)))).toEqual(completed(row));
});
