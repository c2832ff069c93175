import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeZoneNames } from '../../src/cron/check-time-zone.ts';
import { comingRuns, previousRun, runsAgain, unsureRunsAfter } from '../../src/cron/coming-runs.ts';
import { dayMs, zoneClock } from '../../src/cron/time-zone.ts';
import { expressions } from '../support/cron/expressions.ts';
import { firstOf } from '../support/cron/first-of.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

/** The first runs after an instant, as `wall time = instant`. */
function runsOf(expression: string, zone: string, from: string, count: number): string[] {
  return firstOf(comingRuns(read(expression), zone, Date.parse(from)), count).map(
    ({ at, local }) => `${local} = ${new Date(at).toISOString().replace(/(:00)?\.000Z$/, 'Z')}`,
  );
}

describe('the calendar', () => {
  // August 2026 begins on a Saturday, November on a Sunday; May ends on a Sunday.
  it.each([
    ['1W 8', '2026-08-03'],
    ['1W 11', '2026-11-02'],
    ['15W 8', '2026-08-14'],
    ['31W 5', '2026-05-29'],
    ['LW 5', '2026-05-29'],
    ['L-1 2', '2026-02-27'],
    ['L-30 2-4', '2026-03-01'],
  ])('a day that moves stays in its month: %s', (days, date) => {
    expect(runsOf(`0 9 ${days} ? 2026`, 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual([`${date}T09:00 = ${date}T09:00Z`]);
  });

  it('the calendar has no 29 February 2100', () => {
    expect(runsOf('0 0 29 2 ? *', 'UTC', '2093-01-01T00:00:00Z', 3)).toEqual([
      '2096-02-29T00:00 = 2096-02-29T00:00Z',
      '2104-02-29T00:00 = 2104-02-29T00:00Z',
      '2108-02-29T00:00 = 2108-02-29T00:00Z',
    ]);
    expect(runsAgain(read('0 0 29 2 ? 2097-2103'), 'UTC', 0)).toBe(false);
  });

  it.each(['Pacific/Tongatapu', 'Pacific/Niue'])('the calendar starts with 1970 and ends with 2199 in %s', (zone) => {
    const all = read('59 23 31 12 ? *');
    const locals = [...comingRuns(all, zone, Number.NEGATIVE_INFINITY)].map(({ local }) => local);
    expect(locals).toHaveLength(230);
    expect(locals[0]).toBe('1970-12-31T23:59');
    expect(locals.at(-1)).toBe('2199-12-31T23:59');
    const first = comingRuns(read('0 0 1 1 ? *'), zone, Number.NEGATIVE_INFINITY).next().value;
    expect(first).toMatchObject({ local: '1970-01-01T00:00' });
    expect(runsAgain(all, zone, Number.POSITIVE_INFINITY)).toBe(false);
  });

  it.each([
    ['0 0 30 2 ? *', false],
    ['0 0 31W 2 ? *', false],
    ['0 9 21 11 ? 2026', false],
    ['1 9 21 11 ? 2026', true],
  ])('%s has a run after 09:00 on 21 November 2026: %s', (text, expected) => {
    expect(runsAgain(read(text), 'UTC', Date.parse('2026-11-21T09:00:00Z'))).toBe(expected);
  });

  // On the last Sunday of March the clocks of London skip from 01:00 to 02:00.
  it.each([
    ['30 1 ? 3 1L *', 'Europe/London', false],
    ['30 1 ? 3 1L *', 'Europe/Berlin', true],
    ['30 1 ? 3,10 1L *', 'Europe/London', true],
    ['30 1 ? * 1L 2027', 'Europe/London', true],
    ['30 1 28 3 ? 2027', 'Europe/London', false],
  ])('%s in %s has a run: %s', (text, zone, expected) => {
    const from = Date.parse('2026-11-21T09:00:00Z');
    expect(runsAgain(read(text), zone, from)).toBe(expected);
    expect([...firstOf(comingRuns(read(text), zone, from), 1)]).toHaveLength(expected ? 1 : 0);
  });

  it('no clock of the world skips a time twice within half a year', () => {
    const [from, until, step] = [Date.UTC(2026, 0, 1), Date.UTC(2036, 0, 1), 10 * dayMs];
    const tooNear = timeZoneNames().filter((zone) => {
      let [before, last] = [0, Number.NEGATIVE_INFINITY];
      for (let at = from; at < until; at += step) {
        const offset = zoneClock(zone).wallAt(at) - at;
        if (at > from && offset > before) {
          if (at - last < 190 * dayMs) return true;
          last = at;
        }
        before = offset;
      }
      return false;
    });
    expect(tooNear).toEqual([]);
  });
});

describe('the sequence', () => {
  const zones = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Havana');
  const instants = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2045, 0, 1) });

  it('a sequence of runs ascends, starts after its start, and continues from any of its runs', () => {
    fc.assert(
      fc.property(
        expressions({ unusual: true, years: [2010, 2040] }),
        zones,
        instants,
        fc.nat(7),
        (text, zone, from, index) => {
          const cron = read(text);
          const sequence = firstOf(comingRuns(cron, zone, from), 12);
          let before = from;
          for (const { at } of sequence) {
            expect(at).toBeGreaterThan(before);
            before = at;
          }
          const resumed = sequence[index];
          if (resumed === undefined) return;
          const rest = sequence.slice(index + 1);
          expect(firstOf(comingRuns(cron, zone, resumed.at), rest.length)).toEqual(rest);
          expect(comingRuns(cron, zone, resumed.at - 1).next().value).toEqual(resumed);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('an expression whose every day is the one on which Berlin skips the hour never fires again', () => {
    const from = Date.parse('2026-11-21T09:00:00Z');
    expect(runsAgain(read('30 2 ? 3 1L *'), 'Europe/Berlin', from)).toBe(false);
    expect(runsAgain(read('30 2 ? 3 1L *'), 'UTC', from)).toBe(true);
  });

  it('a sequence of runs throws for a zone that this Node does not know', () => {
    expect(() => comingRuns(read('0 9 ? * MON *'), 'Mars/Olympus', 0).next()).toThrow(RangeError);
  });
});

// previousRun is the inverse of comingRuns: between two runs, and at the first of them, it gives the first.

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

  it('there is no previous run before the first year of an expression', () => {
    expect(previousRun(read('0 9 ? * MON 2030'), 'UTC', Date.parse('2029-12-31T00:00:00Z'))).toBeUndefined();
  });
});

describe('the change of clocks', () => {
  it.each([
    ['30 2 * * ? *', 'America/New_York', ['skip 2027-03-14T02:30']],
    ['30 1 * * ? *', 'America/New_York', ['repeat 2027-11-07T01:30']],
    ['30 2 * * ? *', 'Europe/Berlin', ['skip 2027-03-28T02:30', 'repeat 2027-10-31T02:30']],
    ['0/15 * * * ? *', 'Europe/London', ['skip 2027-03-28T01:00-01:45', 'repeat 2027-10-31T01:00-01:45']],
    // Clocks move by half an hour.
    ['0,30 2 * * ? *', 'Australia/Lord_Howe', ['skip 2027-10-03T02:00']],
    ['45 1 * * ? *', 'Australia/Lord_Howe', ['repeat 2027-04-04T01:45']],
    // At midnight.
    ['0 0 * * ? *', 'Africa/Cairo', ['skip 2027-04-30T00:00']],
    ['0 3 * * ? *', 'America/New_York', []],
    ['30 2 ? * MON-FRI *', 'America/New_York', []],
    ['30 2 14 3 ? 2028', 'America/New_York', []],
    ['30 2 * * ? *', 'UTC', []],
    ['30 2 * * ? *', 'Mars/Olympus', []],
    ['nonsense', 'America/New_York', []],
  ])('the times of %j in %s that clocks skip or repeat in the coming year are %j', (expression, zone, expected) => {
    const found = unsureRunsAfter(Date.parse('2026-11-28T14:00Z'))(expression, zone);
    const shown = found.map(({ kind, first, last }) => `${kind} ${first}${last === first ? '' : `-${last.slice(11)}`}`);
    expect(shown).toEqual(expected);
  });

  it('a daily time is said to be skipped exactly on the days on which it does not run', () => {
    const from = Date.parse('2026-11-28T00:00Z');
    const unsure = unsureRunsAfter(from);
    const instants = fc.record({ hour: fc.nat(23), minute: fc.nat(59), zone: fc.constantFrom(...timeZoneNames()) });
    fc.assert(
      fc.property(instants, ({ hour, minute, zone }) => {
        const { instantOf, wallAt } = zoneClock(zone);
        const midnight = Math.floor(wallAt(from) / dayMs) * dayMs;
        const walls = Array.from(
          { length: 364 },
          (_, day) => midnight + (day + 1) * dayMs + (hour * 60 + minute) * 60_000,
        );
        const skipped = walls.filter((wall) => instantOf(wall) === undefined);
        const said = unsure(`${minute} ${hour} * * ? *`, zone).filter(({ kind }) => kind === 'skip');
        expect(said.map(({ first }) => Date.parse(`${first}Z`))).toEqual(skipped);
      }),
      { numRuns: runs(60) },
    );
  });
});
