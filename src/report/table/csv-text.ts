// A table for a spreadsheet: CSV as RFC 4180 has it. A cell that a spreadsheet would take for a formula gets an apostrophe
// before it, and a line that a runner of CI would obey is broken up: names are written by anybody.

import { safeText } from '../text/terminal-text.ts';
import { withoutWorkflowCommands } from '../text/workflow-commands.ts';

type Cell = string | number | boolean | undefined;

/** By title, in their order. */
export type CsvColumns<T> = Readonly<Record<string, (item: T) => Cell>>;

/** The titles and a line for each item, in parts of whole lines: as one text, a long table would not fit. */
export function* csvParts<T>(columns: CsvColumns<T>, items: Iterable<T>): Iterable<string> {
  const cells = Object.values(columns);
  let lines = [lineOf(Object.keys(columns))];
  for (const item of items) {
    lines.push(lineOf(cells.map((cellOf) => cellText(cellOf(item)))));
    if (lines.length < linesOfPart) continue;
    yield withoutWorkflowCommands(lines.join(''));
    lines = [];
  }
  yield withoutWorkflowCommands(lines.join(''));
}

const linesOfPart = 1000;

function lineOf(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = safeText(cell, { keepNewlines: true });
  const harmless = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
