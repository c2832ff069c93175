// Single values of a YAML file are set, added and removed, and every other character stays.

import { describe, expect, it } from 'vitest';
import { editYaml } from '../../../src/yaml/edit/edit-yaml.ts';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { configOrder, sourceOrder } from '../../../src/yaml/format/sort-entries.ts';
import { edited, lines } from '../../support/yaml/edited.ts';

it.each([
  ['plain', 'Weekly', 'Monthly', 'Monthly'],
  ['plain that would be something else', 'Weekly', 'yes', '"yes"'],
  ['plain that would be a number', 'Weekly', '1e3', '"1e3"'],
  ['plain that would be a comment', 'Weekly', '#x', '"#x"'],
  ['plain that would be an alias', 'Weekly', '*/5 * * * ? *', '"*/5 * * * ? *"'],
  ['plain with a question mark in the middle', '0 8 * * ? *', '0 9 ? * MON *', '0 9 ? * MON *'],
  ['plain with a double quote that needs quotes', 'Weekly', '"a": b', `'"a": b'`],
  ['double quotes', '"Weekly"', 'Monthly', '"Monthly"'],
  ['double quotes with a backslash', '"Weekly"', 'a\\b "c"', '"a\\\\b \\"c\\""'],
  ['single quotes', "'Weekly'", 'Monthly', "'Monthly'"],
  ['single quotes with an apostrophe', "'Weekly'", "it's", "'it''s'"],
  ['single quotes that cannot hold the text', "'Weekly'", 'a\u202eb', '"a\\u202eb"'],
  ['plain that nobody would see', 'Weekly', '\u200b', '"\\u200b"'],
  ['plain beyond the basic plane that nobody would see', 'Weekly', '\u{e0001}', '"\\U000e0001"'],
  ['the empty text', 'Weekly', '', '""'],
  ['a number', 'Weekly', 12, '12'],
  ['a boolean in place of quotes', '"Weekly"', true, 'true'],
  ['null', 'Weekly', null, 'null'],
  ['a reference', 'Weekly', 'Hi ${var.team} and $${x}', 'Hi ${var.team} and $${x}'],
])('a scalar is replaced: %s', (_, before, value, after) => {
  const text = (scalar: string) => lines('# top', 'x:', `  a:   ${scalar}   # why`, '  b: "kept"');
  expect(edited(text(before), ['/x/a', value])).toBe(text(after));
});

it('a text over several lines becomes one line, and a line becomes a text over several lines', () => {
  const text = lines('a: one', '  two # end', 'b: "one', '  two"', 'c: line # why', 'd: x');
  expect(edited(text, ['/a', 'short'], ['/b', 'short'], ['/c', 'one\n\n  two\n'])).toBe(
    lines('a: short # end', 'b: "short"', 'c: | # why', '  one', '', '    two', 'd: x'),
  );
});

