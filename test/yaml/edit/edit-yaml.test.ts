// Edits of single values in a YAML file, which keep every other character. Shown here are values on one line, and those
// that text shows less well than code. The others are in test/yaml/edits.

import { describe, expect, it } from 'vitest';
import { editYaml } from '../../../src/yaml/edit/edit-yaml.ts';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { configOrder, sourceOrder } from '../../../src/yaml/format/source-order.ts';
import { type Change, edited, lines } from '../../support/yaml/edited.ts';

describe('a text', () => {
  it.each([
    ['plain', 'Weekly', 'Monthly', 'Monthly'],
    ['plain that would be something else', 'Weekly', 'yes', '"yes"'],
    ['plain with a question mark in the middle', '0 8 * * ? *', '0 9 ? * MON *', '0 9 ? * MON *'],
    ['plain with a double quote that needs quotes', 'Weekly', '"a": b', `'"a": b'`],
    ['double quotes', '"Weekly"', 'Monthly', '"Monthly"'],
    ['double quotes with a backslash', '"Weekly"', 'a\\b "c"', '"a\\\\b \\"c\\""'],
    ['single quotes', "'Weekly'", "it's", "'it''s'"],
    ['single quotes that cannot hold the text', "'Weekly'", 'a\u202eb', '"a\\u202eb"'],
    ['plain beyond the basic plane that nobody would see', 'Weekly', '\u{e0001}', '"\\U000e0001"'],
    ['the empty text', 'Weekly', '', '""'],
    ['a boolean in place of quotes', '"Weekly"', true, 'true'],
    ['a reference', 'Weekly', 'Hi ${var.team} and $${x}', 'Hi ${var.team} and $${x}'],
  ])('a scalar is replaced: %s', (_, before, value, after) => {
    const text = (scalar: string) => lines('# top', 'x:', `  a:   ${scalar}   # why`, '  b: "kept"');
    expect(edited(text(before), ['/x/a', value])).toBe(text(after));
  });

  it.each([
    ['with blanks at the end of a line', 'one \ntwo'],
    ['that begins with a blank line', '\none'],
    ['that begins with a blank', ' one\ntwo'],
    ['with characters that nobody sees', 'one\ntwo\u200b'],
    ['with Windows line ends', 'one\r\ntwo'],
  ])('a text %s is written in double quotes', (_, value) => {
    expect(edited('a: x # why\n', ['/a', value])).toBe(
      `a: ${JSON.stringify(value).replace('\u200b', '\\u200b')} # why\n`,
    );
  });
});

describe('a field', () => {
  it.each([
    ['{identifier: x, name: y}', '{identifier: x, name: y, format: csv}'],
    ['{ name: y, recipients: [z] }', '{ name: y, format: csv, recipients: [z] }'],
    ['{ recipients: [z], } # end', '{ format: csv, recipients: [z], } # end'],
    ['{ recipients: [z] }', '{ format: csv, recipients: [z] }'],
    ['{}', '{ format: csv }'],
    ['{ } # none', '{ format: csv } # none'],
    ['{"name": "y"}', '{"name": "y", "format": "csv"}'],
  ])('a field is added to a map in braces: %s', (before, after) => {
    expect(edited(`schedules:\n  a: ${before}\n`, ['/schedules/a/format', 'csv'])).toBe(`schedules:\n  a: ${after}\n`);
  });

  it.each([
    ['{ a: 1, b: 2, c: 3 }', 'a', '{ b: 2, c: 3 }'],
    ['{ a: 1, b: 2, c: 3 }', 'b', '{ a: 1, c: 3 }'],
    ['{ a: 1, b: 2, c: 3 }', 'c', '{ a: 1, b: 2 }'],
    ['{a: 1, b: 2, c: 3}', 'ab', '{c: 3}'],
    ['{a: 1, b: 2, c: 3}', 'bc', '{a: 1}'],
    ['{a: 1, b: 2, c: 3}', 'ac', '{b: 2}'],
    ['{a: 1, b: 2, c: 3,}', 'c', '{a: 1, b: 2,}'],
    ['{ a: 1, b: 2, c: 3 }', 'abc', '{}'],
  ])('fields are removed from a map in braces: %s without %s', (before, names, after) => {
    expect(edited(`x: ${before} # kept\n`, ...[...names].map((name) => [`/x/${name}`] as const))).toBe(
      `x: ${after} # kept\n`,
    );
  });
});

