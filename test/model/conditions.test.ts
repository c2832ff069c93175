// What two filters let through, by the keys of their conditions.

import { expect, it } from 'vitest';
import { isSameCondition, isUnset } from '../../src/model/fields/conditions.ts';
import { valueKeys } from '../../src/model/fields/filter-keys.ts';

const period = { kind: 'TIME_FOR_UNIT_DURATION', type: 'date', ui_type: 'PAST' };

it.each(valueKeys)('a filter with a value in %s is another one than a filter without, and limits rows', (key) => {
  const limited = { ...period, [key]: ['1 month'] };
  expect(isSameCondition(limited, period)).toBe(false);
  expect(isSameCondition(limited, { ...period, [key]: [] })).toBe(false);
  expect([isUnset(limited), isUnset(period)]).toEqual([false, true]);
});

it('a filter is the same whether a key that only describes it is there or not', () => {
  const said = { ...period, values: ['7 days'] };
  expect(isSameCondition(said, { ...said, label: 'Period', fieldName: 'created', viewName: 'orders' })).toBe(true);
});
