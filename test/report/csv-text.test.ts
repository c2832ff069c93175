// CSV for spreadsheets: RFC 4180, and no cell is a formula. And for the table of permissions, which is read again.

import { expect, test } from 'vitest';
import { csvText, exactCsvText } from '../../src/report/table/csv-text.ts';
import { parseTable } from '../../src/yaml/parse-table.ts';

test.each([
  ['two\nlines, and a "quote"', '"two\nlines, and a ""quote"""'],
  ['=HYPERLINK("https://evil.example/","x")', '"\'=HYPERLINK(""https://evil.example/"",""x"")"'],
  ['-1+2', "'-1+2"],
  ['@sum', "'@sum"],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['plain', 'plain'],
])('the text %j is the cell %j', (name, cell) => {
  expect(csvText({ name: (each: string) => each, empty: () => undefined }, [name])).toBe(`name,empty\r\n${cell},\r\n`);
});

test.each([
  '-1',
  '+49',
  '=1+1',
  '@home',
  '- none -',
  "'-1",
  'a\tb',
  '\t-1',
  ' x ',
  '\u00a0x',
  '::x',
  'a,"b"',
  'a\r\nb\rc\n',
])('a value that is read again is the one that was written: %j', (value) => {
  const { rows } = parseTable(exactCsvText({ value: (each: string) => each, other: () => 'x' }, [value]));
  expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([[value, 'x']]);
});

test.each(['\u001b[31mred', 'a ##vso[task.setvariable variable=x]y', 'a\n::add-mask::b', 'a\u0085b'])(
  'a value that a terminal or a runner of CI would obey is an empty cell where the table is read again: %j',
  (value) => {
    expect(exactCsvText({ value: (each: string) => each, other: () => 'x' }, [value])).toBe('value,other\r\n,x\r\n');
  },
);
