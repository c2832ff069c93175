// A service that repeats a secret in its errors, in an unusual spelling. The mask of the CI does not know the spelling.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeMask } from '../../src/model/values/secret.ts';
import { maskOfGit as makeGitMask } from '../../src/state/git/git-failure.ts';

const secret = 'omni_osk_4f7K?/>é~Zx9_tail';
const mask = makeMask([secret]);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

it.each<[string, string]>([
  ['base64', base64(secret)],
  ['base64 without padding', base64(secret).replace(/=+$/, '')],
  ['base64 for URLs', base64url(secret)],
  ['hexadecimal', Buffer.from(secret).toString('hex')],
  ['upper-case hexadecimal', Buffer.from(secret).toString('hex').toUpperCase()],
  ['its first 20 characters', secret.slice(0, 20)],
  ['its first 12 characters', secret.slice(0, 12)],
  ['the first 20 characters of its base64', base64(secret).slice(0, 20)],
])('a secret that is repeated as %s is masked', (_, echo) => {
  expect(mask(`key=${echo}!`)).toBe('key=(sensitive)!');
});

it.each([
  ['p"w\\d', 'p\\"w\\\\d'],
  ['p"w', 'p\\\\\\"w'],
  ['a b&c', 'a%20b%26c'],
  ['a b&c', 'a+b%26c'],
  ['a/b', 'a%2fb'],
  ['a/b', 'a\\/b'],
  ['é"', '\\u00e9\\"'],
  ['<a&b>', '&lt;a&amp;b&gt;'],
  ['two\nlines', 'two\\nlines'],
  ['two\nlines', 'two lines'],
  ['.*', '.*'],
])('the secret %j is masked in the spelling %j', (hidden, spelling) => {
  expect(makeMask([hidden])(`before ${spelling} after`)).toBe('before (sensitive) after');
});

describe('base64 of a text around a secret', () => {
  it.each([0, 1, 2, 3, 4, 5])('hides the secret after %i characters', (length) => {
    const echo = base64(`${'x'.repeat(length)}${secret}:y`);
    const masked = mask(echo);
    expect(masked).toContain('(sensitive)');
    expect(masked.replace('(sensitive)', '').length).toBeLessThan(length * 2 + 10);
  });
});

it('any secret is hidden in base64 and hexadecimal, whatever surrounds it', () => {
  const word = fc.string({ minLength: 10, maxLength: 40, unit: fc.constantFrom(...'abcXYZ0189-_./+é') });
  fc.assert(
    fc.property(word, fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (hidden, before, after) => {
      const text = `${before}${hidden}${after}`;
      const inside = base64(`   ${hidden}   `).slice(6, -6);
      for (const echo of [base64(text), base64url(text), Buffer.from(text).toString('hex')]) {
        const masked = makeMask([hidden])(echo);
        expect(masked).toContain('(sensitive)');
        expect(masked).not.toContain(inside);
      }
    }),
  );
});

it('words that only begin like a secret are left alone', () => {
  expect(mask('omni_osk_ is how such a key begins')).toBe('omni_osk_ is how such a key begins');
});

it.each([
  ['remote: {"authorization": "Basic eC1hY2Nlc3M6Z2hzXzE="}', 'remote: {"authorization": ***'],
  ["fatal: authorization='Bearer ghs_0123456789'", 'fatal: authorization=***'],
  ['remote: sent basic eC1hY2Nlc3M6Z2hzXzE=', 'remote: sent basic ***'],
  ['remote: Basic authentication is not supported', 'remote: Basic authentication is not supported'],
])('a credential that a helper gave to git is masked in %j', (said, shown) => {
  expect(makeGitMask([])(said)).toBe(shown);
});

it('masking takes time in proportion to the text', () => {
  mask('omni_osk_4f7'.repeat(200_000));
  makeMask(['a'.repeat(5000)])('a'.repeat(1_000_000));
});
