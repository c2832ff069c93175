// Counts of resources in reports: whose instances they are, and what loops make of a declaration.

import { describe, expect, test } from 'vitest';
import { countResources, keysOfCounted, loopCounts } from '../../src/report/plan/plan-counts.ts';

const instances = ['schedules.regional-sales.emea', 'schedules.regional-sales.amer'];

test('instances of one loop are counted as its instances', () => {
  expect(countResources('schedule', instances)).toBe('2 instances of regional-sales');
});

test.each([
  ['a single one', instances.slice(1), '1 schedule'],
  ['single schedules', ['schedules.a', 'schedules.b'], '2 schedules'],
  ['instances of two loops', [...instances, 'schedules.b.c'], '3 schedules'],
  ['an instance and a single schedule', ['schedules.regional-sales', ...instances], '3 schedules'],
  ['instances of what has no valid key', ['schedules.<b>.a', 'schedules.<b>.b'], '2 schedules'],
])('%s: counted as what they are', (_, addresses, words) => {
  expect(countResources('schedule', addresses)).toBe(words);
});

test.each([
  ['instances of one loop by their items', instances, ['emea', 'amer']],
  [
    'others by what is behind their section',
    ['schedules.a', ...instances],
    ['a', 'regional-sales.emea', 'regional-sales.amer'],
  ],
  ['what is no address as it is', ['a', 'b'], ['a', 'b']],
])('those that are counted are called: %s', (_, addresses, keys) => {
  expect(keysOfCounted(addresses)).toEqual(keys);
});

describe('the declarations that the changes of a plan come from', () => {
  const created = instances.map((address) => ({ address, kind: 'schedule', action: 'create' }) as const);
  const dashboard = { address: 'dashboards.a', kind: 'dashboard', action: 'update' } as const;

  test('a plan says how many declarations its instances come from', () => {
    expect(loopCounts(created)).toBe('from 1 loop');
    expect(loopCounts([...created, dashboard])).toBe('2 of them from 1 loop');
    expect(loopCounts([...created, { ...dashboard, address: 'dashboards.a.b' }])).toBe('from 2 loops');
    expect(loopCounts([dashboard])).toBe('');
  });

  test.each(['delete', 'forget'] as const)('instances to %s come from no declaration', (action) => {
    const gone = created.map((change) => ({ ...change, action }));
    expect(loopCounts(gone)).toBe('');
    expect(loopCounts([...gone, ...created])).toBe('2 of them from 1 loop');
  });
});
