// What the long tests of shared states measured, for `npm run test:races`, which names the file that collects it.

import { appendFileSync } from 'node:fs';

/** Several that race to write the entries of one log. */
export interface RaceFigures {
  readonly entries: number;
  /** Numbers that exactly one of them was told to have written, and whose entry is theirs. */
  readonly winners: number;
  readonly gapless: boolean;
  /** How often one came too late. */
  readonly refused: number;
}

/** Runs that are killed, or sleep until another one has taken over. */
export interface ChaosFigures {
  readonly trials: number;
  readonly struck: number;
  readonly duplicates: number;
  readonly lost: number;
  /** Requests that a run sent after its lock had been taken over. */
  readonly late: number;
  /** Trials in which anything at all was wrong. */
  readonly failures: number;
}

/** Holders of a lock that stop for a while. */
export interface StopFigures {
  readonly stops: number;
  /** That the holders sent, or would have sent. */
  readonly requests: number;
  readonly takenOver: number;
  /** Requests after the takeover. */
  readonly late: number;
}

export type Figures = { readonly place: string; readonly seconds: number } & (
  | ({ readonly kind: 'race' } & RaceFigures)
  | ({ readonly kind: 'chaos' } & ChaosFigures)
  | ({ readonly kind: 'stops' } & StopFigures)
);

const file = process.env['ALMANAC_FIGURES'];

export function tellFigures(figures: Figures): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}

/** Which of the numbers from 1 to `entries` have one winner each, whose entry is the one that is there. */
export function countWinners(
  entries: number,
  winners: readonly (readonly [n: number, entry: string])[],
  there: ReadonlyMap<number, string>,
): Pick<RaceFigures, 'entries' | 'winners' | 'gapless'> {
  const numbers = Array.from({ length: entries }, (_, index) => index + 1);
  const byNumber = new Map<number, string[]>();
  for (const [n, entry] of winners) byNumber.set(n, [...(byNumber.get(n) ?? []), entry]);
  const isWon = (n: number): boolean => {
    const won = byNumber.get(n) ?? [];
    return won.length === 1 && won[0] === there.get(n);
  };
  return {
    entries: there.size,
    winners: numbers.filter(isWon).length,
    gapless: there.size === entries && numbers.every((n) => there.has(n)),
  };
}