it('a missing field of almanac.yaml is added in the order of that file', () => {
  const edits = [
    { document: 0, pointer: '/api/concurrency', value: 2 },
    { document: 0, pointer: '/variables/a', value: 'x' },
    { document: 0, pointer: '/state/path', value: 's.json' },
  ];
  expect(editYaml('api:\n  timeout: 30\n\nvariables:\n  b: 1\n\n', edits, configOrder)).toBe(
    'api:\n  concurrency: 2\n  timeout: 30\n\nstate:\n  path: s.json\n\nvariables:\n  b: 1\n  a: x\n\n',
  );
});

it('mixed line ends stay where nothing changes', () => {
  expect(edited('a: 1\r\nb: 2\nc: 3\r\n', ['/b', 4])).toBe('a: 1\r\nb: 4\nc: 3\r\n');
});

it('Windows line ends, a missing last line break and other documents stay', () => {
  const text = 'a: 1\r\n---\r\n# two\r\nb:\r\n  - x # c\r\n  - y';
  const edits = [
    { document: 1, pointer: '/b/0', value: undefined },
    { document: 1, pointer: '/b/-', value: 'z\nz' },
    { document: 0, pointer: '/a', value: 2 },
  ];
  expect(editYaml(text, edits)).toBe('a: 2\r\n---\r\n# two\r\nb:\r\n  - y\r\n  - |-\r\n    z\r\n    z');
});

it('a key gets another name, in its quotes or those that it needs, and with edits below it', () => {
  const edits = [
    { document: 0, pointer: '/x/a', value: undefined, key: 'no' },
    { document: 0, pointer: '/x/a/b', value: 2 },
    { document: 0, pointer: '/x/c', value: undefined, key: 'd' },
  ];
  expect(editYaml('x:\n  a: # A\n    b: 1\n  "c": 3\n', edits)).toBe('x:\n  "no": # A\n    b: 2\n  "d": 3\n');
});

const merged = 'x-team: &team [ana, bo]\nx-base: &base\n  format: csv\na: { <<: *base, recipients: *team }\n';

it.each<[string, string, Change]>([
  ['of a value that comes by a merge key and is to go', merged, ['/a/format']],
  ['of an item of a list to which others refer', merged, ['/x-team/0']],
  ['of a list to which others refer', merged, ['/x-team', []]],
  ['of an anchor to which others refer', merged, ['/x-team']],
  ['of a field of a map that others merge', merged, ['/x-base/format', 'pdf']],
  ['of an item with an anchor to which others refer', 'a: [&one x, z]\nb: [*one]\n', ['/a/0']],
  ['a file with a syntax error', 'a: [\n', ['/a', 1]],
  ['an item that does not exist', 'a: [x]\n', ['/a/1', 'y']],
  ['an item of a missing list', 'a: 1\n', ['/b/0', 'y']],
  ['a value below a scalar', 'a: 1\n', ['/a/b', 'y']],
  ['an item appended to a map', 'a: {}\n', ['/a/-', 'y']],
  ['a pair in a list', 'a: [b: c]\n', ['/a/0/b', 'd']],
  ['a merge key', 'a: &a { b: 1 }\nc: { <<: *a }\n', ['/c/<</b', 2]],
  ['a document that does not exist', '', ['/a', 1]],
])('an edit is refused: %s', (_, text, change) => {
  expect(edited(text, change)).toBeUndefined();
});

it('edits that contradict each other are refused', () => {
  expect(edited('a: { b: 1 }\n', ['/a', { b: 2 }], ['/a/b', 3])).toBeUndefined();
});

