// What a file was parsed to, as the text that threads hand over and that is kept: it says all of the file, or there is none.

import { expect, it } from 'vitest';
import { parseSource } from '../../src/parse/parse-source.ts';
import { textOfParsed } from '../../src/parse/parsed-text.ts';

function textOf(text: string): string | undefined {
  const file = { path: 'schedules/a.yaml', text };
  return textOfParsed(parseSource(file), file);
}

it('a file that is parsed to plain values has a text with all of them', () => {
  expect(textOf('a: 0\n')).toBe('[[[0,{"a":0},[]]],[]]');
});

it('a file with a value that JSON cannot write has no text', () => {
  expect(textOf('a: -0\n')).toBeUndefined();
});

it('a file whose aliases would make a text longer than a string can be has none', () => {
  expect(textOf(`a: &a ${'x'.repeat(100_000)}\nb: [${'*a, '.repeat(20_000)}]\n`)).toBeUndefined();
});
