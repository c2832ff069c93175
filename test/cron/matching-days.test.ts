import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchingDays } from '../../src/cron/matching-days.ts';
import { dayMatches, expressions } from '../support/cron/expressions.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

const days = (dayOfMonth: string, dayOfWeek: string, year: number, month: number) =>
  matchingDays(read(`0 9 ${dayOfMonth} * ${dayOfWeek} *`).days, year, month);

describe('matchingDays', () => {
  it.each([
    ['31', '?', 2026, 4, []],
    ['29', '?', 2096, 2, [29]],
    ['29', '?', 2100, 2, []],
    ['29', '?', 2000, 2, [29]],
    ['L', '?', 2024, 2, [29]],
    ['L', '?', 2100, 2, [28]],
    ['28-2', '?', 2026, 2, [1, 2, 28]],
    // August 2026 begins on a Saturday, November 2026 on a Sunday.
    ['1W', '?', 2026, 8, [3]],
    ['1W', '?', 2026, 11, [2]],
    ['15W', '?', 2026, 8, [14]],
    ['15W', '?', 2026, 11, [16]],
    ['31W', '?', 2026, 5, [29]],
    ['30W', '?', 2026, 5, [29]],
    ['31W', '?', 2026, 11, []],
    ['LW', '?', 2026, 5, [29]],
    ['LW', '?', 2026, 10, [30]],
    ['LW', '?', 2026, 11, [30]],
    ['?', 'L', 2026, 11, [7, 14, 21, 28]],
    ['?', 'SAT-MON', 2026, 11, [1, 2, 7, 8, 9, 14, 15, 16, 21, 22, 23, 28, 29, 30]],
    ['?', '6L', 2026, 11, [27]],
    ['?', '2L', 2026, 11, [30]],
    ['?', '1#1', 2026, 11, [1]],
    ['?', '2#1', 2026, 11, [2]],
    ['?', '2#5', 2026, 11, [30]],
    ['?', '3#5', 2026, 11, []],
  ] as const)('the matching days of %s %s in %i-%i are correct', (first, second, year, month, expected) => {
    expect(days(first, second, year, month)).toEqual(expected);
  });

  it('the matching days agree with a check of every day', () => {
    const months = fc.tuple(fc.integer({ min: 1970, max: 2199 }), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(expressions({ unusual: true }), months, (text, [year, month]) => {
        const [, , first = '', , second = ''] = text.split(' ');
        const expected: number[] = [];
        for (let day = 1; day <= 31; day += 1) {
          const exists = new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
          if (exists && dayMatches(first, second, year, month, day)) expected.push(day);
        }
        expect(matchingDays(read(text).days, year, month)).toEqual(expected);
      }),
      { numRuns: runs(5000) },
    );
  });
});
