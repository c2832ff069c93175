import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFully } from '../../../src/declare/formats/decode-fully.ts';
import { runs } from '../../support/runs/runs.ts';

describe('decodeFully', () => {
  it.each([
    ['', ''],
    ['reports/2024', 'reports/2024'],
    ['%2e', '.'],
    ['%2E', '.'],
    ['%252e', '.'],
    ['%25252e', '.'],
    ['%%32%65', '.'],
    ['%2%65', '.'],
    ['%%32e', '.'],
    ['%%', '%%'],
    ['%2', '%2'],
    ['%zz', '%zz'],
    ['%u002e', '.'],
    ['%U002E', '.'],
    ['%uff0e', '.'],
    ['%u00', '%u00'],
    ['%25u002e', '.'],
    ['%c0%ae', '.'],
    ['%e0%80%ae', '.'],
    ['%f0%80%80%ae', '.'],
    ['%f8%80%80%80%ae', '.'],
    ['%fc%80%80%80%80%ae', '.'],
    ['%c0%af', '/'],
    ['%c1%9c', '\\'],
    ['%c0%25ae', '.'],
    ['%c0%a52e', '.'],
    ['%c0%2e', '.'],
    ['%c0.', '.'],
    ['%e0%40%ae', '.'],
    ['%ef%bc%8e', '.'],
    ['%ef%bc%852e', '.'],
    ['\uff0e', '.'],
    ['\u2024', '.'],
    ['\u2025', '..'],
    ['\uff05\uff12\uff45', '.'],
    ['\uff0f\uff3c\uff1b', '/\\;'],
    ['%C3%BC', 'ü'],
    ['ü%20x', 'ü x'],
    ['%F0%9F%98%80', '😀'],
    ['😀', '😀'],
    ['%fc', 'ü'],
    ['%80%80', '\u0080\u0080'],
    ['%f7%bf%bf%bf', '\ufffd'],
    ['\ud800%2e', '\ud800.'],
  ])('decodeFully turns %j into %j', (text, decoded) => expect(decodeFully(text)).toBe(decoded));

  it('decodeFully leaves nothing to decode', () => {
    const unit = fc.constantFrom(
      '%',
      '2',
      '5',
      'e',
      'c',
      '0',
      'a',
      'f',
      'u',
      '.',
      '%25',
      '%c0',
      '%ae',
      '\uff05',
      '\u2025',
      'ü',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const decoded = decodeFully(text);
        expect(decoded).not.toMatch(/%[0-9a-f]{2}|%u[0-9a-f]{4}/i);
        // Bytes that fit no UTF-8 have come out as Latin-1, which would fold once more.
        if (!/[\u0080-\u00ff]/.test(decoded)) expect(decodeFully(decoded)).toBe(decoded);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('decodeFully agrees with repeated decoding', () => {
    const inPasses = (text: string): string => {
      const once = text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      return once === text ? text : inPasses(once);
    };
    const unit = fc.constantFrom('%', '2', '5', '3', '7', 'x', '.', '/', '%25', '%32', '%2e', '%2f');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        expect(decodeFully(text)).toBe(inPasses(text));
      }),
      { numRuns: runs(5000) },
    );
  });

  it.each([
    ['layers of percent signs', `%${'25'.repeat(50_000)}2e`, '.'],
    ['escapes inside escapes', `${'%3'.repeat(50_000)}5`, '5'],
    ['overlong percent signs in layers', `%c0%a5${'c0%a5'.repeat(20_000)}2e`, '.'],
    ['full-width percent signs in layers', `%ef%bc%85${'ef%bc%85'.repeat(12_000)}2e`, '.'],
    ['nothing but percent signs', '%'.repeat(100_000), '%'.repeat(100_000)],
    ['bytes that lead nowhere', '%fc%80%80'.repeat(11_000), undefined],
    ['characters that fold to many', '\ufdfa'.repeat(100_000), undefined],
  ])('decodeFully takes one pass for %s', (_, text, decoded) => {
    // More than one pass takes minutes at this size.
    const result = decodeFully(text);
    if (decoded !== undefined) expect(result === decoded || result.slice(0, 50)).toBe(true);
  });
});
