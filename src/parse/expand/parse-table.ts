// Reads a CSV file with a header, as RFC 4180 describes it: commas, quotes where a text holds a comma, a quote or a line
// break. Keeps the place of every cell, because a mistake is reported where it has to be corrected.

import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';
import type { Span } from '../../model/workspace/diagnostic.ts';

export interface Cell extends Span {
  readonly text: string;
}

export interface Row extends Span {
  readonly cells: readonly Cell[];
  /** From 1. */
  readonly line: number;
}

export interface TableProblem {
  readonly message: string;
  readonly hint: string;
  readonly span: Span;
}

export interface Table {
  /** The names of the columns; undefined for an empty file. */
  readonly header?: Row;
  /** Without empty lines. */
  readonly rows: readonly Row[];
  /** The first mistake that keeps the file from being read. */
  readonly problem?: TableProblem;
}

/** What spreadsheets write where the comma is the decimal sign. */
export const bySemicolons = 'Its values are separated by semicolons. Save it with commas.';

export function parseTable(text: string): Table {
  const reader: Reader = { text, at: text.startsWith('\uFEFF') ? 1 : 0, line: 1 };
  const rows: Row[] = [];
  let problem: TableProblem | undefined;
  while (reader.at < text.length && problem === undefined) {
    const row = readRow(reader);
    if ('message' in row) problem = row;
    else if (row.cells.length > 1 || row.start < row.end) rows.push(row);
  }
  const [header, ...others] = rows;
  const width = header?.cells.length ?? 0;
  const uneven = others.find(({ cells }) => cells.length !== width);
  if (uneven !== undefined && problem === undefined) problem = unevenRow(uneven, width);
  return { header, rows: others, problem };
}

/** The place of a cell, a row or the header: `/3/region` is the column `region` of the fourth row below the header. */
export function spanInTable({ header, rows }: Table, pointer: Pointer): Span | undefined {
  const [row, column] = pointerSegments(pointer);
  const found = row === undefined ? header : rows[Number(row)];
  if (column === undefined) return found;
  const index = header?.cells.findIndex(({ text }) => text === column) ?? -1;
  return found?.cells[index] ?? found;
}

interface Reader {
  readonly text: string;
  at: number;
  line: number;
}

/** Up to the end of the line, which is passed. */
function readRow(reader: Reader): Row | TableProblem {
  const { text, line, at: start } = reader;
  const cells: Cell[] = [];
  for (;;) {
    const cell = text[reader.at] === '"' ? readQuoted(reader) : readPlain(reader);
    if ('message' in cell) return cell;
    cells.push(cell);
    if (text[reader.at] !== ',') break;
    reader.at += 1;
  }
  const end = reader.at;
  if (text[reader.at] === '\r') reader.at += 1;
  if (text[reader.at] === '\n') reader.at += 1;
  reader.line += 1;
  return { cells, line, start, end };
}

const plain = /[^,\r\n]*/y;

function readPlain(reader: Reader): Cell {
  const { text, at: start } = reader;
  plain.lastIndex = start;
  const [found = ''] = plain.exec(text) ?? [];
  reader.at = start + found.length;
  return { text: found, start, end: reader.at };
}

function readQuoted(reader: Reader): Cell | TableProblem {
  const { text, at: start } = reader;
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) {
    const message = 'The quote that begins this value is never closed.';
    return { message, hint: 'Close it, and write a quote inside a value twice.', span: { start, end: start + 1 } };
  }
  const inside = text.slice(start + 1, end);
  reader.at = end + 1;
  for (const each of inside) if (each === '\n') reader.line += 1;
  const next = text[reader.at];
  if (next !== undefined && next !== ',' && next !== '\r' && next !== '\n') {
    const message = 'There is text behind the closing quote of a value.';
    const hint =
      next === ';' && reader.line === 1
        ? bySemicolons
        : 'Put the whole value into quotes, and write a quote inside a value twice.';
    return { message, hint, span: { start: reader.at, end: reader.at + 1 } };
  }
  return { text: inside.replaceAll('""', '"'), start, end: reader.at };
}

function unevenRow({ cells, start, end }: Row, width: number): TableProblem {
  const count = `${cells.length} ${cells.length === 1 ? 'value' : 'values'}`;
  return {
    message: `The row has ${count}, and the header has ${width} ${width === 1 ? 'name' : 'names'}.`,
    hint: 'Write one value for each column. A value that holds a comma needs quotes.',
    span: { start, end },
  };
}
