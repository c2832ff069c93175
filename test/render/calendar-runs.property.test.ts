// The calendar holds exactly the runs of the search: a library computes the occurrences from the rules, the exceptions
// and the clocks that the calendar has.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comingRuns } from '../../src/cron/coming-runs.ts';
import type { NextSchedule } from '../../src/model/plan/next.ts';
import { renderCalendar } from '../../src/render/next/next-calendar.ts';
import { expressions } from '../support/cron/expressions.ts';
import { read } from '../support/cron/read.ts';
import { expandCalendar } from '../support/render/expand-calendar.ts';

const dayMs = 86_400_000;
const mostRuns = 400;

function scheduleOf(expression: string, timezone: string, from: number, days: number): NextSchedule {
  const runs: NextSchedule['runs'][number][] = [];
  for (const { at, local } of comingRuns(read(expression), timezone, from - 1)) {
    if (at >= from + days * dayMs || runs.length === mostRuns) break;
    runs.push({ at: new Date(at).toISOString(), local });
  }
  return { address: 'schedules.a', schedule: expression, timezone, description: '', runs };
}

function occurrences(schedule: NextSchedule): number[] {
  const document = { formatVersion: 1, from: '', schedules: [schedule] } as const;
  const text = renderCalendar(document, { nameOf: () => undefined, stamp: '2026-11-21T08:00:00.000Z' });
  return expandCalendar(text)
    .flatMap(({ instants }) => instants)
    .sort((a, b) => a - b);
}

const instantsOf = ({ runs }: NextSchedule) => runs.map(({ at }) => Date.parse(at));

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/Nuuk',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Pacific/Apia',
  'Pacific/Chatham',
];

describe('the occurrences', () => {
  it.each(zones)('the calendar of any expression in %s occurs when the schedule runs', (zone) => {
    const from = fc
      .integer({ min: Date.UTC(2008, 0, 1) / 60_000, max: Date.UTC(2033, 0, 1) / 60_000 })
      .map((minutes) => minutes * 60_000);
    const days = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 3660 }));
    fc.assert(
      fc.property(expressions({ unusual: true, years: [2008, 2040] }), from, days, (text, start, length) => {
        const schedule = scheduleOf(text, zone, start, length);
        expect([...new Set(occurrences(schedule))]).toEqual(instantsOf(schedule));
      }),
      { numRuns: 100 },
    );
  });
});
