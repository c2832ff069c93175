// Names as words for keys: what is left of any name, and keys that are made unique.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOf, takeName, withSuffix } from '../../../../src/commands/base/kebab.ts';
import { resourceKey } from '../../../../src/model/fields/patterns.ts';
import { kebabOf } from '../../../../src/model/values/words.ts';

describe('a key', () => {
  test.each([
    ['Weekly sales report', 'weekly-sales-report'],
    ["  Someone's “alert”!! ", 'someones-alert'],
    ['Umsätze: Süd & Straße', 'umsatze-sud-strasse'],
    ['12 months', 'schedule-12-months'],
    ['売上', 'schedule'],
    ['📈', 'schedule'],
    ['', 'schedule'],
    ['ﬁnance ①', 'finance-1'],
    ['a'.repeat(100), 'a'.repeat(64)],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ])('the key for the name %j is %s', (name, key) => {
    expect(keyOf(name, 'schedule')).toBe(key);
  });

  test('a key is valid for any name, and stays valid when it is made unique', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 100 }), { maxLength: 12 }), (names) => {
        const taken = new Set<string>();
        const keys = names.map((name) => takeName([keyOf(name, 'schedule')], taken));
        for (const key of keys) expect(key).toMatch(new RegExp(resourceKey, 'u'));
        expect(new Set(keys).size).toBe(names.length);
      }),
    );
  });
});

test('the first free key of several names is used, or else a key with a number', () => {
  const taken = new Set(['a', 'b-2']);
  expect(takeName(['a', 'b'], taken)).toBe('b');
  expect(takeName(['a', 'b'], taken)).toBe('a-2');
  expect(takeName(['b'], taken)).toBe('b-3');
});

test('a suffix is whole as long as the key keeps its beginning, and the key stays short enough', () => {
  expect(withSuffix('weekly', 'sales')).toBe('weekly-sales');
  expect(withSuffix('a'.repeat(64), 'slack')).toBe(`${'a'.repeat(58)}-slack`);
  const long = withSuffix('a'.repeat(64), `${'b'.repeat(40)}-monday-0800`);
  expect(long).toBe(`${'a'.repeat(20)}-monday-0800`);
});

test('words that are joined to a key have no hyphen at their end', () => {
  expect(kebabOf('-- a -- b --')).toBe('a-b');
});