it('a file in canonical form still is after edits that add and set', () => {
  const text = `# yaml-language-server: $schema=x.json
schedules:
  # why
  a:
    name: A # n
    recipients: [x]
    filters:
      status: { values: [open] }

  b:
    textBody: |
      Hello
moved:
  - { from: schedules.x, to: schedules.a }
`;
  expect(formatYaml(text, sourceOrder)).toBe(text);
  const after = edited(
    text,
    ['/defaults/schedules', { timezone: 'UTC', format: 'csv' }],
    ['/dashboards/d/filters/f/values', ['yes', 'two words']],
    ['/schedules/a/identifier', '1e3'],
    ['/schedules/a/recipients/-', '*x'],
    ['/schedules/a/filters/status/is_negative', true],
    ['/schedules/a/textBody', 'one\n\n# two'],
    ['/schedules/b/name', 'B: b'],
    ['/schedules/b/textBody', 'one line'],
    ['/schedules/c', { recipients: Array.from({ length: 12 }, (_, index) => `u${index}@x.com`), name: 'C' }],
    ['/moved/-', { to: 'schedules.c', from: 'schedules.z' }],
  );
  expect(after).not.toBe(text);
  expect(formatYaml(after ?? '', sourceOrder)).toBe(after);
});

const apart = 'schedules:\n  a: { x: 1 }\n\n  b: { x: 2 }\n\n  c: { x: 3 }\n\nmoved: []\n';

it.each<[string, string, readonly string[], string]>([
  ['the first', apart, ['/schedules/a'], apart.replace('  a: { x: 1 }\n\n', '')],
  ['one between others', apart, ['/schedules/b'], apart.replace('  b: { x: 2 }\n\n', '')],
  ['the last of a section', apart, ['/schedules/c'], apart.replace('  c: { x: 3 }\n\n', '')],
  ['the last two', apart, ['/schedules/b', '/schedules/c'], 'schedules:\n  a: { x: 1 }\n\nmoved: []\n'],
  ['all', apart, ['/schedules/a', '/schedules/b', '/schedules/c'], 'schedules: {}\n\nmoved: []\n'],
  ['at the end of the file', 'a: 1\n\nb: 2\n', ['/b'], 'a: 1\n'],
  ['at the end of a file with a blank line', 'a: 1\n\nb: 2\n\n', ['/b'], 'a: 1\n\n'],
  ['at the top of the file', 'a: 1\n\nb: 2\n', ['/a'], 'b: 2\n'],
  ['below comments of the file', '# head\n\na: 1\n\nb: 2\n', ['/a'], '# head\n\nb: 2\n'],
  ['with a comment of its own', 'a: 1\n\n# of b\nb: 2\n\nc: 3\n', ['/b'], 'a: 1\n\n# of b\n\nc: 3\n'],
  ['in a list', 'l:\n  - a\n\n  - b\n\n  - c\nm: 1\n', ['/l/1'], 'l:\n  - a\n\n  - c\nm: 1\n'],
  ['below a text that keeps its blank lines', 'a: |+\n  x\n\nb: 2\n', ['/b'], 'a: |+\n  x\n\n'],
])('a removed entry leaves no odd blank lines: %s', (_, text, pointers, wanted) => {
  expect(edited(text, ...pointers.map((pointer) => [pointer] as const))).toBe(wanted);
});

it('a file of 10,000 lines with an edit in each of its schedules is edited in a few seconds', () => {
  const schedule = (index: number) => [`  s${index}:`, '    name: S # n', '    recipients:', '      - a', '      - b'];
  const numbers = Array.from({ length: 2000 }, (_, index) => index);
  const text = lines('schedules:', ...numbers.flatMap(schedule));
  const after = edited(text, ...numbers.map((index) => [`/schedules/s${index}/recipients/0`] as const));
  expect(after).toBe(text.replaceAll('      - a\n', ''));
});

it.each([
  ['on one line of 80 columns', 58, (text: string) => [`      emea: { text: ${text} }`]],
  ['as a block where the line would be longer', 59, (text: string) => ['      emea:', `        text: ${text}`]],
])('an item is written %s', (_, length, written) => {
  const text = 'x'.repeat(length);
  const before = lines('schedules:', '  all:', '    forEach:', '      amer: { text: a }');
  const edit = { document: 0, pointer: '/schedules/all/forEach/emea', value: { text } };
  expect(editYaml(before, [edit], sourceOrder)).toBe(before + lines(...written(text)));
});
