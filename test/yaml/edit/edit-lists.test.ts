// Edits of lists on one line, and of sections that lose all entries. Lists on several lines are in test/yaml/edits.

import { expect, it } from 'vitest';
import { editFiles } from '../../../src/edit/edit-files.ts';
import { edited } from '../../support/yaml/edited.ts';

it.each([
  ['[a, b, c]', [0], '[b, c]'],
  ['[a, b, c]', [1], '[a, c]'],
  ['[a, b, c]', [2], '[a, b]'],
  ['[ a, b, c ]', [0, 1], '[ c ]'],
  ['[ a, b, c ]', [1, 2], '[ a ]'],
  ['[ a, b, c ]', [0, 2], '[ b ]'],
  ['[a,b,c]', [1], '[a,c]'],
  ['[a, b, c,]', [2], '[a, b,]'],
  ['[a, {b: [x, y]}, "c, d"]', [1], '[a, "c, d"]'],
  ['[a, &x b, c]', [1], '[a, c]'],
  ['[a, b]', [0, 1], '[]'],
])('items are removed from a list on one line: %s without %j', (before, indexes, after) => {
  expect(edited(`x: ${before} # kept\n`, ...indexes.map((index) => [`/x/${index}`] as const))).toBe(
    `x: ${after} # kept\n`,
  );
});

it.each([
  ['[a, b]', '[a, b, n@x.com, o@x.com]'],
  ['[ a,b ]', '[ a,b, n@x.com, o@x.com ]'],
  ['[a, b,]', '[a, b, n@x.com, o@x.com,]'],
  ['["a", "b"]', '["a", "b", "n@x.com", "o@x.com"]'],
  ["['a', b]", "['a', b, n@x.com, o@x.com]"],
  ['[]', '[n@x.com, o@x.com]'],
  ['[ ]', '[n@x.com, o@x.com]'],
])('items are appended to a list on one line: %s', (before, after) => {
  expect(edited(`x: ${before} # kept\n`, ['/x/-', 'n@x.com'], ['/x/-', 'o@x.com'])).toBe(`x: ${after} # kept\n`);
});

it('a new list is on one line while it is short', () => {
  const long = Array.from({ length: 6 }, (_, index) => `somebody-${index}@example.com`);
  expect(edited('a: 1\n', ['/b', ['x', 1, null]], ['/c', long], ['/d/-', 'y'])).toBe(
    `a: 1\nb: [x, 1, null]\nc:\n${long.map((item) => `  - ${item}\n`).join('')}d: ["y"]\n`,
  );
});

const map = 'schedules:\n  a: {}\n';

it.each<[string, string, string, string | undefined]>([
  ['a block keeps a comment on a line of its own', 'adopt:\n  # why\n  - { to: a, id: b }\n', '/adopt/0', '  # why\n'],
  ['a list in brackets', `${map}moved: [{ from: x, to: y }]\n`, '/moved/0', map],
  ['a file without a last line break', 'adopt:\n- { to: a, id: one }', '/adopt/0', ''],
  [
    'a map whose entries have comments above them',
    'schedules:\n  # A\n\n  a: {}\nmoved: []\n',
    '/schedules/a',
    '  # A\n\nmoved: []\n',
  ],
  ['a file in braces', '{ adopt: [{ to: a, id: b }], x: {} }\n', '/adopt/0', '{ x: {} }\n'],
  ['an entry that is used elsewhere stays', 'adopt:\n  - &x { to: a, id: b }\nmoved:\n  - *x\n', '/adopt/0', undefined],
])('a section that loses its last entry goes: %s', (_, text, pointer, wanted) => {
  const edits = [{ file: 'a.yaml', document: 0, pointer, value: undefined }];
  const after = editFiles(edits, { fileNamed: (path) => ({ path, text }), config: undefined });
  expect('texts' in after ? after.texts.get('a.yaml') : undefined).toBe(wanted);
});
