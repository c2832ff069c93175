// comingRuns against two implementations that share nothing with it: croner 11, in UTC and for the forms that both read
// alike, and a walk over every half minute of a clock change.

import { Cron as Croner } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingRuns } from '../../src/cron/coming-runs.ts';
import { expressions, fields, listMatches } from '../support/cron/expressions.ts';
import { firstOf } from '../support/cron/first-of.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

describe('against croner', () => {
  it('the next four runs in UTC agree with croner', () => {
    const usual = expressions({ unusual: false, years: [2026, 2060] }).filter((text) => {
      const [, hours = ''] = text.split(' ');
      return !hours.split(',').some(isBackward);
    });
    const instants = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2050, 0, 1) });
    fc.assert(
      fc.property(usual, instants, (text, from) => {
        const options = { mode: '7-part', alternativeWeekdays: true, sloppyRanges: true, timezone: 'UTC' } as const;
        const theirs = new Croner(`0 ${inCronersYears(text)}`, options)
          .nextRuns(4, new Date(from))
          .map((date) => date.toISOString());
        const ours = firstOf(comingRuns(read(text), 'UTC', from), 4).map(({ at }) => new Date(at).toISOString());
        expect(ours).toEqual(theirs);
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe('against a walk over the clock', () => {
  it.each([
    ['America/New_York', '2027-03-13T12:00:00Z'],
    ['America/New_York', '2026-10-31T12:00:00Z'],
    ['America/Havana', '2027-03-13T12:00:00Z'],
    ['America/Havana', '2026-10-31T12:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T00:00:00Z'],
    ['Australia/Lord_Howe', '2027-04-03T00:00:00Z'],
    ['Pacific/Apia', '2011-12-29T12:00:00Z'],
    ['Europe/Berlin', '2027-03-27T12:00:00Z'],
    ['Europe/Berlin', '2026-10-24T12:00:00Z'],
    ['Africa/Casablanca', '2027-02-06T12:00:00Z'],
    ['Asia/Gaza', '2040-10-26T00:00:00Z'],
    ['Africa/Monrovia', '1972-01-06T12:00:00Z'],
    ['Asia/Kolkata', '2026-11-21T00:00:00Z'],
  ])('the runs agree with a walk over the clock in %s from %s', (zone, start) => {
    const firsts = firstInstants(zone, Date.parse(start), 48);
    fc.assert(
      fc.property(expressions({ unusual: true }), fc.nat(24 * 60), (text, minutes) => {
        const [minuteText = '', hourText = ''] = text.split(' ');
        const daily = `${minuteText} ${hourText} * * ? *`;
        const from = Date.parse(start) + minutes * 60_000;
        const expected = firsts.filter(
          ({ at, hour, minute }) =>
            at > from && listMatches(fields.minutes, minuteText, minute) && listMatches(fields.hours, hourText, hour),
        );
        const runs = firstOf(comingRuns(read(daily), zone, from), expected.length);
        expect(runs).toEqual(expected.map(({ at, local }) => ({ at, local })));
      }),
      { numRuns: runs(60) },
    );
  });
});

/** Years begin with 1970 here and with 1 for croner, which matters to a step. */
function inCronersYears(text: string): string {
  const [year = '', ...rest] = text.split(' ').reverse();
  return [...rest.reverse(), year.replaceAll('*/', '1970-2199/')].join(' ');
}

describe('against the clock of every day', () => {
  // The nearest pairs of changes since 1970 are seven days apart.
  it.each([
    ['America/Boa_Vista', '2000-10-01'],
    ['America/Noronha', '2000-10-01'],
    ['Asia/Gaza', '2040-10-12'],
    ['Asia/Gaza', '2054-03-20'],
    ['Asia/Hebron', '2072-10-14'],
    ['America/Argentina/Tucuman', '2004-05-25'],
  ])('the runs agree with the clock of every day in %s from %s', (zone, start) => {
    const from = Date.parse(`${start}T00:00:00Z`);
    const runs = firstOf(comingRuns(read('30 4,12,22 * * ? *'), zone, from), 75);
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    expect(runs.map(({ at }) => format.format(at).replace(' ', 'T'))).toEqual(runs.map(({ local }) => local));
    const gaps = runs.slice(1).map(({ at }, index) => (at - (runs[index]?.at ?? 0)) / 3_600_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(11);
  });
});

function isBackward(item: string): boolean {
  const [from = '', to] = (item.split('/')[0] ?? '').split('-');
  return to !== undefined && Number(from) > Number(to);
}

/** Every wall time, to the minute, that a clock in the zone shows in these hours, with the first instant of each. */
function firstInstants(zone: string, start: number, hours: number) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const found = new Map<string, { at: number; local: string; hour: number; minute: number }>();
  for (let at = start; at <= start + hours * 3_600_000; at += 30_000) {
    const shown = format.format(at);
    const local = shown.slice(0, 16).replace(' ', 'T');
    if (!shown.endsWith(':00') || found.has(local)) continue;
    found.set(local, { at, local, hour: Number(shown.slice(11, 13)), minute: Number(shown.slice(14, 16)) });
  }
  return [...found.values()];
}
