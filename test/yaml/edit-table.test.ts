// Cells of a CSV file are set, and everything else stays byte for byte.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editTable } from '../../src/yaml/edit/edit-table.ts';
import { parseTable } from '../../src/yaml/parse-table.ts';
import { runs } from '../support/runs/runs.ts';

const table = 'code,at,"note"\r\n\r\n"emea",08:00,"a, ""b"""\namer, 09:00 ,\r\n';

test('a quoted cell keeps its quotes, and a plain one gets them only if it needs them', () => {
  const edits = [
    { pointer: '/0/note', text: 'c "d"' },
    { pointer: '/0/at', text: '10:00' },
    { pointer: '/1/at', text: ' 11:00' },
    { pointer: '/1/note', text: 'e,f' },
  ];
  expect(editTable(table, edits)).toBe('code,at,"note"\r\n\r\n"emea",10:00,"c ""d"""\namer," 11:00","e,f"\r\n');
});

test('a new row stands at the end with the line ends of the file, and an unknown column is refused', () => {
  expect(editTable('code,at\r\nemea,08:00', [], [{ at: '9,5', code: 'amer' }])).toBe(
    'code,at\r\nemea,08:00\r\namer,"9,5"\r\n',
  );
  expect(editTable('code,at\n', [], [{ code: 'amer' }])).toBe('code,at\namer,\n');
  expect(editTable('code,at\n', [], [{ zone: 'UTC' }])).toBeUndefined();
});

test('whatever a cell becomes, it is read back, and all other cells are as before', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '$', '=') });
  fc.assert(
    fc.property(fc.nat(1), fc.constantFrom('at', 'note'), text, (row, column, value) => {
      const edited = editTable(table, [{ pointer: `/${row}/${column}`, text: value }]) ?? '';
      const rows = parseTable(table).rows.map(({ cells }) => cells.map((cell) => cell.text));
      const own = rows[row] ?? [];
      own[column === 'at' ? 1 : 2] = value;
      expect(parseTable(edited).rows.map(({ cells }) => cells.map((cell) => cell.text))).toEqual(rows);
      expect(edited.split('\n')[0]).toBe(table.split('\n')[0]);
    }),
    { numRuns: runs(200) },
  );
});

test('a cell that does not exist, and one that is to have two texts, leave the file as it is', () => {
  expect(editTable(table, [{ pointer: '/0/other', text: 'a' }])).toBeUndefined();
  expect(editTable(table, [{ pointer: '/2/at', text: 'a' }])).toBeUndefined();
  const twice = ['a', 'b'].map((text) => ({ pointer: '/0/at', text }));
  expect(editTable(table, twice)).toBeUndefined();
  expect(editTable('code,at\nemea', [{ pointer: '/0/at', text: 'a' }])).toBeUndefined();
});
