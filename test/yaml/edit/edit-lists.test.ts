// Items of lists in a YAML file are added and removed one by one, and what is written beside the others stays.

import { expect, it } from 'vitest';
import { edited, lines } from '../../support/yaml/edited.ts';

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
  const removals = indexes.map((index) => [`/x/${index}`, undefined] as const);
  expect(edited(`x: ${before} # kept\n`, ...removals)).toBe(`x: ${after} # kept\n`);
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

it('an item of a list on several lines comes and goes with its line', () => {
  const text = lines('x: [ # open', '  # own', '  a, # A', '  b, # B', '', '  c  # C', '] # close');
  expect(edited(text, ['/x/1', undefined])).toBe(
    lines('x: [ # open', '  # own', '  a, # A', '', '  c  # C', '] # close'),
  );
  expect(edited(text, ['/x/2', undefined])).toBe(
    lines('x: [ # open', '  # own', '  a, # A', '  b, # B', '', '] # close'),
  );
  expect(edited(text, ['/x/-', 'd'], ['/x/-', 'e'])).toBe(
    lines('x: [ # open', '  # own', '  a, # A', '  b, # B', '', '  c,  # C', '  d,', '  e', '] # close'),
  );
  expect(edited(text, ['/x/2', undefined], ['/x/-', 'd'])).toBe(
    lines('x: [ # open', '  # own', '  a, # A', '  b, # B', '  d,', '', '] # close'),
  );
});

it('all items of a list on several lines can go, and be exchanged for others', () => {
  const text = lines('x: [', '  a, # A', '  b # B', ']', 'y: [', '  # own', '  c', ']');
  expect(edited(text, ['/x/0', undefined], ['/x/1', undefined], ['/y/0', undefined])).toBe(
    lines('x: []', 'y: [', '  # own', ']'),
  );
  expect(edited(text, ['/x/0', undefined], ['/x/1', undefined], ['/x/-', 'd'], ['/y', ['e', 'f']])).toBe(
    lines('x: [', '  d', ']', 'y: [', '  # own', '  e,', '  f', ']'),
  );
});

it('an item of a list with several items on a line goes without the others', () => {
  const text = lines('x: [a, b, # AB', '    c, d]', 'y: [', '  e, f,', '  g ]');
  expect(edited(text, ['/x/1', undefined], ['/x/2', undefined], ['/y/0', undefined], ['/y/2', undefined])).toBe(
    lines('x: [a, # AB', '    d]', 'y: [', '  f,', '  ]'),
  );
  expect(edited(text, ['/x/3', undefined], ['/x/-', 'n'], ['/y/1', undefined], ['/y/-', 'n'])).toBe(
    lines('x: [a, b, # AB', '    c, "n"]', 'y: [', '  e,', '  g, "n" ]'),
  );
});

it('an item of a block list comes and goes with its line', () => {
  const text = lines(
    'x: # open',
    '  # first',
    '  - a # A',
    '',
    '  # second',
    '  -   "b" # B',
    '  - c # C',
    'y:',
    '- d',
    '# z',
    'z: 1',
  );
  expect(edited(text, ['/x/1', undefined], ['/x/-', 'e'], ['/y/-', 'f'])).toBe(
    lines(
      'x: # open',
      '  # first',
      '  - a # A',
      '',
      '  # second',
      '  - c # C',
      '  - e',
      'y:',
      '- d',
      '- f',
      '# z',
      'z: 1',
    ),
  );
  expect(edited(text, ['/x/0', undefined], ['/x/2', undefined], ['/y/0', 'g'])).toBe(
    lines('x: # open', '  # first', '', '  # second', '  -   "b" # B', 'y:', '- g', '# z', 'z: 1'),
  );
});

it('a comment between the column of the dashes and that of their values stays when the item above it goes', () => {
  const text = lines('x:', '- a', '- b', ' # of the list', '  # of b', '- c');
  expect(edited(text, ['/x/1', undefined])).toContain(' # of the list');
  expect(edited(lines('x:', '- a', '- b', ' # at the end'), ['/x/1', undefined])).toContain(' # at the end');
});

it('new items of a block list have the quotes that all others have', () => {
  expect(edited(lines('x:', "  - 'a'", "  - 'b'"), ['/x/-', "it's"])).toBe(
    lines('x:', "  - 'a'", "  - 'b'", "  - 'it''s'"),
  );
  expect(edited(lines('x:', '  - "a"', '  - b'), ['/x/-', 'c'])).toBe(lines('x:', '  - "a"', '  - b', '  - c'));
});

it('an item that is a map or a text of several lines is added and removed as a whole', () => {
  const text = lines(
    'moved:',
    '  - from: a # A',
    '    to: b',
    '  # next',
    '  - { from: c, to: d }',
    'x:',
    '  - |',
    '    one',
    '',
    '    two',
    '  - z',
  );
  expect(
    edited(
      text,
      ['/moved/0', undefined],
      ['/moved/-', { to: 'f', from: 'e' }],
      ['/x/0', undefined],
      ['/x/-', 'q\nr\n'],
    ),
  ).toBe(
    lines(
      'moved:',
      '  # next',
      '  - { from: c, to: d }',
      '  - { from: e, to: f }',
      'x:',
      '  - z',
      '  - |',
      '    q',
      '    r',
    ),
  );
});

it('a list that is set keeps the lines of the items that stay', () => {
  const text = lines(
    'x:',
    '  - a # A',
    '  - b # B',
    '  - c # C',
    'y: [d, e] # de',
    'z:',
    '  - from: f # F',
    '    to: g',
  );
  expect(
    edited(
      text,
      ['/x', ['n', 'b', 'o', 'c', 'a']],
      ['/y', ['e', 'p']],
      [
        '/z',
        [
          { from: 'f', to: 'h' },
          { from: 'i', to: 'j' },
        ],
      ],
    ),
  ).toBe(
    lines(
      'x:',
      '  - "n"',
      '  - b # B',
      '  - o',
      '  - c # C',
      '  - a',
      'y: [e, p] # de',
      'z:',
      '  - from: f # F',
      '    to: h',
      '  - from: i',
      '    to: j',
    ),
  );
});

it('a new list is on one line while it is short', () => {
  const long = Array.from({ length: 6 }, (_, index) => `somebody-${index}@example.com`);
  expect(edited('a: 1\n', ['/b', ['x', 1, null]], ['/c', long], ['/d/-', 'y'])).toBe(
    lines('a: 1', 'b: [x, 1, null]', 'c:', ...long.map((item) => `  - ${item}`), 'd: ["y"]'),
  );
});

it('a missing item inside a list inside a list is added', () => {
  expect(
    edited(
      lines('a:', '  - - x', '    - z', '  - - q'),
      ['/a/0/-', 'r'],
      ['/a/1/0', undefined],
      ['/a/-', [1, { b: 2 }]],
    ),
  ).toBe(lines('a:', '  - - x', '    - z', '    - r', '  - []', '  - [1, { b: 2 }]'));
});
