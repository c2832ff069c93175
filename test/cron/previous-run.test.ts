// previousRun is the inverse of comingRuns: between two runs, and at the first of them, it gives the first.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingRuns, previousRun } from '../../src/cron/coming-runs.ts';
import { expressions } from '../support/cron/expressions.ts';
import { firstOf } from '../support/cron/first-of.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

/** Each with an instant at which its clock changes: back by an hour, by half an hour, at midnight; forward by a day. */
const changes = [
  ['UTC', Date.UTC(2026, 0, 1)],
  ['America/New_York', Date.UTC(2026, 10, 1, 6)],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15)],
  ['America/Havana', Date.UTC(2026, 10, 1, 5)],
  ['Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
] as const;
const anyInstant = fc.integer({ min: Date.UTC(2009, 0, 1), max: Date.UTC(2045, 0, 1) });
const places = fc.constantFrom(...changes).chain(([zone, change]) =>
  fc.record({
    zone: fc.constant(zone),
    from: fc.oneof(
      anyInstant,
      fc.integer({ min: -5 * 3600, max: 3600 }).map((seconds) => change + seconds * 1000),
    ),
  }),
);
const often = fc.constantFrom('* * * * ? *', '*/10 0-3 * * ? *', '45 * * * ? *', '30 0,1,2 * * ? *');

describe('previousRun', () => {
  it('previousRun gives the run that comingRuns gave last, whenever it is asked before the next', () => {
    const withRuns = { unusual: true, years: [2010, 2040] as [number, number] };
    fc.assert(
      fc.property(
        fc.oneof(expressions(withRuns), often),
        places,
        fc.integer({ min: 0, max: 1000 }).map((share) => share / 1000),
        (text, { zone, from }, share) => {
          const cron = read(text);
          const runs = firstOf(comingRuns(cron, zone, from), 6);
          for (const [index, run] of runs.entries()) {
            const next = runs[index + 1]?.at ?? run.at + 1;
            expect(previousRun(cron, zone, run.at)).toEqual(run);
            expect(previousRun(cron, zone, next - 1)).toEqual(run);
            expect(previousRun(cron, zone, run.at + Math.floor((next - 1 - run.at) * share))).toEqual(run);
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it.each([
    [
      'an hour that comes twice in autumn runs the first time only',
      '30 1 * * ? *',
      '2026-11-01T06:45:00Z',
      '2026-11-01T05:30',
    ],
    [
      'a run of the first hour is found while the wall shows the hour again',
      '45 1 * * ? *',
      '2026-11-01T06:10:00Z',
      '2026-11-01T05:45',
    ],
    ['a time that the clock skips in spring did not run', '30 2 * * ? *', '2027-03-14T12:00:00Z', '2027-03-13T07:30'],
  ])('%s', (_, text, until, expected) => {
    const run = previousRun(read(text), 'America/New_York', Date.parse(until));
    expect(run && new Date(run.at).toISOString().slice(0, 16)).toBe(expected);
  });

  it('there is no previous run before the first year of an expression', () => {
    expect(previousRun(read('0 9 ? * MON 2030'), 'UTC', Date.parse('2029-12-31T00:00:00Z'))).toBeUndefined();
  });
});