it.each([
  ['one\ntwo', '|-'],
  ['one\ntwo\n', '|'],
])('a block text is replaced by a literal block: %j', (value, header) => {
  const text = (before: string, ...body: readonly string[]) => lines(`a: ${before} # why`, ...body, '# next', 'b: x');
  expect(edited(text('>+', '    folded', '    text', ''), ['/a', value])).toBe(text(header, '  one', '  two'));
  expect(edited(text('|2', '   old'), ['/a', 'line'])).toBe(text('line'));
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

it('a block text is written in double quotes where a comment below would become a part of it', () => {
  expect(edited(lines('x:', '  a: y', '      # deep', '  b: z'), ['/x/a', 'one\ntwo'])).toBe(
    lines('x:', '  a: "one\\ntwo"', '      # deep', '  b: z'),
  );
});

it('a block text that keeps its blank lines can be followed by other fields', () => {
  expect(edited(lines('a: x', 'b: y'), ['/a', 'one\n\n\n'])).toBe(lines('a: |+', '  one', '', '', 'b: y'));
});

it('a missing field is added at its canonical place, indented as the others', () => {
  const text = lines(
    'schedules:',
    '    # the first',
    '    a: # key',
    '        name: A',
    '        schedule: 0 9 ? * MON *',
    '        # remark about the recipients',
    '        recipients: [x]',
  );
  expect(
    edited(
      text,
      ['/schedules/a/format', 'pdf'],
      ['/schedules/a/identifier', '12db1a0a'],
      ['/schedules/a/timezone', 'UTC'],
      ['/schedules/a/meta/owner', 'bo'],
      ['/schedules/a/extra', { retries: { count: 3 } }],
    ),
  ).toBe(
    lines(
      'schedules:',
      '    # the first',
      '    a: # key',
      '        identifier: 12db1a0a',
      '        name: A',
      '        schedule: 0 9 ? * MON *',
      '        timezone: UTC',
      '        format: pdf',
      '        # remark about the recipients',
      '        recipients: [x]',
      '        meta:',
      '            owner: bo',
      '        extra:',
      '            retries:',
      '                count: 3',
    ),
  );
});

it('a missing field of almanac.yaml is added in the order of that file', () => {
  const text = lines('api:', '  timeout: 30', '', 'variables:', '  b: 1', '');
  const edits = [
    { document: 0, pointer: '/api/concurrency', value: 2 },
    { document: 0, pointer: '/variables/a', value: 'x' },
    { document: 0, pointer: '/state/path', value: 's.json' },
  ];
  expect(editYaml(text, edits, configOrder)).toBe(
    lines(
      'api:',
      '  concurrency: 2',
      '  timeout: 30',
      '',
      'state:',
      '  path: s.json',
      '',
      'variables:',
      '  b: 1',
      '  a: x',
      '',
    ),
  );
});

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

it('a field is added to a map in braces that has a line for each', () => {
  const text = (...fields: readonly string[]) => lines('schedules:', '  a: {', ...fields, '  }');
  expect(edited(text('    name: y, # n', '    recipients: [z] # r'), ['/schedules/a/format', 'csv'])).toBe(
    text('    name: y, # n', '    format: csv,', '    recipients: [z] # r'),
  );
  expect(
    edited(text('    # own', '    name: y # n'), ['/schedules/a/identifier', 'x'], ['/schedules/a/format', 'csv']),
  ).toBe(text('    identifier: x,', '    # own', '    name: y, # n', '    format: csv'));
});

it('a removed field goes with its lines, its comment and the comments that are indented deeper', () => {
  const text = lines(
    'schedules:',
    '  a:',
    '    # above',
    '    name: A # beside',
    '      # deeper',
    '',
    '    # above filters',
    '    filters:',
    '      x: 1',
    '      # y: 2',
    '    format: csv',
  );
  expect(edited(text, ['/schedules/a/name', undefined], ['/schedules/a/filters', undefined])).toBe(
    lines('schedules:', '  a:', '    # above', '', '    # above filters', '    format: csv'),
  );
});

it.each([
  ['{ a: 1, b: 2, c: 3 }', ['a'], '{ b: 2, c: 3 }'],
  ['{ a: 1, b: 2, c: 3 }', ['b'], '{ a: 1, c: 3 }'],
  ['{ a: 1, b: 2, c: 3 }', ['c'], '{ a: 1, b: 2 }'],
  ['{a: 1, b: 2, c: 3}', ['a', 'b'], '{c: 3}'],
  ['{a: 1, b: 2, c: 3}', ['b', 'c'], '{a: 1}'],
  ['{a: 1, b: 2, c: 3}', ['a', 'c'], '{b: 2}'],
  ['{a: 1, b: 2, c: 3,}', ['c'], '{a: 1, b: 2,}'],
  ['{ a: 1, b: 2, c: 3 }', ['a', 'b', 'c'], '{}'],
])('fields are removed from a map in braces: %s without %j', (before, names, after) => {
  const removals = names.map((name) => [`/x/${name}`, undefined] as const);
  expect(edited(`x: ${before} # kept\n`, ...removals)).toBe(`x: ${after} # kept\n`);
});

it('the last field or item leaves an empty map or list, and comments on lines of their own', () => {
  const text = lines(
    'x: # key',
    '  # own',
    '  a: 1 # gone',
    'y:',
    '- b # gone',
    '',
    '# z',
    'z:',
    '  - a: 1',
    '    b: 2',
    '  - - c',
  );
  expect(
    edited(
      text,
      ['/x/a', undefined],
      ['/y/0', undefined],
      ['/z/0/a', undefined],
      ['/z/0/b', undefined],
      ['/z/1/0', undefined],
    ),
  ).toBe(lines('x: {} # key', '  # own', 'y: []', '', '# z', 'z:', '  - {}', '  - []'));
});

it('a removed list goes with its comments, or keeps them where its items are removed one by one', () => {
  const text = lines('x:', '  # why', '  - a # beside', 'y: 1');
  expect(edited(text, ['/x', undefined])).toBe(lines('y: 1'));
  expect(edited(text, ['/x/0', undefined], ['/x', undefined])).toBe(lines('  # why', 'y: 1'));
});

it('fields of a map beside a dash are added, removed and replaced', () => {
  const text = lines('adopt:', '  - to: a # A', '    # remark', '    id: b', '  - id: c', '  - &x to: d');
  expect(edited(text, ['/adopt/0/to', undefined], ['/adopt/1/to', 'q'], ['/adopt/2/to', undefined])).toBe(
    lines('adopt:', '  - # remark', '    id: b', '  - to: q', '    id: c', '  - {}'),
  );
  const map = lines('adopt:', '  - b: 1', '    c: 2', '    d: 3');
  expect(edited(map, ['/adopt/0/b', undefined], ['/adopt/0/c', undefined])).toBe(lines('adopt:', '  - d: 3'));
  expect(edited(map, ['/adopt/0/b', undefined], ['/adopt/0/to', 'x'])).toBe(
    lines('adopt:', '  - to: x', '    c: 2', '    d: 3'),
  );
});

it('a value changes its kind and the comment beside its key stays', () => {
  const text = lines(
    'a: # key',
    '  # own',
    '  x: 1',
    'b: text # key',
    'c: [x] # key',
    'd:',
    '  text # beside',
    'e: |',
    '  block',
    'f:',
    '# next',
    'g: x',
  );
  expect(
    edited(
      text,
      ['/a', 'text'],
      ['/b', { x: 1 }],
      ['/c', 'text'],
      ['/d', { u: [] }],
      ['/e', { z: {} }],
      ['/f', 'now'],
      ['/g', [{ a: 1, b: [1, 'x, y'] }, 'c\nd']],
    ),
  ).toBe(
    lines(
      'a: text # key',
      '  # own',
      'b: # key',
      '  x: 1',
      'c: text # key',
      'd:',
      '  u: []',
      'e:',
      '  z: {}',
      'f: now',
      '# next',
      'g:',
      '  - a: 1',
      '    b: [1, "x, y"]',
      '  - |-',
      '    c',
      '    d',
    ),
  );
});

it('a new resource comes last, with a blank line where the others have one', () => {
  const draft = { name: 'C', identifier: 'x', recipients: ['a'], filters: { f: { values: [1] } } };
  const text = lines('schedules:', '  a:', '    name: A', '', '  b:', '    name: B', '', 'dashboards: {}');
  expect(edited(text, ['/schedules/c', draft])).toBe(
    lines(
      'schedules:',
      '  a:',
      '    name: A',
      '',
      '  b:',
      '    name: B',
      '',
      '  c:',
      '    identifier: x',
      '    name: C',
      '    recipients: [a]',
      '    filters:',
      '      f:',
      '        values: [1]',
      '',
      'dashboards: {}',
    ),
  );
});

it('a section is added below the comments of the file', () => {
  const text = lines('# yaml-language-server: $schema=x.json', 'schedules:', '  a: {}');
  expect(edited(text, ['/defaults/schedules/format', 'csv'])).toBe(
    lines(
      '# yaml-language-server: $schema=x.json',
      'defaults:',
      '  schedules:',
      '    format: csv',
      '',
      'schedules:',
      '  a: {}',
    ),
  );
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

it('mixed line ends stay where nothing changes', () => {
  expect(edited('a: 1\r\nb: 2\nc: 3\r\n', ['/b', 4])).toBe('a: 1\r\nb: 4\nc: 3\r\n');
});

it('an edit that sets what is there changes nothing', () => {
  const text = lines("a:   'x'", 'b: [ 1,2 ]', 'c: {d:   "e"}');
  expect(edited(text, ['/a', 'x'], ['/b', [1, 2]], ['/c', { d: 'e' }], ['/g/h', undefined])).toBe(text);
});

it.each([
  ['a file with a syntax error', 'a: [\n', ['/a', 1]],
  ['an item that does not exist', 'a: [x]\n', ['/a/1', 'y']],
  ['an item of a missing list', 'a: 1\n', ['/b/0', 'y']],
  ['a value below a scalar', 'a: 1\n', ['/a/b', 'y']],
  ['an item appended to a map', 'a: {}\n', ['/a/-', 'y']],
  ['a pair in a list', 'a: [b: c]\n', ['/a/0/b', 'd']],
  ['a merge key', 'a: &a { b: 1 }\nc: { <<: *a }\n', ['/c/<</b', 2]],
  ['a document that does not exist', '', ['/a', 1]],
] as const)('an edit is refused: %s', (_, text, change) => {
  expect(edited(text, [change[0], change[1]])).toBeUndefined();
});

it('edits that contradict each other are refused', () => {
  expect(edited('a: { b: 1 }\n', ['/a', { b: 2 }], ['/a/b', 3])).toBeUndefined();
});

it('a file in canonical form still is after edits that add and set', () => {
  const text = lines(
    '# yaml-language-server: $schema=x.json',
    'schedules:',
    '  # why',
    '  a:',
    '    name: A # n',
    '    recipients: [x]',
    '    filters:',
    '      status: { values: [y] }',
    '',
    '  b:',
    '    textBody: |',
    '      Hello',
    'moved:',
    '  - { from: schedules.x, to: schedules.a }',
  );
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

describe('a removed entry leaves no odd blank lines', () => {
  const remove = (text: string, ...pointers: readonly string[]) =>
    editYaml(
      text,
      pointers.map((pointer) => ({ document: 0, pointer, value: undefined })),
    );
  const apart = 'schedules:\n  a: { x: 1 }\n\n  b: { x: 2 }\n\n  c: { x: 3 }\n\nmoved: []\n';

  it.each([
    ['the first', ['a'], 'schedules:\n  b: { x: 2 }\n\n  c: { x: 3 }\n\nmoved: []\n'],
    ['one between others', ['b'], 'schedules:\n  a: { x: 1 }\n\n  c: { x: 3 }\n\nmoved: []\n'],
    ['the last of a section', ['c'], 'schedules:\n  a: { x: 1 }\n\n  b: { x: 2 }\n\nmoved: []\n'],
    ['the first two', ['a', 'b'], 'schedules:\n  c: { x: 3 }\n\nmoved: []\n'],
    ['the last two', ['b', 'c'], 'schedules:\n  a: { x: 1 }\n\nmoved: []\n'],
    ['all', ['a', 'b', 'c'], 'schedules: {}\n\nmoved: []\n'],
  ])('where %s is removed', (_, keys, wanted) => {
    expect(remove(apart, ...keys.map((key) => `/schedules/${key}`))).toBe(wanted);
  });

  it.each<[string, string, readonly string[], string]>([
    ['at the end of the file', 'a: 1\n\nb: 2\n', ['/b'], 'a: 1\n'],
    ['at the end of a file with a blank line', 'a: 1\n\nb: 2\n\n', ['/b'], 'a: 1\n\n'],
    ['at the top of the file', 'a: 1\n\nb: 2\n', ['/a'], 'b: 2\n'],
    ['below comments of the file', '# head\n\na: 1\n\nb: 2\n', ['/a'], '# head\n\nb: 2\n'],
    ['with a comment of its own', 'a: 1\n\n# of b\nb: 2\n\nc: 3\n', ['/b'], 'a: 1\n\n# of b\n\nc: 3\n'],
    ['in a list', 'l:\n  - a\n\n  - b\n\n  - c\nm: 1\n', ['/l/1'], 'l:\n  - a\n\n  - c\nm: 1\n'],
    ['below a text that keeps its blank lines', 'a: |+\n  x\n\nb: 2\n', ['/b'], 'a: |+\n  x\n\n'],
    ['without blank lines', 'a: 1\nb: 2\nc: 3\n', ['/b'], 'a: 1\nc: 3\n'],
  ])('%s', (_, text, pointers, wanted) => {
    expect(remove(text, ...pointers)).toBe(wanted);
  });
});

it('a file of 10,000 lines with an edit in each of its schedules is edited in a few seconds', () => {
  const schedule = (index: number) => [`  s${index}:`, '    name: S # n', '    recipients:', '      - a', '      - b'];
  const numbers = Array.from({ length: 2000 }, (_, index) => index);
  const text = lines('schedules:', ...numbers.flatMap(schedule));
  const after = edited(text, ...numbers.map((index) => [`/schedules/s${index}/recipients/0`, undefined] as const));
  expect(after).toBe(text.replaceAll('      - a\n', ''));
});
