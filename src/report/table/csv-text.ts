// A table for a spreadsheet: CSV as RFC 4180 has it. A cell that a spreadsheet would take for a formula gets an apostrophe
// before it, and a line that a runner of CI would obey is broken up: names are written by anybody.

import { safeText } from '../text/terminal-text.ts';
import { withoutWorkflowCommands } from '../text/workflow-commands.ts';

type Cell = string | number | boolean | undefined;

/** By title, in their order. */
export type CsvColumns<T> = Readonly<Record<string, (item: T) => Cell>>;

/** The titles and a line for each item. */
export function csvText<T>(columns: CsvColumns<T>, items: readonly T[]): string {
  const cells = Object.values(columns);
  const rows = items.map((item) => cells.map((cellOf) => cellText(cellOf(item))));
  return withoutWorkflowCommands([Object.keys(columns), ...rows].map(lineOf).join(''));
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = safeText(cell, { keepNewlines: true });
  const harmless = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
