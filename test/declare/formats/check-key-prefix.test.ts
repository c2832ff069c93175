import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkKeyPrefix } from '../../../src/declare/rules/s3-destination.ts';
import { runs } from '../../support/runs/runs.ts';

const valid = [
  '',
  '/',
  'reports',
  'reports/',
  '/reports/weekly/',
  'a..b',
  '..backup',
  'backup..',
  '...',
  'a/.../b',
  '.',
  './a',
  'a/./b',
  '. .',
  '.%20.',
  'a%2fb',
  'a b/c',
  '100%',
  '%',
  '%2',
  '%zz/..a',
  'año/día',
  '日本語/レポート',
  '😀',
  'a;b/c',
  '..a;b',
  '%2e',
  '%2e/%2e',
  '.%2f.',
  'a.%2e',
  '..%61',
  'year=2024/month=01',
  'a//b',
  '\u2026',
  '%u002e',
  '..\u0301',
  'x;..',
  'x;a=..',
  'x\u0000..',
  'a..',
  '..%c3%bc',
  '..\u200bx',
  '%c0%ae',
  '.;.',
  '.\u0000.',
];

const invalid = [
  '..',
  '../../validate/',
  '/..',
  '../a',
  'a/..',
  'a/../b',
  'a/b/..',
  '..\\',
  'a\\..\\b',
  '\\..',
  'a/..\\b',
  // white space around the segment
  ' ..',
  '.. ',
  'a/ .. /b',
  '\t..',
  '..\n',
  '..%20',
  '%20../',
  '..%09',
  '..\u00a0',
  '\u3000../',
  '..%c2%a0',
  '..\u2028',
  '..%85',
  '\u0085..',
  '..%a0',
  '\ufeff..',
  // cut off at a semicolon or a control character
  '..;',
  '..;/',
  'a/..;x=y/b',
  '..;a',
  '..%3b',
  '..%00',
  'a/..%00.txt',
  '..\u0000x/y',
  '..%0d%0a',
  '.. ;',
  '..\u007f',
  '..%c2%80',
  '..\uff1bx',
  '..\u037ex',
  // percent-encoding, once and more
  '%2e%2e',
  '%2E%2e/',
  '.%2e',
  '%2e.',
  '..%2f',
  '..%2F',
  '..%5c',
  'a%2f..',
  'a%2f%2e%2e%2fb',
  '%252e%252e',
  '%25252e%25252e%25252f',
  '..%252f',
  '..%255c',
  '%%32%65%%32%65',
  '%2%65%2%65/',
  // overlong UTF-8 and its loose readings
  '%c0%ae%c0%ae',
  '%C0%AE.',
  '..%c0%af',
  'a%c0%af..',
  '..%c1%9c',
  '%e0%80%ae%e0%80%ae/',
  '%f0%80%80%ae.',
  '%f8%80%80%80%ae.',
  '%fc%80%80%80%80%ae.',
  '%c0%2e%c0%2e',
  '%e0%40%ae%e0%40%ae',
  '%25c0%25ae%25c0%25ae',
  '%c0%25ae.',
  '%c0%a52e.',
  // %u
  '%u002e%u002e',
  '%u002E.',
  '%uff0e%uff0e',
  '..%u2215/..',
  '..%u005c',
  '..%u002f',
  '%25u002e.',
  '%u2025',
  // compatibility forms
  '\uff0e\uff0e',
  '.\uff0e',
  '\u2024.',
  '\u2025',
  '\ufe52\ufe52',
  '..\uff0f',
  '..\uff3c',
  '\ufe68..',
  '\uff05\uff12\uff45.',
  '%ef%bc%8e%ef%bc%8e',
  '%EF%BC%852e.',
  '%e2%80%a5',
  '\uff052\uff45\uff052e',
];

