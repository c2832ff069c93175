import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { comingRuns } from '../../src/cron/coming-runs.ts';
import { expressions } from '../support/cron/expressions.ts';
import { firstOf } from '../support/cron/first-of.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

const looked = vi.hoisted(() => ({ months: 0 }));
vi.mock('../../src/cron/matching-days.ts', async (original) => {
  const { matchingDays } = await original<typeof import('../../src/cron/matching-days.ts')>();
  return {
    matchingDays: (...month: Parameters<typeof matchingDays>) => {
      looked.months += 1;
      return matchingDays(...month);
    },
  };
});

const firesAgain = (...question: Parameters<typeof comingRuns>) => comingRuns(...question).next().done !== true;

/** The first runs after an instant, as `wall time = instant`. */
function runsOf(expression: string, zone: string, from: string, count: number): string[] {
  return firstOf(comingRuns(read(expression), zone, Date.parse(from)), count).map(
    ({ at, local }) => `${local} = ${new Date(at).toISOString().replace(/(:00)?\.000Z$/, 'Z')}`,
  );
}

describe('a change of clocks', () => {
  it('a time that New York skips in spring has no run, and no other run shifts', () => {
    expect(runsOf('30 2 * * ? *', 'America/New_York', '2027-03-13T00:00:00Z', 3)).toEqual([
      '2027-03-13T02:30 = 2027-03-13T07:30Z',
      '2027-03-15T02:30 = 2027-03-15T06:30Z',
      '2027-03-16T02:30 = 2027-03-16T06:30Z',
    ]);
  });

  it('a time that occurs twice in New York in autumn has one run, at its first occurrence', () => {
    expect(runsOf('30 1 * * ? *', 'America/New_York', '2026-10-31T12:00:00Z', 2)).toEqual([
      '2026-11-01T01:30 = 2026-11-01T05:30Z',
      '2026-11-02T01:30 = 2026-11-02T06:30Z',
    ]);
  });

  it('each wall time of a repeated hour runs once', () => {
    expect(runsOf('*/30 0-2 1 11 ? 2026', 'America/New_York', '2026-10-31T12:00:00Z', 9)).toEqual([
      '2026-11-01T00:00 = 2026-11-01T04:00Z',
      '2026-11-01T00:30 = 2026-11-01T04:30Z',
      '2026-11-01T01:00 = 2026-11-01T05:00Z',
      '2026-11-01T01:30 = 2026-11-01T05:30Z',
      '2026-11-01T02:00 = 2026-11-01T07:00Z',
      '2026-11-01T02:30 = 2026-11-01T07:30Z',
    ]);
  });

  it('the second pass of a repeated hour has no run, even if asked from within it', () => {
    expect(runsOf('*/30 * 1 11 ? 2026', 'America/New_York', '2026-11-01T06:10:00Z', 1)).toEqual([
      '2026-11-01T02:00 = 2026-11-01T07:00Z',
    ]);
  });

  it('a midnight that Havana skips has no run', () => {
    expect(runsOf('0 0 * * ? *', 'America/Havana', '2027-03-13T12:00:00Z', 2)).toEqual([
      '2027-03-15T00:00 = 2027-03-15T04:00Z',
      '2027-03-16T00:00 = 2027-03-16T04:00Z',
    ]);
    expect(runsOf('0 0 * * ? *', 'America/Havana', '2026-10-31T12:00:00Z', 2)).toEqual([
      '2026-11-01T00:00 = 2026-11-01T04:00Z',
      '2026-11-02T00:00 = 2026-11-02T05:00Z',
    ]);
  });

  it('runs on Lord Howe Island shift by half an hour', () => {
    expect(runsOf('15,45 2 * * ? *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 3)).toEqual([
      '2026-10-04T02:45 = 2026-10-03T15:45Z',
      '2026-10-05T02:15 = 2026-10-04T15:15Z',
      '2026-10-05T02:45 = 2026-10-04T15:45Z',
    ]);
    expect(runsOf('15,45 1 * * ? *', 'Australia/Lord_Howe', '2027-04-03T00:00:00Z', 2)).toEqual([
      '2027-04-04T01:15 = 2027-04-03T14:15Z',
      '2027-04-04T01:45 = 2027-04-03T14:45Z',
    ]);
  });

  it('the day that Apia skipped has no run', () => {
    expect(runsOf('0 12 * * ? *', 'Pacific/Apia', '2011-12-29T00:00:00Z', 3)).toEqual([
      '2011-12-29T12:00 = 2011-12-29T22:00Z',
      '2011-12-31T12:00 = 2011-12-30T22:00Z',
      '2012-01-01T12:00 = 2011-12-31T22:00Z',
    ]);
    expect(firesAgain(read('* * 30 12 ? 2011'), 'Pacific/Apia', 0)).toBe(false);
  });

  it('runs follow the clocks of Berlin in both directions', () => {
    expect(runsOf('0 2 ? * 1L *', 'Europe/Berlin', '2027-03-01T00:00:00Z', 2)).toEqual([
      '2027-04-25T02:00 = 2027-04-25T00:00Z',
      '2027-05-30T02:00 = 2027-05-30T00:00Z',
    ]);
    expect(runsOf('0 2 ? * 1L *', 'Europe/Berlin', '2026-10-01T00:00:00Z', 1)).toEqual([
      '2026-10-25T02:00 = 2026-10-25T00:00Z',
    ]);
  });

  it('runs in Kolkata have no clock change and its half hour', () => {
    expect(runsOf('0 9 ? * 2 *', 'Asia/Kolkata', '2026-03-28T00:00:00Z', 2)).toEqual([
      '2026-03-30T09:00 = 2026-03-30T03:30Z',
      '2026-04-06T09:00 = 2026-04-06T03:30Z',
    ]);
  });

  it('runs in Monrovia before 1972 use its offset with seconds', () => {
    expect(runsOf('0 12 * * ? *', 'Africa/Monrovia', '1972-01-05T00:00:00Z', 3)).toEqual([
      '1972-01-05T12:00 = 1972-01-05T12:44:30Z',
      '1972-01-06T12:00 = 1972-01-06T12:44:30Z',
      '1972-01-07T12:00 = 1972-01-07T12:00Z',
    ]);
  });

  it('runs see both clock changes of Boa Vista, seven days apart', () => {
    expect(runsOf('30 23 7-15 10 ? 2000', 'America/Boa_Vista', '2000-10-01T00:00:00Z', 9)).toEqual([
      '2000-10-07T23:30 = 2000-10-08T03:30Z',
      ...[8, 9, 10, 11, 12, 13].map((day) => {
        const [today, next] = [String(day).padStart(2, '0'), String(day + 1).padStart(2, '0')];
        return `2000-10-${today}T23:30 = 2000-10-${next}T02:30Z`;
      }),
      '2000-10-14T23:30 = 2000-10-15T02:30Z',
      '2000-10-15T23:30 = 2000-10-16T03:30Z',
    ]);
  });
});

