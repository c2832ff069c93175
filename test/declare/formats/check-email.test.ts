import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEmail } from '../../../src/declare/formats/check-email.ts';
import { emailShape } from '../../../src/model/fields/patterns.ts';
import { invalidEmails, validEmails } from '../../support/property/odd-texts.ts';

describe('checkEmail', () => {
  it.each(validEmails)('the e-mail address %s is accepted', (value) => {
    expect(checkEmail(value)).toEqual([]);
    expect(value).toMatch(new RegExp(emailShape, 'u'));
  });

  it.each(invalidEmails)('the e-mail address %j is refused: %s', (value, words) => {
    const problems = checkEmail(value);
    expect(problems).toMatchObject([{ code: 'invalid-email', message: expect.stringContaining(words) }]);
  });

  it('an e-mail check names the address inside a display name', () =>
    expect(checkEmail('Ana <ana@example.com>')[0]?.hint).toBe('Write `ana@example.com`.'));

  it('an e-mail check names the ASCII form of a domain', () =>
    expect(checkEmail('ana@münchen.de')[0]?.hint).toContain('xn--mnchen-3ya.de'));

  it('an e-mail check accepts ordinary addresses and never a character that could start a header', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (value) => {
        expect(checkEmail(value)).toEqual([]);
      }),
    );
    const break_ = fc.constantFrom('\r', '\n', '\u0000', '\u0085', '\u2028', ' ', '\t');
    fc.assert(
      fc.property(fc.emailAddress(), fc.nat(), break_, (value, seed, character) => {
        const place = seed % (value.length + 1);
        expect(checkEmail(value.slice(0, place) + character + value.slice(place))).toHaveLength(1);
      }),
    );
  });

  it('an e-mail check answers quickly and briefly to hostile texts of 100 kB', () => {
    for (const piece of ['a', '.', '@', '<', '<>', 'a@', 'a.', '-', '"', ' ', '\n', 'ä', '@,', '\ud800', '<a@b.co>']) {
      for (const value of [
        piece.repeat(100_000),
        `a@${piece.repeat(100_000)}.com`,
        `${piece.repeat(100_000)}@example.com`,
      ]) {
        expect(checkEmail(value)).toHaveLength(1);
        expect(JSON.stringify(checkEmail(value)).length).toBeLessThan(1500);
      }
    }
  });
});
