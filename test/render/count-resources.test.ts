// Counts of resources in reports: whose instances they are, and what loops make of a declaration.

import { expect, test } from 'vitest';
import { countResources, loopWords } from '../../src/render/fields/count-resources.ts';

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

test('a plan says how many declarations its instances come from', () => {
  const changes = instances.map((address) => ({ address, kind: 'schedule' as const }));
  const others = [{ address: 'dashboards.a', kind: 'dashboard' as const }];
  expect(loopWords(changes)).toBe('1 declaration, 2 schedules');
  expect(loopWords([...changes, ...others])).toBe('2 schedules from 1 declaration');
  expect(loopWords([...changes, { address: 'dashboards.a.b', kind: 'dashboard' }])).toBe('2 declarations, 3 resources');
  expect(loopWords(others)).toBe('');
});
