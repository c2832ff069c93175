// CSV files of loops: what a cell holds, where it is, and what is refused.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTable, spanInTable } from '../../src/yaml/parse-table.ts';

const textsOf = (text: string) => parseTable(text).rows.map(({ cells }) => cells.map((cell) => cell.text));

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('a table', () => {
  test('whatever its texts and its line ends are, it is read as it was written, and every place is that of its text', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r\n', '$', '{'), maxLength: 6 });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.tuple(
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
          fc.constantFrom('\n', '\r\n'),
          fc.boolean(),
        ),
      );
    fc.assert(
      fc.property(table, ([rows, end, endsWithLine]) => {
        const header = (rows[0] ?? []).map((_, index) => `column ${index}`);
        const lines = [header, ...rows].map((row) => row.map(quoted).join(','));
        const text = lines.join(end) + (endsWithLine ? end : '');
        const parsed = parseTable(text);
        expect(parsed.problem).toBeUndefined();
        expect(parsed.rows.map(({ cells }) => cells.map((each) => each.text))).toEqual(rows);
        for (const [at, row] of rows.entries())
          for (const [column, value] of row.entries()) {
            const { start = 0, end: to = 0 } = spanInTable(parsed, `/${at}/column ${column}`) ?? {};
            expect(text.slice(start, to)).toBe(quoted(value));
          }
        for (const { line, start } of parsed.rows) expect(text.slice(0, start).split('\n').length).toBe(line);
      }),
    );
  });

  test('empty lines, a byte order mark and texts without quotes are fine', () => {
    expect(textsOf('\uFEFFa,b\n\n1,x "y" z\n\n2,\n')).toEqual([
      ['1', 'x "y" z'],
      ['2', ''],
    ]);
  });

  test.each([
    ['a quote that is never closed', 'a,b\n1,"x\n', 6, /never closed/],
    ['text behind a closing quote', 'a,b\n"1"x,2\n', 7, /behind the closing quote/],
    ['a row with more values than columns', 'a,b\n1,2,3\n', 4, /has 3 values, and the header has 2 names/],
    ['a row with fewer values than columns', 'a,b\n1\n', 4, /has 1 value, and the header has 2 names/],
  ])('%s is refused at its place', (_, text, start, words) => {
    const { problem } = parseTable(text);
    expect(problem?.message).toMatch(words);
    expect(problem?.span.start).toBe(start);
  });

  test('values that semicolons or tabs separate are told to be so where the header shows it, also if one holds a comma', () => {
    expect(parseTable('"a";"b"\n"1";"2"\n').problem?.hint).toMatch(/semicolons/);
    expect(parseTable('a;b\n1;2, 3\n').problem?.hint).toMatch(/semicolons/);
    expect(parseTable('a\tb\n1\t"2, 3"\n').problem?.hint).toMatch(/tabs/);
    expect(parseTable('a;b\n"1";2\n').problem?.hint).toMatch(/semicolons/);
    expect(parseTable('a,b\n"1";2,3\n').problem?.hint).not.toMatch(/semicolons/);
    expect(parseTable('"a"\t"b"\n"1"\t"2"\n').problem?.hint).toMatch(/tabs/);
  });

  test.each(['# from the CRM\na,b\n1,2\n', 'a,b\n1,2\n# until May\n'])(
    'a row that looks like a comment is told to be none: %j',
    (text) => {
      expect(parseTable(text).problem?.hint).toMatch(/^A CSV file has no comments. Remove line [13]\.$/);
    },
  );
});
