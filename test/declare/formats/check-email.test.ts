import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEmail } from '../../../src/declare/formats/check-email.ts';
import { emailShape } from '../../../src/model/fields/patterns.ts';
import { runs } from '../../support/runs/runs.ts';

const label63 = 'd'.repeat(63);
const domain254 = `${label63}.${label63}.${label63}.${'d'.repeat(62)}`;

const valid = [
  'ana@example.com',
  'ANA@EXAMPLE.COM',
  'a@b.co',
  'ana.maria+reports@mail.example.co.uk',
  "o'hara@example.com",
  "!#$%&'*+-/=?^_`{|}~@example.com",
  '-ana-@example.com',
  '1@2.example',
  'ana@1.example',
  'ana@a-b.example',
  'ana@a--b.example',
  'ana@xn--mnchen-3ya.de',
  'ana@example.xn--p1ai',
  `${'l'.repeat(64)}@example.com`,
  `a@${label63}.example`,
  `a@${domain254}`,
];

const invalid = [
  ['', 'empty'],
  ['   ', 'empty'],
  ['ana', 'no `@`'],
  ['ana.example.com', 'no `@`'],
  ['@example.com', 'before the `@`'],
  ['ana@', 'after the `@`'],
  ['@', 'before the `@`'],
  ['ana@@example.com', 'contains `@`'],
  ['ana@evil.com@example.com', 'contains `@`'],
  ['ana@localhost', 'has no dot'],
  ['ana@.example.com', 'empty part'],
  ['ana@example.com.', 'empty part'],
  ['ana@example..com', 'empty part'],
  ['.ana@example.com', 'dot'],
  ['ana.@example.com', 'dot'],
  ['a..b@example.com', 'dot'],
  ['ana@-example.com', 'hyphen'],
  ['ana@example-.com', 'hyphen'],
  ['ana@exa_mple.com', 'character'],
  ['ana@exa!mple.com', 'character'],
  ['ana@example.com:25', 'character'],
  ['ana@127.0.0.1', 'ends in a number'],
  ['ana@example.123', 'ends in a number'],
  ['ana@[127.0.0.1]', 'IP address'],
  ['ana@[IPv6:::1]', 'IP address'],
  ['ana@münchen.de', 'beyond ASCII'],
  ['ana@例え.jp', 'beyond ASCII'],
  ['anä@example.com', 'contains `ä`'],
  ['а@example.com', 'contains `а`'],
  ['"ana"@example.com', 'quoted'],
  ['"a.b..c"@example.com', 'quoted'],
  ['ana(work)@example.com', 'contains `(`'],
  ['ana@example.com(work)', 'character'],
  ['ana\\x@example.com', 'contains `\\`'],
  ['Ana <ana@example.com>', 'display names'],
  ['"Ana" <ana@example.com>', 'display names'],
  ['<ana@example.com>', 'display names'],
  ['mailto:ana@example.com', 'link'],
  ['Bcc:ana@example.com', 'contains `:`'],
  ['ana@example.com,bo@example.com', 'more than one'],
  ['ana@example.com; bo@example.com', 'more than one'],
  ['ana@example.com bo@example.com', 'space'],
  ['ana @example.com', 'space'],
  [' ana@example.com', 'space'],
  ['ana@example.com ', 'space'],
  ['ana@exam ple.com', 'space'],
  ['ana@example.com\n', 'line break'],
  ['ana@example.com\r\nBcc: eve@example.com', 'line break'],
  ['ana@example.com\tx', 'U+0009'],
  ['ana\u0000@example.com', 'U+0000'],
  ['ana\u007f@example.com', 'U+007F'],
  ['ana\u200b@example.com', 'U+200B'],
  ['ana@example.com\u202e', 'U+202E'],
  ['\ufeffana@example.com', 'U+FEFF'],
  ['ana\u00ad@example.com', 'U+00AD'],
  ['ana@exam\u00a0ple.com', 'U+00A0'],
  ['ana\u2028@example.com', 'U+2028'],
  ['ana\ud800@example.com', 'U+D800'],
  [`${'l'.repeat(65)}@example.com`, '65 characters'],
  [`a@${'d'.repeat(64)}.example`, '64 characters'],
  [`a@d${domain254}`, '255 characters'],
  [`a@${label63}.${label63}.${label63}.${label63}`, '255 characters'],
] as const;

describe('checkEmail', () => {
  it.each(valid)('the e-mail address %s is accepted', (value) => {
    expect(checkEmail(value)).toEqual([]);
    expect(value).toMatch(new RegExp(emailShape, 'u'));
  });

  it.each(invalid)('the e-mail address %j is refused: %s', (value, words) => {
    const problems = checkEmail(value);
    expect(problems).toMatchObject([{ code: 'invalid-email', message: expect.stringContaining(words) }]);
  });

  it('an e-mail check names the address inside a display name', () =>
    expect(checkEmail('Ana <ana@example.com>')[0]?.hint).toBe('Write `ana@example.com`.'));

  it('an e-mail check names the ASCII form of a domain', () =>
    expect(checkEmail('ana@münchen.de')[0]?.hint).toContain('xn--mnchen-3ya.de'));

  it('an e-mail check accepts nothing that the pattern of the schema refuses', () => {
    const shape = new RegExp(emailShape, 'u');
    const part = fc.string({
      unit: fc.constantFrom('a', '1', '-', '.', '_', '+', '"', ' ', '@', ',', 'ä', '<'),
      maxLength: 8,
    });
    const address = fc.oneof(
      fc.tuple(part, part).map((parts) => `${parts.join('@')}.com`),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(address, (value) => checkEmail(value).length > 0 || shape.test(value)),
      { numRuns: runs(5000) },
    );
  });

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