describe('the calendar', () => {
  it('the calendar has no 29 February 2100', () => {
    expect(runsOf('0 0 29 2 ? *', 'UTC', '2093-01-01T00:00:00Z', 3)).toEqual([
      '2096-02-29T00:00 = 2096-02-29T00:00Z',
      '2104-02-29T00:00 = 2104-02-29T00:00Z',
      '2108-02-29T00:00 = 2108-02-29T00:00Z',
    ]);
    expect(firesAgain(read('0 0 29 2 ? 2097-2103'), 'UTC', 0)).toBe(false);
  });

  it.each(['UTC', 'America/New_York', 'Pacific/Tongatapu', 'Pacific/Niue'])(
    'the calendar starts with 1970 and ends with 2199 in %s',
    (zone) => {
      const all = read('59 23 31 12 ? *');
      const locals = [...comingRuns(all, zone, Number.NEGATIVE_INFINITY)].map(({ local }) => local);
      expect(locals).toHaveLength(230);
      expect(locals[0]).toBe('1970-12-31T23:59');
      expect(locals.at(-1)).toBe('2199-12-31T23:59');
      const first = comingRuns(read('0 0 1 1 ? *'), zone, Number.NEGATIVE_INFINITY).next().value;
      expect(first).toMatchObject({ local: '1970-01-01T00:00' });
      expect(firesAgain(all, zone, Number.POSITIVE_INFINITY)).toBe(false);
    },
  );

  it.each([
    ['0 0 30 2 ? *', false],
    ['0 0 31 4,6,9,11 ? *', false],
    ['0 0 31W 2 ? *', false],
    ['0 0 ? 2 2#5 2027', false],
    ['0 9 * * ? 2025', false],
    ['0 9 21 11 ? 2026', false],
    ['1 9 21 11 ? 2026', true],
    ['0 9 ? * MON *', true],
  ])('%s has a run after 09:00 on 21 November 2026: %s', (text, expected) => {
    expect(firesAgain(read(text), 'UTC', Date.parse('2026-11-21T09:00:00Z'))).toBe(expected);
  });

  it.each([
    ['0 0 30 2 ? *', 173],
    ['* * 30,31 2 ? *', 173],
    ['0 9 * * ? 1970-2025', 0],
    ['0 0 ? 2 2#5 2027', 1],
    ['0 9 1 1 ? 2190', 1],
    ['0 9 ? * MON *', 1],
    ['0 9 20 * ? *', 2],
  ])('the search for runs skips months without a match: %s', (text, months) => {
    const cron = read(text);
    looked.months = 0;
    firesAgain(cron, 'Europe/Berlin', Date.parse('2026-11-21T09:00:00Z'));
    expect(looked.months).toBe(months);
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
    expect(firesAgain(read('30 2 ? 3 1L *'), 'Europe/Berlin', from)).toBe(false);
    expect(firesAgain(read('30 2 ? 3 1L *'), 'UTC', from)).toBe(true);
  });

  it('a sequence of runs throws for a zone that this Node does not know', () => {
    expect(() => comingRuns(read('0 9 ? * MON *'), 'Mars/Olympus', 0).next()).toThrow(RangeError);
  });
});
