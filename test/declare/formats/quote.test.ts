import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quote } from '../../../src/model/values/words.ts';

describe('quote', () => {
  it.each([
    ['a`b', "`a'b`"],
    ['a\nb', '`a\\u{a}b`'],
    ['a\u202eb\u200b', '`a\\u{202e}b\\u{200b}`'],
    ['x'.repeat(60), `\`${'x'.repeat(60)}\``],
    ['😀'.repeat(100), `\`${'😀'.repeat(60)}…\``],
  ])('quote shows %j as %s', (text, shown) => expect(quote(text)).toBe(shown));

  it('quote gives one line without control characters', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quote(text)).toMatch(/^`[^\p{C}\p{Zl}\p{Zp}`]*`$/u);
      }),
    ));
});
