// Compares the ratios of a run with the committed ones. Milliseconds and memory depend on the machine and are not
// compared.

import { type Figure, isFigure, keyOf, type Row } from './figure.ts';

/** A ratio may be this many times the committed one. */
export const tolerance = 1.2;

export interface Worse {
  readonly key: string;
  readonly committed: number;
  readonly now: number;
}

export interface Comparison {
  readonly compared: number;
  readonly worse: readonly Worse[];
  /** Committed, and not measured now. */
  readonly missing: readonly string[];
  /** Measured now for the first time. */
  readonly unknown: readonly string[];
}

export function compareFigures(committed: readonly Row[], now: readonly Row[]): Comparison {
  const [before, after] = [ratiosOf(committed), ratiosOf(now)];
  const both = [...before].flatMap(([key, old]) => {
    const value = after.get(key);
    return value === undefined ? [] : [{ key, committed: old, now: value }];
  });
  return {
    compared: both.length,
    worse: both.filter((ratio) => ratio.now > ratio.committed * tolerance),
    missing: [...before.keys()].filter((key) => !after.has(key)),
    unknown: [...after.keys()].filter((key) => !before.has(key)),
  };
}

/** Of two measurements of the same rows, the better one of each ratio: noise only ever makes one worse. */
export function betterOf(first: readonly Row[], second: readonly Row[]): readonly Row[] {
  const again = ratiosOf(second);
  return first.map((row) => {
    if (!isFigure(row)) return row;
    const value = Math.min(row.value, again.get(keyOf(row)) ?? row.value);
    return { ...row, value };
  });
}

export function comparisonText({ compared, worse, missing, unknown }: Comparison): string {
  const lines = [
    ...worse.map(({ key, committed, now }) => {
      const percent = Math.round((now / committed - 1) * 100);
      return `worse: ${key}: ${now.toFixed(2)} instead of ${committed.toFixed(2)} (${percent} %)`;
    }),
    ...missing.map((key) => `not compared, because it was left out of this run: ${key}`),
    ...unknown.map((key) => `not compared, because no figure is committed: ${key}`),
    `${compared} ratios compared, ${worse.length} worse by more than ${Math.round((tolerance - 1) * 100)} %.`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function ratiosOf(rows: readonly Row[]): ReadonlyMap<string, number> {
  const ratios = rows.filter((row): row is Figure => isFigure(row) && row.unit === '×');
  return new Map(ratios.map((figure) => [keyOf(figure), figure.value]));
}
