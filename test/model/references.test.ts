// References in a text, as every part of the program reads them.

import { expect, test } from 'vitest';
import { referenceTokens, replaceReferences, wholeReference } from '../../src/model/values/references.ts';

test.each<[string, readonly (readonly [written: string, inner: string | undefined])[]]>([
  ['plain $ { }', []],
  [
    '${var.a} and ${env.B}',
    [
      ['${var.a}', 'var.a'],
      ['${env.B}', 'env.B'],
    ],
  ],
  ['$${var.a}', [['$${', undefined]]],
  ['$$${var.a}', [['$${', undefined]]],
  ['${}', [['${}', '']]],
  ['${var.a', [['${var.a', 'var.a']]],
  ['${var.a\n}', [['${var.a', 'var.a']]],
  ['${a ${b}', [['${a ${b}', 'a ${b']]],
])('the references of %j', (text, expected) => {
  expect(referenceTokens(text).map(({ written, inner }) => [written, inner])).toEqual(expected);
  for (const { start, end, written } of referenceTokens(text)) expect(text.slice(start, end)).toBe(written);
});

test.each([
  ['${each.region}', 'each.region'],
  ['${each.region} ', undefined],
  ['${each.region', undefined],
  ['$${each.region}', undefined],
  ['${a}${b}', undefined],
])('the reference that is the whole text %j', (text, expected) => {
  expect(wholeReference(text)).toBe(expected);
});

test('only closed references are replaced, and a literal stays as it is written', () => {
  const value = (inner: string) => (inner === 'var.a' ? 'A' : undefined);
  expect(replaceReferences('x ${var.a} ${var.b} $${var.a} ${var.a', value)).toBe('x A ${var.b} $${var.a} ${var.a');
});
