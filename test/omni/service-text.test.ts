// Text from the service is cleaned, masked and cut before anyone sees it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText } from '../../src/http/exchange.ts';
import { makeMask } from '../../src/model/values/secret.ts';
import { readWords } from '../../src/omni/api-failure.ts';

const plain = makeMask([]);

describe('the words of an answer', () => {
  test.each([
    ['{"detail":"a","message":"b","error":"c"}', 'a'],
    ['{"message":"b","error":"c"}', 'b'],
    ['{"detail":"","error":"c"}', 'c'],
    ['{"detail":[{"msg":"x"}]}', '[{"msg":"x"}]'],
    ['{"other":1}', '{"other":1}'],
    ['<h1>Bad\n gateway</h1>', '<h1>Bad gateway</h1>'],
    ['', ''],
  ])('the answer %j is quoted as %j', (text, words) => {
    expect(readWords(text, plain)).toBe(words);
  });

  test('a quoted answer is cut, but never inside a secret', () => {
    const words = readWords(`${'x'.repeat(495)}hunter2-hunter2`, makeMask(['hunter2-hunter2']));
    expect(words).not.toContain('hunt');
    expect(readWords('y'.repeat(3000), plain)).toBe(`${'y'.repeat(500)}…`);
  });
});

test('control sequences and invisible characters are removed from a quoted answer', () => {
  const esc = String.fromCharCode(27);
  expect(cleanText(`a${esc}[31mred${esc}[0m b${esc}]8;;http://x${esc}\\link${esc}c`)).not.toMatch(/\p{Cc}/u);
  expect(cleanText('a\r\nb\u202ec\u0000d')).toBe('a b c d');
});

describe('secrets', () => {
  test('an empty secret masks nothing, and a mask is not masked again', () => {
    expect(makeMask(['', ' '])('a b')).toBe('a b');
    expect(makeMask(['s', 'sensitive'])('sensitive s')).toBe('(sensitive) (sensitive)');
  });

  test('no echo of any secret is shown', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme' }),
        fc.nat({ max: 600 }),
        (middle, before) => {
          const secret = `Zq${middle.replaceAll('(sensitive)', '')}qZ`;
          const mask = makeMask([secret]);
          const text = `${'-'.repeat(before)}${secret}`;
          const echoes = [text, JSON.stringify({ detail: text }), JSON.stringify({ detail: JSON.stringify({ text }) })];
          for (const echo of [...echoes, encodeURIComponent(text)]) {
            expect(readWords(echo, mask)).not.toMatch(/Zq|qZ/);
          }
        },
      ),
    );
  });
});
