// The style of a file. The order of its keys and its blank lines are in test/yaml/edits/format.txt.

import { describe, expect, it } from 'vitest';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { configOrder, sourceOrder } from '../../../src/yaml/format/source-order.ts';

const formatted = (text: string, order = sourceOrder) => {
  const once = formatYaml(text, order);
  if (once !== undefined) expect(formatYaml(once, order)).toBe(once);
  return once;
};

it('a comment of 130,000 lines stays above what it is about', () => {
  const text = `${'# a\n'.repeat(130_000)}schedules:\n  weekly: { name: Weekly }\n`;
  expect(formatYaml(text, sourceOrder) ?? text).toBe(text);
});

it('almanac.yaml is sorted by its own order', () => {
  const text = `environments:
  prod:
    defaults: { schedules: { format: csv, timezone: UTC } }
    api: { operations: full, baseUrl: https://a.example.com }
variables: { z: 1, a: 2 }
api:
  timeout: 3
  baseUrl: https://b.example.com
`;
  expect(formatted(text, configOrder)).toBe(`api:
  baseUrl: https://b.example.com
  timeout: 3
variables: { z: 1, a: 2 }
environments:
  prod:
    api: { baseUrl: https://a.example.com, operations: full }
    defaults: { schedules: { timezone: UTC, format: csv } }
`);
});

describe('style', () => {
  it.each([
    ['two spaces a level', 'a:\n     b:\n        c: 1\n', 'a:\n  b:\n    c: 1\n'],
    [
      'lists indented under their key',
      'a:\n- b\n-   c: 1\n    d: 2\n-\n  e: 3\n',
      'a:\n  - b\n  - c: 1\n    d: 2\n  - e: 3\n',
    ],
    ['one space after a colon', 'a:    b\n', 'a: b\n'],
    ['spaces in brackets and braces', 'a: {b: [ 1,2 ],c: {}}\n', 'a: { b: [1, 2], c: {} }\n'],
    ['no comma at the end', 'a: [1, 2, ]\n', 'a: [1, 2]\n'],
    ['no unnecessary quotes', `a: "b c"\n'd': 'e'\nf: ["g", 'h']\n`, 'a: b c\nd: e\nf: [g, h]\n'],
    ['double quotes', `a: 'x: y'\n`, 'a: "x: y"\n'],
    ['no spaces at the end', 'a: b   \n# c  \n', 'a: b\n# c\n'],
    ['one blank line for several', '\n\na: b\n\n\n\nc: d\n\n\n', 'a: b\n\nc: d\n'],
    ['no blank lines in a file of nothing else', '\n\n', ''],
    ['a newline at the end', 'a: b', 'a: b\n'],
    ['comments at the indentation of their key', 'a:\n        # c\n    b: 1\n', 'a:\n  # c\n  b: 1\n'],
    [
      'a comment above the first key of an item beside its dash',
      'a:\n  -\n    # b\n    c: 1\n',
      'a:\n  - # b\n    c: 1\n',
    ],
    ['a value on the line of its key', 'a:\n  b\n', 'a: b\n'],
    ['an anchor on the line of its key', 'a:\n  &x\n  b: 1\n', 'a: &x\n  b: 1\n'],
  ])('formatting gives %s', (_, before, after) => {
    expect(formatted(before)).toBe(after);
  });

  it.each([
    [
      'quotes',
      `a: ["1", "no", "12:30", "2026-01-01", "0042", "a, b", "{{x}}", "", " a", "y", "*", "null", "~", "="]\n`,
    ],
    ['escapes of invisible characters', 'a: "\\u202eevil"\nb: "no\\u200bwidth"\nc: "bell\\a"\n'],
    ['other quotes', `a: "12e10945"\nb: "# c"\nc: 'say: "x"'\nd: "tab\\there"\ne: "a: b"\nf: "\${env.X} # x"\n`],
    ['an interpolation', 'a: ${var.x}\n'],
    ['texts of several lines', 'a: |\n  b\n\n\n    c\n\nb: >-\n  d\n  e\nc: |2+\n    f\n\n\n'],
    ['folded texts', 'a: one\n  two\n\n  three\nb: "one\n\n\n  two"\n'],
    ['brackets over several lines', 'a: [\n    b, # c\n    "d"\n  ]\n'],
    ['brackets below their key', 'a:\n  {\n    b: 1,\n    "c": [],\n  }\nd: # e\n  &f { "h": 1, g: 2 }\n'],
    ['texts of several lines below their key', 'a:\n  one\n  two\nb:\n  &c "one\n  two"\n'],
    ['a comment below a value that is indented deeper', 'a: b\n  # c\nd:\n  e\n  # f\ng: [\n    h, # i\n  ]\n  # j\n'],
    ['keys without a colon in braces', 'a: { b, c }\n'],
    ['texts with a digit in lists', 'a:\n  - |2\n      b\n    c\n  - - >1-\n       d\n'],
    ['several documents', '--- # first\na: b\n---\n# second\nc: d\n...\n# third\n---\n'],
    ['an empty file', ''],
    ['comments alone', '# a\n\n# b\n'],
    ['comments at the end', 'a:\n  b:\n    c: 1\n    # of c\n  # of b\n# of a\n'],
    ['nulls', 'a:\n  # none\nb:\n'],
    ['a document that is not a map', '- a\n- b\n'],
    ['lists in lists', 'a:\n  - - 1\n    - 2\n  - b: |\n      text\n    c: 3\n'],
  ])('formatting keeps %s', (_, text) => {
    expect(formatted(text)).toBe(text);
  });

  it('formatting keeps all line ends of Windows', () => {
    expect(formatted('a:\r\n    b:   "c"\r\n    d: |\r\n      e\n')).toBe('a:\r\n  b: c\r\n  d: |\r\n    e\r\n');
  });

  it('formatting keeps explicit keys', () => {
    expect(formatted('? a\n: b\n')).toBeUndefined();
  });
});
