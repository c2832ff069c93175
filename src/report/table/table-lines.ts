// A table for a terminal, fitted to its width. Columns that people copy from stay whole, the widest of the others
// shrinks, and if that is not enough, whole columns are left out from the right. Where no terminal has an edge, nothing
// is cut.

import type { Column } from '../doc.ts';
import { displayWidth, safeText, truncate } from '../text/terminal-text.ts';
import type { Page } from '../text/theme.ts';

export interface TableColumn<T> extends Omit<Column, 'isNamed'> {
  readonly cell: (item: T) => string;
}

const gap = '  ';

/** The titles and a line for each item. With -v, columns are neither cut nor left out. */
export function tableLines<T>(
  { theme, width, room = width, showsAll }: Page,
  columns: readonly TableColumn<T>[],
  items: readonly T[],
): readonly string[] {
  const fitting = fitted(columns.map(harmless), items, showsAll ? Number.POSITIVE_INFINITY : room);
  const row = (cellOf: (column: TableColumn<T>) => string, coloured: boolean) => {
    const cells = fitting.map(({ column, width: space }, index) => {
      const text = truncate(cellOf(column), space);
      const isLast = index === fitting.length - 1;
      const shown = coloured && column.role !== undefined ? theme[column.role](text) : text;
      const blank = ' '.repeat(Math.max(0, space - displayWidth(text)));
      if (column.toTheRight) return blank + shown;
      return isLast ? shown : shown + blank;
    });
    return cells.join(gap).trimEnd();
  };
  return [theme.strong(row(({ title }) => title, false)), ...items.map((item) => row(({ cell }) => cell(item), true))];
}

/** True if every column has room, cut to `least` where it may be. */
export function isTableWhole<T>(
  { width, room = width, showsAll }: Page,
  columns: readonly TableColumn<T>[],
  items: readonly T[],
): boolean {
  return showsAll === true || fitted(columns.map(harmless), items, room).length === columns.length;
}

/** The texts of cells may come from files or from Omni. */
function harmless<T>(column: TableColumn<T>): TableColumn<T> {
  return { ...column, cell: (item) => safeText(column.cell(item)) };
}

interface Fitted<T> {
  readonly column: TableColumn<T>;
  readonly width: number;
}

function fitted<T>(given: readonly TableColumn<T>[], items: readonly T[], room: number): readonly Fitted<T>[] {
  let columns: readonly Fitted<T>[] = given.map((column) => ({
    column,
    width: widest([column.title, ...items.map(column.cell)]),
  }));
  const over = () => columns.reduce((sum, { width }) => sum + width, gap.length * (columns.length - 1)) - room;
  while (over() > 0 && columns.length > 1) {
    const flexible = columns.filter(({ column, width }) => column.least !== undefined && width > column.least);
    const [first, ...others] = flexible;
    // Without the last column, the others may not need to shrink.
    if (first === undefined) return fitted(given.slice(0, -1), items, room);
    const chosen = others.reduce((best, each) => (each.width > best.width ? each : best), first);
    columns = columns.map((each) => (each === chosen ? { ...each, width: each.width - 1 } : each));
  }
  return columns;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}
