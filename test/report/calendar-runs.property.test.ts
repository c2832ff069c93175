// The calendar holds exactly the runs of the search: a library computes the occurrences from the rules, the exceptions
// and the clocks in the calendar.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderCalendar } from '../../src/commands/next/calendar/render-calendar.ts';
import type { NextDocument } from '../../src/commands/next/document.ts';
import { clockChanges } from '../../src/cron/clock-changes.ts';
import { expressions } from '../support/cron/expressions.ts';
import { type CalendarEvent, expandCalendar } from '../support/report/expand-calendar.ts';
import { nextOf } from '../support/report/next-of.ts';
import { runs } from '../support/runs/runs.ts';

/** The library takes its time for rules with many times a day. */
const mostRuns = 300;

const zones = [
  ...['UTC', 'Africa/Cairo', 'Africa/Casablanca', 'America/Havana', 'America/New_York', 'America/Nuuk'],
  ...['America/Santiago', 'Antarctica/Troll', 'Asia/Gaza', 'Asia/Kathmandu', 'Asia/Tehran', 'Australia/Lord_Howe'],
  ...['Europe/Berlin', 'Europe/Dublin', 'Pacific/Apia', 'Pacific/Chatham'],
];

const instantsOf = ({ schedules }: NextDocument) =>
  schedules.flatMap(({ runs }) => runs.map(({ at }) => Date.parse(at)));

function eventsOf(document: NextDocument): readonly CalendarEvent[] {
  return expandCalendar(renderCalendar(document, { nameOf: () => undefined, stamp: '2026-11-21T08:00:00.000Z' }));
}

const [first, last] = [Date.UTC(2008, 0, 1), Date.UTC(2036, 0, 1)];
const anyMinute = fc.integer({ min: first / 60_000, max: last / 60_000 }).map((minutes) => minutes * 60_000);

/** The days before a change of clocks, where there are any. */
function daysBeforeChanges(zone: string): fc.Arbitrary<number> {
  const changes = clockChanges(zone, first, last).map(({ at }) => at);
  if (changes.length === 0) return anyMinute;
  return fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -5 * 1440, max: 60 }))
    .map(([at, minutes]) => Math.floor(at / 60_000 + minutes) * 60_000);
}

const days = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 3660 }));
const minute = fc.integer({ min: 0, max: 59 });
/** Once a day at the hours at which clocks change. */
const atNight = fc
  .tuple(minute, fc.constantFrom('22', '23', '0', '1', '2', '3', '1-2'))
  .map(([first, hours]) => `${first} ${hours} * * ? *`);

describe('the occurrences', () => {
  const any = expressions({ unusual: true, years: [2008, 2040] });

  it.each(zones)('the calendar of any schedule in %s occurs exactly when the schedule runs', (zone) => {
    const from = fc.oneof(anyMinute, daysBeforeChanges(zone));
    fc.assert(
      fc.property(any, from, days, (...choice) => expectRuns(zone, choice)),
      { numRuns: runs(20) },
    );
  });

  it.each(zones)('the calendar of a nightly schedule in %s is right on the day on which clocks change', (zone) => {
    fc.assert(
      fc.property(atNight, daysBeforeChanges(zone), fc.integer({ min: 7, max: 30 }), (...choice) =>
        expectRuns(zone, choice),
      ),
      { numRuns: runs(60) },
    );
  });

  function expectRuns(zone: string, [text, from, length]: readonly [string, number, number]): void {
    const document = nextOf([[text, zone]], new Date(from).toISOString(), length, '', mostRuns);
    const occurrences = eventsOf(document).flatMap(({ instants }) => instants);
    expect(occurrences.sort((a, b) => a - b)).toEqual(instantsOf(document));
  }
});
