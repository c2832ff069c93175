// Patterns with `*`, which `ignore` in almanac.yaml and the options of commands share.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wildcard } from '../../src/model/values/wildcard.ts';

it('a pattern with stars matches exactly what a regular expression with .* would, in any case where that is asked for', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', '*'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, fc.boolean(), (pattern, given, ignoresCase) => {
      const expected = new RegExp(`^${pattern.split('*').join('.*')}$`, ignoresCase ? 'i' : '');
      expect(wildcard(pattern, { ignoresCase })(given.toLowerCase())).toBe(expected.test(given.toLowerCase()));
      expect(wildcard(pattern)(pattern)).toBe(true);
    }),
  );
  expect(['abc', 'a.c'].map(wildcard('a.c'))).toEqual([false, true]);
});

it('a pattern with many stars answers at once for a long text', () => {
  expect(wildcard('*a'.repeat(30))(`${'a'.repeat(2000)}b`)).toBe(false);
});
