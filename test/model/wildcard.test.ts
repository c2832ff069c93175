// Patterns with `*`, which `ignore` in almanac.yaml and the options of commands share.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wildcard } from '../../src/model/values/words.ts';

describe('a pattern with stars', () => {
  it.each([
    ['tmp *', 'tmp export', true],
    ['tmp *', 'tmp', false],
    ['*@partner.com', 'ana@partner.com', true],
    ['a*b*c', 'abc', true],
    ['ab*ba', 'aba', false],
    ['a.c', 'abc', false],
    ['*', '', true],
    ['Tmp *', 'tmp export', false],
  ])('%s for the text %s matches: %s', (pattern, text, matches) => {
    expect(wildcard(pattern)(text)).toBe(matches);
  });

  it('matches whatever the case of letters where that is asked for', () => {
    expect(wildcard('*@Partner.com', { ignoresCase: true })('Ana@PARTNER.com')).toBe(true);
  });

  it('matches exactly what a regular expression with .* would', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, given) => {
        const expected = new RegExp(`^${pattern.split('*').join('.*')}$`).test(given);
        expect(wildcard(pattern)(given)).toBe(expected);
      }),
    );
  });

  it('answers at once for many stars and a long text', () => {
    expect(wildcard('*a'.repeat(30))(`${'a'.repeat(2000)}b`)).toBe(false);
  });
});
