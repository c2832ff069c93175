// Edits cells of a CSV file, and leaves every other byte as it is; and prints a new one.

import type { JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';
import { type Cell, parseTable, type Table } from '../parse-table.ts';

/**
 * Sets single cells in the text of a CSV file. Only these cells change: other quotes, spaces and line ends stay byte for
 * byte. The header is never written.
 */
interface CellEdit {
  /** `/3/region` is the column `region` of the fourth row below the header. */
  readonly pointer: Pointer;
  readonly text: string;
}

/** The text with all edits and new rows, by column; undefined if a cell does not exist or the file cannot be read. */
export function editTable(
  text: string,
  edits: readonly CellEdit[],
  newRows: readonly JsonObject[] = [],
): string | undefined {
  const before = parseTable(text);
  if (before.problem !== undefined) return undefined;
  const wanted = new Map<Cell, string>();
  for (const { pointer, text: value } of edits) {
    const cell = cellAt(before, pointer);
    if (cell === undefined || (wanted.get(cell) ?? value) !== value) return undefined;
    wanted.set(cell, value);
  }
  let edited = text;
  for (const [{ start, end }, value] of [...wanted].sort(([a], [b]) => b.start - a.start))
    edited = edited.slice(0, start) + printCell(value, text[start] === '"') + edited.slice(end);
  const columns = before.header?.cells.map((column) => column.text) ?? [];
  if (newRows.some((row) => Object.keys(row).some((name) => !columns.includes(name)))) return undefined;
  const added = newRows.map((row) => columns.map((name) => String(row[name] ?? '')));
  if (added.length > 0) edited = appended(edited, added);
  const meant = [...before.rows.map(({ cells }) => cells.map((cell) => wanted.get(cell) ?? cell.text)), ...added];
  const found = parseTable(edited).rows.map(({ cells }) => cells.map((cell) => cell.text));
  return JSON.stringify(found) === JSON.stringify(meant) ? edited : undefined;
}

/** The rows get the line ends that the text has. */
function appended(text: string, rows: readonly (readonly string[])[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const whole = text.endsWith('\n') ? text : `${text}${end}`;
  return whole + rows.map((cells) => `${cells.map((each) => printCell(each, false)).join(',')}${end}`).join('');
}

function cellAt({ header, rows }: Table, pointer: Pointer): Cell | undefined {
  const [row, column] = pointerSegments(pointer);
  const index = header?.cells.findIndex(({ text }) => text === column) ?? -1;
  return rows[Number(row)]?.cells[index];
}

/** A new file; the first row is the header. */
export function printTable(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((text) => printCell(text, false)).join(',')}\n`).join('');
}

/** Quotes a cell that was quoted, or that would lose a comma, a quote, a line break or a space at an end. */
function printCell(text: string, isQuoted: boolean): string {
  return isQuoted || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
