// previousRun is the inverse of comingRuns: between two runs, and at the first of them, it gives the first.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingRuns } from '../../src/cron/coming-runs.ts';
import { previousRun } from '../../src/cron/previous-run.ts';
import { expressions } from '../support/cron/expressions.ts';
import { firstOf } from '../support/cron/first-of.ts';
import { read } from '../support/cron/read.ts';

const zones = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Havana');

describe('previousRun', () => {
  it('previousRun gives the run that comingRuns gave last, whenever it is asked before the next', () => {
    const instants = fc.integer({ min: Date.UTC(2009, 0, 1), max: Date.UTC(2045, 0, 1) });
    const withRuns = { unusual: true, years: [2010, 2040] as [number, number] };
    fc.assert(
      fc.property(
        expressions(withRuns),
        zones,
        instants,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, zone, from, share) => {
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
      { numRuns: 400 },
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