describe('checkKeyPrefix', () => {
  it.each(valid)('the key prefix %j is accepted', (value) => expect(checkKeyPrefix(value)).toEqual([]));

  it.each(invalid)('the key prefix %j is refused', (value) => {
    for (const prefix of [value, `a/${value}/b`]) {
      expect(checkKeyPrefix(prefix)).toMatchObject([
        { code: 'invalid-key-prefix', message: expect.stringContaining('`..`') },
      ]);
    }
  });

  const hex = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
  /** Ways to write an ASCII character. */
  const encodings: ReadonlyArray<(character: string) => string> = [
    (character) => character,
    (character) => hex(character.charCodeAt(0)),
    (character) => hex(character.charCodeAt(0)).toUpperCase(),
    (character) => `%u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0),
    (character) => hex(0xc0 | (character.charCodeAt(0) >> 6)) + hex(0x80 | (character.charCodeAt(0) & 0x3f)),
    (character) =>
      hex(0xe0) + hex(0x80 | (character.charCodeAt(0) >> 6)) + hex(0x80 | (character.charCodeAt(0) & 0x3f)),
    (character) => encodeURIComponent(String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
  ];
  const encoding = fc.constantFrom(...encodings);

  /** A text, each character of it written in some way, and each character of that again, some times over. */
  function encoded(text: string, depth: number): fc.Arbitrary<string> {
    if (depth === 0) return fc.constant(text);
    return fc
      .array(encoding, { minLength: text.length, maxLength: text.length })
      .map((ways) =>
        [...text].map((character, index) => (/[!-~]/.test(character) ? ways[index]?.(character) : character)).join(''),
      )
      .chain((once) => encoded(once, depth - 1));
  }

  const separator = fc.constantFrom('/', '\\');
  const around = fc.constantFrom('', ' ', '\t', '\u00a0', '\n ');
  const tail = fc.constantFrom('', '', ';x', '\u0000.csv', '%00');
  const ordinary = fc.string({ unit: fc.constantFrom(...'abzAZ09-_= éñ日'), maxLength: 6 }).map((text) => `x${text}`);

  it('a key prefix with `..` is refused however it is encoded', () => {
    const hidden = fc
      .tuple(fc.nat({ max: 3 }), separator, separator)
      .chain(([depth, left, right]) =>
        fc.tuple(encoded(left, depth), around, encoded('..', depth), around, tail, encoded(right, depth)),
      );
    fc.assert(
      fc.property(ordinary, hidden, ordinary, (before, parts, after) => {
        expect(checkKeyPrefix(before + parts.join('') + after)).toHaveLength(1);
        const [, space, dots, blank, end] = parts;
        expect(checkKeyPrefix(space + dots + blank + end)).toHaveLength(1);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('a key prefix of ordinary segments is accepted, encoded or not', () => {
    const dotted = fc.constantFrom('a..b', '..backup', 'v1.2', '...', '.', '.hidden');
    const segments = fc.array(fc.oneof(ordinary, ordinary.map(encodeURIComponent), dotted), { maxLength: 5 });
    fc.assert(
      fc.property(segments, fc.nat({ max: 2 }), (parts, depth) => {
        let prefix = parts.join('/');
        for (let layer = 0; layer < depth; layer += 1) prefix = encodeURIComponent(prefix);
        expect(checkKeyPrefix(prefix)).toEqual([]);
      }),
    );
  });

  it('a key prefix check never throws and quotes little', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (value) => {
        expect(JSON.stringify(checkKeyPrefix(`${value}/../x`)).length).toBeLessThan(2500);
      }),
    ));

  it('a key prefix check answers quickly to hostile texts of 100 kB', () => {
    for (const piece of [
      '%25',
      '%2',
      '%',
      '.',
      '/',
      ' ',
      '/ ',
      '. ',
      '%c0',
      '%20',
      '%c0%a5c0',
      '%3',
      'c0%a5',
      '%ef%bc%85',
      '%fc%80%80',
      '\ufdfa',
      ';',
      '\\ ',
      '%u',
      '..',
      '\u0085',
    ]) {
      checkKeyPrefix(piece.repeat(100_000 / piece.length));
      checkKeyPrefix(`/${piece.repeat(100_000 / piece.length)}..x`);
    }
  });
});
