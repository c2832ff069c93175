// Entries of moved, adopt and removed are cut out of a file; everything else stays as it is.

import { expect, it } from 'vitest';
import { editFiles } from '../../../src/commands/base/edit/edit-files.ts';

const prune = (text: string, pointers: readonly string[], document = 0) => {
  const file = { path: 'a.yaml', text };
  const edits = pointers.map((pointer) => ({ file: 'a.yaml', document, pointer, value: undefined }));
  const edited = editFiles(edits, { fileNamed: () => file, config: undefined });
  return 'texts' in edited ? edited.texts.get('a.yaml') : undefined;
};

it('pruning removes block entries and keeps comments, quotes and the other entries', () => {
  const text = [
    '# head',
    'adopt:',
    '  # from the import',
    "  - { to: schedules.a, id: 'one' } # gone",
    '  - to: schedules.b',
    '    id: "two"',
    '',
    '  - { to: schedules.c, id: three } # stays',
    'schedules:',
    "  a: { name: 'A' } # quoted",
    '',
  ].join('\n');
  expect(prune(text, ['/adopt/0', '/adopt/1'])).toBe(
    [
      '# head',
      'adopt:',
      '  # from the import',
      '',
      '  - { to: schedules.c, id: three } # stays',
      'schedules:',
      "  a: { name: 'A' } # quoted",
      '',
    ].join('\n'),
  );
});

it('pruning the last entry of a section removes the section, and keeps a comment on a line of its own', () => {
  const text = 'adopt:\n  # why\n  - { to: schedules.a, id: one }\nschedules:\n  a: {}\n';
  expect(prune(text, ['/adopt/0'])).toBe('  # why\nschedules:\n  a: {}\n');
  expect(prune('schedules:\n  a: {}\nmoved: [{ from: x, to: y }]\n', ['/moved/0'])).toBe('schedules:\n  a: {}\n');
  expect(prune('adopt:\n- { to: schedules.a, id: one }', ['/adopt/0'])).toBe('');
});

it.each([
  ['/moved/0', '[{ from: b, to: c }, { from: c, to: d }]'],
  ['/moved/1', '[{ from: a, to: b }, { from: c, to: d }]'],
  ['/moved/2', '[{ from: a, to: b }, { from: b, to: c }]'],
])('pruning %s removes one entry of a list in brackets', (pointer, left) => {
  const text = 'moved: [{ from: a, to: b }, { from: b, to: c }, { from: c, to: d }]\nschedules: {}\n';
  expect(prune(text, [pointer])).toBe(`moved: ${left}\nschedules: {}\n`);
});

it('pruning the end of a list in brackets leaves no comma behind', () => {
  const text = 'moved: [{ from: a, to: b }, { from: b, to: c }, { from: c, to: d }]\n';
  expect(prune(text, ['/moved/1', '/moved/2'])).toBe('moved: [{ from: a, to: b }]\n');
});

it('pruning leaves Windows line ends and other documents alone', () => {
  const text = 'schedules: {}\r\n---\r\nadopt:\r\n  - { to: a, id: b }\r\nschedules: {}\r\n';
  expect(prune(text, ['/adopt/0'], 1)).toBe('schedules: {}\r\n---\r\nschedules: {}\r\n');
});

it('pruning gives up on a layout in which an entry is used elsewhere', () => {
  expect(prune('adopt:\n  - &x { to: a, id: b }\nmoved:\n  - *x\n', ['/adopt/0'])).toBeUndefined();
});

it('pruning removes a section from a file in braces', () => {
  expect(prune('{ adopt: [{ to: a, id: b }], schedules: {} }\n', ['/adopt/0'])).toBe('{ schedules: {} }\n');
});
