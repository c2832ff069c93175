// How often a property is tried, or a history or an input is made: as often as its test says in `npm run test:all`, and a
// twentieth of that in `npm test`. ALMANAC_RUNS multiplies both.

import { test } from 'vitest';

const share = process.env['ALMANAC_TESTS'] === 'all' ? 1 : 0.05;
const factor = Number(process.env['ALMANAC_RUNS'] ?? 1);

/** At least 1. `most`: what `npm run test:all` does. */
export function runs(most: number): number {
  return Math.max(1, Math.round(most * share * factor));
}

/** This part of a list of inputs in `npm run test:all`, and otherwise a twentieth of the list, taken evenly. */
export function someOf<T>(all: readonly T[], part = 1): readonly T[] {
  const count = Math.min(all.length, share === 1 ? runs(part * all.length) : runs(all.length));
  return all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
}

/** Rows with columns: each with each in `npm run test:all`, and otherwise each row and each column at least once. */
export function pairsOf<Row, Column>(
  rows: readonly Row[],
  columns: readonly Column[],
): readonly (readonly [row: Row, column: Column])[] {
  const [rowCount, columnCount] = [rows.length, columns.length];
  const isTried = (row: number, column: number) =>
    share === 1 || (rowCount < columnCount ? column % rowCount === row : row % columnCount === column);
  return rows.flatMap((row, at) =>
    columns.flatMap((column, index) => (isTried(at, index) ? [[row, column] as const] : [])),
  );
}

/** What may be chosen of a list: all sets in `npm run test:all`, and otherwise none, each alone, and all together. */
export function setsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const sets = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((__, at) => bits & (1 << at)));
  return sets.filter(({ length }) => share === 1 || length <= 1 || length === all.length);
}

/** A test of so many or so much, such as 10,000 reports or 256 MiB, that only `npm run test:all` runs it. */
export const atFullSize = test.runIf(share === 1);

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
