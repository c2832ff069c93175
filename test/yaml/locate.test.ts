// From places to lines and columns: through aliases and merges, into texts of every style, and never beyond the file.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../src/model/workspace/diagnostic.ts';
import { makeLocator } from '../../src/yaml/locate.ts';
import { runs } from '../support/runs/runs.ts';

it('a finding and its related places are found without reading their files again and again', () => {
  const reads: string[] = [];
  const { locate } = makeLocator((path) => {
    reads.push(path);
    return { path, text: 'a: 1\nb: 2\n' };
  });
  const lines = ['a', 'b', 'a', 'b'].flatMap((key) =>
    ['rows.csv', 'almanac.yaml', 'a.yaml'].map(
      (file) => locate({ file, document: 0, pointer: `/${key}`, at: 'key' })?.line,
    ),
  );
  expect(lines).toEqual([1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2]);
  expect(reads).toEqual(['rows.csv', 'almanac.yaml', 'a.yaml']);
});

/** Where a pointer lies, and the text that is underlined. */
function underlined(
  text: string,
  pointer: string,
  { at = 'value', document = 0 }: { at?: 'key' | 'value'; document?: number } = {},
) {
  const position = makeLocator(() => ({ path: 'a.yaml', text })).locate({ file: 'a.yaml', document, pointer, at });
  return position && `${position.line}:${position.column} ${text.slice(position.span.start, position.span.end)}`;
}

describe('a pointer', () => {
  const text = [
    'x-common: &common',
    '  zone: UTC',
    '  list: &list [a, b]',
    'x-more: &more { zone: Paris, extra: 1 }',
    'own:',
    '  <<: [*common, *more]',
    '  mine: *list',
    'again: *common',
    '"quoted key": 1',
    'tricky/~key: 2',
    'empty:',
    'seq:',
    '  - { a: 1 }',
    '  - b: 2',
  ].join('\n');

  it.each([
    ['/x-common/zone', '2:9 UTC'],
    ['/x-common/list/1', '3:19 b'],
    ['/own/zone', '2:9 UTC'],
    ['/own/extra', '4:37 1'],
    ['/own/mine', '7:9 *list'],
    ['/own/mine/0', '3:16 a'],
    ['/again/list/0', '3:16 a'],
    ['/quoted key', '9:15 1'],
    ['/tricky~1~0key', '10:14 2'],
    ['/seq/1/b', '14:8 2'],
    ['/own/missing', '6:3 <<: [*common, *more]\n  mine: *list\n'],
    ['/seq/7', '13:3 - { a: 1 }\n  - b: 2'],
  ])('the pointer %s leads to %s', (pointer, where) => expect(underlined(text, pointer)).toBe(where));

  it.each([
    ['/own/zone', '2:3 zone'],
    ['/own/extra', '4:30 extra'],
    ['/own/missing', '5:1 own'],
    ['/quoted key', '9:1 "quoted key"'],
    ['/empty', '11:1 empty'],
    ['/seq/0', '13:5 { a: 1 }'],
    ['', '1:1 x-common'],
  ])('the pointer %s has its key at %s', (pointer, where) => {
    expect(underlined(text, pointer, { at: 'key' })?.split('\n')[0]?.slice(0, where.length)).toBe(where);
  });

  it('a pointer leads into the right document', () => {
    const documents = 'a: 1\n---\n# none\n---\na: 2\n';
    expect(underlined(documents, '/a', { document: 2 })).toBe('5:4 2');
    expect(underlined(documents, '/a', { document: 9 })).toBeUndefined();
  });
});

describe('a part of a text', () => {
  const at = (text: string, value: string, part: string, occurrence = 0) => {
    const locator = makeLocator(() => ({ path: 'a.yaml', text }));
    let start = -1;
    for (let count = 0; count <= occurrence; count += 1) start = value.indexOf(part, start + 1);
    const within = { start, end: start + part.length };
    const position = locator.locate({ file: 'a.yaml', document: 0, pointer: '/a', at: 'value', within });
    return position && `${position.line}:${position.column} ${text.slice(position.span.start, position.span.end)}`;
  };

  it.each([
    ['a: one two\n', 'one two', '1:8 two'],
    ["a: 'one two'\n", 'one two', '1:9 two'],
    ['a: "one two"\n', 'one two', '1:9 two'],
    ['a: "\\u006fne two"\n', 'one two', '1:14 two'],
    ['a: |\n  one\n  two\n', 'one\ntwo\n', '3:3 two'],
    ['a: >-\n  one\n  two\n', 'one two', '3:3 two'],
    ['a: one\n  two\n', 'one two', '2:3 two'],
    ['b: &x one two\na: *x\n', 'one two', '2:4 *x'],
  ])('a part of a text is located in %j', (text, value, where) => expect(at(text, value, 'two')).toBe(where));

  it('the right part of several equal parts is located', () => {
    const text = 'a: |\n  ${x} and ${x}\n  or ${x}\n';
    const value = '${x} and ${x}\nor ${x}\n';
    expect(at(text, value, '${x}', 1)).toBe('2:12 ${x}');
    expect(at(text, value, '${x}', 2)).toBe('3:6 ${x}');
  });

  it('the whole value is located if the part is not in the file', () => {
    expect(at('a: "t\\u0077o"\n', 'two', 'two')).toBe('1:4 "t\\u0077o"');
  });

  it('the whole reference is located if the part comes from its replacement', () => {
    const locator = makeLocator(() => ({ path: 'a.yaml', text: 'a: ${var.cron}\n' }));
    const place: Place = { file: 'a.yaml', document: 0, pointer: '/a', at: 'value', within: { start: 2, end: 4 } };
    expect(locator.locate(place)).toMatchObject({ column: 4, endColumn: 15 });
  });
});

describe('a locator', () => {
  it('a locator knows nothing about files that do not exist', () => {
    const locator = makeLocator(() => undefined);
    expect(locator.locate({ file: 'a.yaml' })).toBeUndefined();
    expect(locator.locate({ file: 'a.yaml', span: { start: 0, end: 1 } })).toBeUndefined();
    expect(locator.locate({ file: 'a.yaml', document: 0, pointer: '/a', at: 'key' })).toBeUndefined();
  });

  it('a locator stays inside the file for any request', () => {
    const pointer = fc.string({ unit: fc.constantFrom('/', '~0', 'a', 'b', '0', '1', '<<'), maxLength: 8 });
    const text = fc.string({
      unit: fc.constantFrom(
        ...['a', 'b', ': ', '\n', '  ', '- ', '[', ']', '{', '}', '&x ', '*x', '<<: ', '"', '|\n', ', '],
      ),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, pointer, fc.constantFrom('key' as const, 'value' as const), (source, path, at) => {
        const place: Place = { file: 'a', document: 0, pointer: path, at, within: { start: 1, end: 3 } };
        const position = makeLocator(() => ({ path: 'a', text: source })).locate(place);
        if (position === undefined) return;
        expect(position.line).toBeGreaterThan(0);
        expect(position.column).toBeGreaterThan(0);
        expect(position.line).toBeLessThanOrEqual(source.split('\n').length);
        expect(position.span.start).toBeLessThanOrEqual(source.length);
      }),
      { numRuns: runs(2000) },
    );
  });
});
