// Comparing JSON: an entry that is undefined counts as absent.

import { expect, it } from 'vitest';
import { canonicalJson, equalJson, type JsonObject } from '../../src/model/values/json.ts';

const withNothing = (object: object): JsonObject => ({ ...object, nothing: undefined }) as unknown as JsonObject;

it.each([
  ['an object', { a: 1 }, withNothing({ a: 1 })],
  ['an object within another', { a: { b: [1] } }, { a: withNothing({ b: [1] }) }],
  ['an empty object', {}, withNothing({})],
])('an entry that is undefined makes no difference in %s', (_, one, other) => {
  expect([equalJson(one, other), equalJson(other, one)]).toEqual([true, true]);
  expect(canonicalJson(other)).toBe(canonicalJson(one));
});

it('an entry that is undefined does not stand for another', () => {
  const [one, other] = [{ a: 1, b: 2 }, withNothing({ a: 1 })];
  expect([equalJson(one, other), equalJson(other, one)]).toEqual([false, false]);
  expect(equalJson({ nothing: null }, withNothing({}))).toBe(false);
});
