// The one table: as text for a terminal, and as Markdown for docs/performance.md.

import { isFigure, isMet, type LeftOut, type Row } from './figure.ts';

const head = ['what', 'figure', 'target', 'met', 'ms', 'beside', 'MB'];
/** The columns with words; the others hold numbers. */
const words = new Set([0, 5]);

export function tableText(rows: readonly Row[]): string {
  const all = [head, ...rows.filter(isFigure).map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const padded = (cell: string, column: number) =>
    words.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const line = (cells: readonly string[]) => `${cells.map(padded).join('  ').trimEnd()}\n`;
  // A reason may be longer than the columns.
  const leftOut = rows.flatMap((row) => (isFigure(row) ? [] : [`${row.name}: ${reasonOf(row)}\n`]));
  return [line(head), ...rows.filter(isFigure).map((row) => line(cellsOf(row))), ...leftOut].join('');
}

export function tableMarkdown(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`.replaceAll(/ {2,}/g, ' ');
  const rule = `|${head.map((_, column) => (words.has(column) ? '---' : '---:')).join('|')}|\n`;
  return line(head) + rule + rows.map((row) => line(cellsOf(row))).join('');
}

function cellsOf(row: Row): readonly string[] {
  if (!isFigure(row)) return [row.name, '', '', '', '', reasonOf(row), ''];
  const { name, value, unit, to, toVersion, target, milliseconds, toMilliseconds, megabytes, note } = row;
  const peer = [to, toVersion].filter((word) => word !== undefined).join(' ');
  const beside = [peer, toMilliseconds === undefined ? '' : `${whole(toMilliseconds)} ms`, note ?? ''];
  const met = { true: 'yes', false: 'no', undefined: '' }[`${isMet(row)}`];
  return [
    name,
    `${unit === 'MB' ? whole(value) : value < 0.1 ? value.toFixed(3) : value.toFixed(2)} ${unit}`,
    target === undefined ? '' : String(target),
    met ?? '',
    milliseconds === undefined ? '' : whole(milliseconds),
    beside.filter((words) => words !== '').join(', '),
    megabytes === undefined ? '' : whole(megabytes),
  ];
}

function reasonOf({ leftOut }: LeftOut): string {
  return `left out: ${leftOut}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
