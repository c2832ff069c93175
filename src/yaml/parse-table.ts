// Reads a CSV file with a header, as RFC 4180 describes it: commas, quotes where a text holds a comma, a quote or a line
// break. Keeps the place of every cell, because a mistake is reported where it has to be corrected.

import { type Pointer, pointerSegments } from '../model/values/pointer.ts';
import type { Span } from '../model/workspace/diagnostic.ts';

export interface Cell extends Span {
  readonly text: string;
}

export interface TableRow extends Span {
  readonly cells: readonly Cell[];
  /** The line, from 1. */
  readonly line: number;
}

export interface TableProblem {
  readonly message: string;
  readonly hint: string;
  readonly span: Span;
}

export interface Table {
  /** The names of the columns; undefined for an empty file. */
  readonly header?: TableRow;
  /** The rows without empty lines. */
  readonly rows: readonly TableRow[];
  /** The first mistake that keeps the file from being read. */
  readonly problem?: TableProblem;
}

const separators: readonly (readonly [sign: string, words: string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'the sign `|`'],
];

/** Advice about a header without commas: spreadsheets may write semicolons or, when cells are copied, tabs. */
export function separatorHint(header: string): string | undefined {
  const [, words] = separators.find(([sign]) => header.includes(sign)) ?? [];
  return words && `Its values are separated by ${words}. Save it with commas.`;
}

/** The problem of a file that is no table, told by its first line: a setting of Excel, HTML or JSON. */
function notATable(text: string): TableProblem | undefined {
  const [start] = /^\uFEFF?(?:sep=.|\s*<[!a-z]|\s*[[{])/i.exec(text) ?? [];
  if (start === undefined) return undefined;
  const span = { start: 0, end: start.length };
  if (/sep=/i.test(start))
    return {
      message: 'Excel writes this line for itself, above the names of the columns.',
      hint: 'Remove line 1.',
      span,
    };
  const what = start.includes('<') ? 'a page of HTML, as a server answers to somebody who is not signed in' : 'JSON';
  return { message: `This is not a CSV file but ${what}.`, hint: 'Save the table as CSV, with commas.', span };
}

/** Advice for a row that cannot be read; undefined if it does not look like a comment. */
export function commentHint({ cells, line }: TableRow): string | undefined {
  return cells[0]?.text.startsWith('#') ? `A CSV file has no comments. Remove line ${line}.` : undefined;
}

// A cell in quotes, where a quote is written twice, or without.
const cell = /"([^"]*(?:""[^"]*)*)"(?!")|[^",\r\n][^,\r\n]*|/y;

/** The markers of git in a text, of which an editor may have removed some. */
export function mergeConflict(text: string): TableProblem | undefined {
  const marker = /^(?:<{7} |={7}\r?$|>{7} |\|{7} )/m.exec(text);
  if (marker === null) return undefined;
  return {
    message: 'The file contains an unresolved git merge conflict.',
    hint: 'Choose one side, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.',
    span: { start: marker.index, end: marker.index + 7 },
  };
}

export function parseTable(text: string): Table {
  const rows: TableRow[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let problem: TableProblem | undefined;
  while (at < text.length && problem === undefined) {
    const [start, begins] = [at, line];
    const cells: Cell[] = [];
    do {
      if (cells.length > 0) at += 1;
      cell.lastIndex = at;
      const [whole = '', quoted] = cell.exec(text) ?? [];
      cells.push({ text: quoted?.replaceAll('""', '"') ?? whole, start: at, end: at + whole.length });
      at += whole.length;
      line += whole.split('\n').length - 1;
    } while (text[at] === ',');
    problem = problemAt(text, at, line, cells.at(-1));
    if (problem === undefined && (cells.length > 1 || start < at)) rows.push({ cells, line: begins, start, end: at });
    at += /^\r?\n?/.exec(text.slice(at, at + 2))?.[0].length ?? 0;
    line += 1;
  }
  const [header, ...otherRows] = rows;
  const wrong = header && otherRows.find((row) => row.cells.length !== header.cells.length || isAgain(row, header));
  const broken = problem ?? (wrong && (isAgain(wrong, header) ? headerAgain(wrong) : unevenRow(wrong, header)));
  const found = notATable(text) ?? (broken && (mergeConflict(text) ?? broken));
  const separated = header?.cells.length === 1 ? separatorHint(header.cells[0]?.text ?? '') : undefined;
  return {
    header,
    rows: otherRows,
    problem: found && found === broken && separated ? { ...found, hint: separated } : found,
  };
}

/** The fault at the end of a row, where anything but an end is a mistake. */
function problemAt(text: string, at: number, line: number, last: Cell | undefined): TableProblem | undefined {
  const next = text[at];
  if (next === undefined || next === '\r' || next === '\n') return undefined;
  const span = { start: at, end: at + 1 };
  if (next === '"') {
    const message = 'The quote that begins this value is never closed.';
    return { message, hint: 'Close it, and write a quote inside a value twice.', span };
  }
  const lines = last?.text.split('\n').length ?? 1;
  if (last !== undefined && lines > 1)
    return {
      message: `The value that begins here runs over ${lines} lines, and text follows its closing quote.`,
      hint: 'Close the quote where the value ends, and write a quote inside a value twice.',
      span: { start: last.start, end: last.start + 1 },
    };
  const hint =
    (line === 1 ? separatorHint(next) : undefined) ??
    'Put the whole value into quotes, and write a quote inside a value twice.';
  return { message: 'There is text behind the closing quote of a value.', hint, span };
}

/** The place of a cell, a row or the header: `/3/region` is the column `region` of the fourth row below the header. */
export function spanInTable({ header, rows }: Table, pointer: Pointer): Span | undefined {
  const [row, column] = pointerSegments(pointer);
  const found = row === undefined ? header : rows[Number(row)];
  if (column === undefined) return found;
  const index = header?.cells.findIndex(({ text }) => text === column) ?? -1;
  return found?.cells[index] ?? found;
}

/** Two tables in one file, each with its header; the second may begin with a byte order mark, which `trim` removes. */
function isAgain({ cells }: TableRow, header: TableRow): boolean {
  return cells.length === header.cells.length && cells.every(({ text }, at) => text.trim() === header.cells[at]?.text);
}

function headerAgain({ line, start, end }: TableRow): TableProblem {
  const message = 'This is the header again, as where two tables were put into one file.';
  return { message, hint: `Remove line ${line}.`, span: { start, end } };
}

function unevenRow(row: TableRow, header: TableRow): TableProblem {
  const { cells, start, end, line } = row;
  const span = { start, end };
  if (cells.every(({ text }) => text.trim() === ''))
    return { message: 'The line holds nothing but blanks.', hint: `Remove line ${line}.`, span };
  const { length: width } = header.cells;
  // Programs and word processors have other quotes, which CSV takes for letters.
  const isQuotedOtherwise = cells.some(({ text }) => /^['\u2018\u201C\u201E\u00AB`]/.test(text));
  const count = `${cells.length} ${cells.length === 1 ? 'value' : 'values'}`;
  return {
    message: `The row has ${count}, and the header has ${width} ${width === 1 ? 'name' : 'names'}.`,
    hint:
      commentHint(header) ??
      commentHint(row) ??
      `Write one value for each column. A value that holds a comma needs ${isQuotedOtherwise ? 'straight double quotes: `"North, Pine"`' : 'quotes'}.`,
    span,
  };
}
