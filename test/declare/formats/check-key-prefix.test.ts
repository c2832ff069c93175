import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkKeyPrefix } from '../../../src/declare/rules/s3-destination.ts';
import { invalidKeyPrefixes, validKeyPrefixes } from '../../support/property/odd-texts.ts';
import { runs } from '../../support/runs/runs.ts';

describe('checkKeyPrefix', () => {
  it.each(validKeyPrefixes)('the key prefix %j is accepted', (value) => expect(checkKeyPrefix(value)).toEqual([]));

  it.each(invalidKeyPrefixes)('the key prefix %j is refused', (value) => {
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
