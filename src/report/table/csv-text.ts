// A table as CSV (RFC 4180), for a spreadsheet or for a program. Names are written by anybody, so for a spreadsheet a
// cell that it would take for a formula gets an apostrophe before it, and a line that a runner of CI would obey is
// broken up. Values that a program reads again cannot be changed in this way.

import { safeText } from '../text/terminal-text.ts';
import { withoutWorkflowCommands } from '../text/visible-values.ts';

type Cell = string | number | boolean | undefined;

/** Keyed by title, in their order. */
export type CsvColumns<T> = Readonly<Record<string, (item: T) => Cell>>;

export function csvText<T>(columns: CsvColumns<T>, items: readonly T[]): string {
  const cells = Object.values(columns);
  const rows = items.map((item) => cells.map((cellOf) => cellText(cellOf(item))));
  return withoutWorkflowCommands([Object.keys(columns), ...rows].map(lineOf).join(''));
}

/** Each value unchanged, tabs included. A cell that a terminal or a runner of CI would obey is empty. */
export function exactCsvText<T>(columns: CsvColumns<T>, items: readonly T[]): string {
  const cells = Object.values(columns);
  const rows = items.map((item) => cells.map((cellOf) => exactCell(String(cellOf(item) ?? ''))));
  return [Object.keys(columns), ...rows].map(lineOf).join('');
}

function exactCell(text: string): string {
  const written = /^\s*::/.test(text) ? quoted(text) : quotedIfNeeded(text);
  const isObeyed = withoutWorkflowCommands(written) !== written || /[^\P{Cc}\t\r\n]/u.test(written);
  return isObeyed ? '' : written;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = safeText(cell, { keepNewlines: true });
  const harmless = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return quotedIfNeeded(harmless);
}

function quotedIfNeeded(text: string): string {
  return /[",\r\n]/.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
