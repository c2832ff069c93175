// CSV for spreadsheets: RFC 4180, and no cell is a formula.

import { expect, test } from 'vitest';
import { csvText } from '../../src/report/table/csv-text.ts';

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
