import { expect, test } from 'vitest';
import { type DiffRow, lineRows, listRows, nearChanges } from '../../src/report/fields/diff-rows.ts';

function shown(rows: readonly DiffRow[]): string {
  return nearChanges(rows, 'line')
    .map(({ sign, text }) => `${sign} ${text}`)
    .join('\n');
}

test('a difference of long texts shows two lines around each change and counts the others', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const after = before.with(10, 'changed');
  expect(shown(lineRows(before.join('\n'), after.join('\n')))).toBe(
    [
      '# (8 unchanged lines hidden)',
      '  line 8',
      '  line 9',
      '- line 10',
      '+ changed',
      '  line 11',
      '  line 12',
      '# (7 unchanged lines hidden)',
    ].join('\n'),
  );
});

test('texts with nothing in common are shown in full without delay', () => {
  const before = Array.from({ length: 3_000 }, (_, index) => `old ${index}`);
  const after = before.map((_, index) => `new ${index}`);
  const rows = lineRows(before.join('\n'), after.join('\n'));
  expect(rows.filter(({ sign }) => sign === '-')).toHaveLength(3_000);
  expect(rows.filter(({ sign }) => sign === '+')).toHaveLength(3_000);
});

test('a difference shows trailing spaces and carriage returns', () => {
  expect(shown(lineRows('a  \nb\r\n', 'a\nb\n'))).toBe(['- a··', '- b\\r', '+ a', '+ b'].join('\n'));
});

test('a difference ignores the order of a set and shows that of a list', () => {
  expect(shown(listRows(['a', 'b'], ['b', 'a'], true))).toBe('# (2 unchanged lines hidden)');
  expect(shown(listRows(['a', 'b'], ['b', 'a'], false))).toBe(['- "a"', '  "b"', '+ "a"'].join('\n'));
});

test('a difference shows elements that are maps', () => {
  expect(shown(listRows([{ id: 1 }], [{ id: 1 }, { id: 2 }], false))).toBe(['  { id: 1 }', '+ { id: 2 }'].join('\n'));
});
