// Items of lists in a YAML file are added and removed one by one, and what is written beside the others stays. A section that
// loses all its entries goes.

import { expect, it } from 'vitest';
import { editFiles } from '../../../src/commands/base/edit/edit-files.ts';
import { edited, testEdits } from '../../support/yaml/edited.ts';

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

const onLines = 'x: [ # open\n  # own\n  a, # A\n  b, # B\n\n  c  # C\n] # close\n';
const pair = 'x: [\n  a, # A\n  b # B\n]\ny: [\n  # own\n  c\n]\n';
const packed = 'x: [a, b, # AB\n    c, d]\ny: [\n  e, f,\n  g ]\n';
const block = `x: # open
  # first
  - a # A

  # second
  -   "b" # B
  - c # C
y:
- d
# z
z: 1
`;

testEdits({
  'an item of a list on several lines goes with its line': [onLines, [['/x/1']], ['  b, # B\n', '']],
  'the last item of a list on several lines goes with its line': [onLines, [['/x/2']], ['  c  # C\n', '']],
  'items of a list on several lines come with a line': [
    onLines,
    [
      ['/x/-', 'd'],
      ['/x/-', 'e'],
    ],
    ['c  # C\n', 'c,  # C\n  d,\n  e\n'],
  ],
  'the last item of a list on several lines is exchanged': [
    onLines,
    [['/x/2'], ['/x/-', 'd']],
    ['# B\n\n  c  # C\n', '# B\n  d,\n\n'],
  ],
  'all items of a list on several lines can go': [
    pair,
    [['/x/0'], ['/x/1'], ['/y/0']],
    ['[\n  a, # A\n  b # B\n]', '[]'],
    ['  c\n', ''],
  ],
  'all items of a list on several lines can be exchanged': [
    pair,
    [['/x/0'], ['/x/1'], ['/x/-', 'd'], ['/y', ['e', 'f']]],
    ['  a, # A\n  b # B\n', '  d\n'],
    ['  c\n', '  e,\n  f\n'],
  ],
  'an item of a list with several items on a line goes without the others': [
    packed,
    [['/x/1'], ['/x/2'], ['/y/0'], ['/y/2']],
    ['a, b, #', 'a, #'],
    ['c, d', 'd'],
    ['e, f,\n  g ]', 'f,\n  ]'],
  ],
  'an item of a list with several items on a line is exchanged': [
    packed,
    [['/x/3'], ['/x/-', 'n'], ['/y/1'], ['/y/-', 'n']],
    ['c, d', 'c, "n"'],
    ['e, f', 'e'],
    ['g ]', 'g, "n" ]'],
  ],
  'an item of a block list goes and comes with its line': [
    block,
    [['/x/1'], ['/x/-', 'e'], ['/y/-', 'f']],
    ['  -   "b" # B\n', ''],
    ['# C\n', '# C\n  - e\n'],
    ['- d\n', '- d\n- f\n'],
  ],
  'the ends of a block list go, and the comments above them stay': [
    block,
    [['/x/0'], ['/x/2'], ['/y/0', 'g']],
    ['  - a # A\n', ''],
    ['  - c # C\n', ''],
    ['- d', '- g'],
  ],
  'a comment between the column of the dashes and that of their values stays when the item above it goes': [
    'x:\n- a\n- b\n # of the list\n  # of b\n- c\n',
    [['/x/1']],
    ['- b\n', ''],
  ],
  'such a comment stays at the end of the file': ['x:\n- a\n- b\n # at the end\n', [['/x/1']], ['- b\n', '']],
  'new items of a block list have the quotes that all others have': [
    `x:\n  - 'a'\n  - 'b'\ny:\n  - "a"\n  - b\n`,
    [
      ['/x/-', "it's"],
      ['/y/-', 'c'],
    ],
    ["'b'", "'b'\n  - 'it''s'"],
    ['- b', '- b\n  - c'],
  ],
  'an item that is a map or a text of several lines is added and removed as a whole': [
    'moved:\n  - from: a # A\n    to: b\n  # next\n  - { from: c, to: d }\nx:\n  - |\n    one\n\n    two\n  - z\n',
    [['/moved/0'], ['/moved/-', { to: 'f', from: 'e' }], ['/x/0'], ['/x/-', 'q\nr\n']],
    ['  - from: a # A\n    to: b\n', ''],
    ['to: d }', 'to: d }\n  - { from: e, to: f }'],
    ['  - |\n    one\n\n    two\n', ''],
    ['- z', '- z\n  - |\n    q\n    r'],
  ],
  'a list that is set keeps the lines of the items that stay': [
    'x:\n  - a # A\n  - b # B\n  - c # C\ny: [d, e] # de\nz:\n  - from: f # F\n    to: g\n',
    [
      ['/x', ['n', 'b', 'o', 'c', 'a']],
      ['/y', ['e', 'p']],
      [
        '/z',
        [
          { from: 'f', to: 'h' },
          { from: 'i', to: 'j' },
        ],
      ],
    ],
    ['- a # A', '- "n"'],
    ['# B', '# B\n  - o'],
    ['# C', '# C\n  - a'],
    ['[d, e]', '[e, p]'],
    ['to: g', 'to: h\n  - from: i\n    to: j'],
  ],
  'a missing item inside a list inside a list is added': [
    'a:\n  - - x\n    - z\n  - - q\n',
    [['/a/0/-', 'r'], ['/a/1/0'], ['/a/-', [1, { b: 2 }]]],
    ['- z', '- z\n    - r'],
    ['- - q', '- []\n  - [1, { b: 2 }]'],
  ],
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
