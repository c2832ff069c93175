import { expect, it } from 'vitest';
import { tableLines } from '../../src/report/table/table-lines.ts';
import { plainTheme } from '../../src/report/text/theme.ts';

it('a table that leaves out a column cuts no cell for which there is room without it', () => {
  const page = { theme: plainTheme, width: 80 };
  const columns = [
    { title: 'NAME', least: 4, cell: () => 'Weekly report' },
    { title: 'UPDATED', cell: () => '2026-11-30' },
    { title: 'ID', cell: () => '0123456789'.repeat(7) },
  ];
  expect(tableLines(page, columns, [{}])).toEqual(['NAME           UPDATED', 'Weekly report  2026-11-30']);
});
