// The coming runs as a calendar (RFC 5545): few events for each schedule, which repeat by rules, and the clocks of their
// zones. The same runs make the same bytes: an event is known by its schedule, and the time of writing is handed in.

import { type ClockChange, clockChanges } from '../../../cron/clock-changes.ts';
import { dayMs } from '../../../cron/time-zone.ts';
import { byCodeUnit } from '../../../model/values/json.ts';
import type { NextDocument, NextSchedule } from '../document.ts';
import { eventLines } from './events.ts';
import { foldLine } from './icalendar.ts';
import { zoneLines } from './zone-lines.ts';

export interface CalendarWords {
  /** What people call a schedule; its address where it has no name. */
  readonly nameOf: (address: string) => string | undefined;
  /** ISO 8601, UTC. */
  readonly stamp: string;
}

interface Zone {
  readonly name: string;
  /** From the first run to a day after the last. */
  readonly changes: readonly ClockChange[];
  /** Its first run and its last, epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

export function renderCalendar({ schedules }: NextDocument, { nameOf, stamp }: CalendarWords): string {
  const zones = zonesOf(schedules);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Almanac//almanac next//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Scheduled deliveries',
    ...[...zones.values()].flatMap(({ name, first, last }) => zoneLines(name, first, last)),
    ...schedules.flatMap((schedule) => {
      const words = { summary: nameOf(schedule.address) ?? schedule.address, stamp: Date.parse(stamp) };
      return eventLines(schedule, zones.get(schedule.timezone)?.changes ?? [], words);
    }),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** The zones that have runs, sorted by name. */
function zonesOf(schedules: readonly NextSchedule[]): ReadonlyMap<string, Zone> {
  const spans = new Map<string, Pick<Zone, 'first' | 'last'>>();
  for (const { timezone, runs } of schedules) {
    const [first, last] = [runs[0], runs.at(-1)];
    if (first === undefined || last === undefined) continue;
    const known = spans.get(timezone) ?? { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
    spans.set(timezone, {
      first: Math.min(known.first, Date.parse(first.at)),
      last: Math.max(known.last, Date.parse(last.at)),
    });
  }
  return new Map(
    [...spans]
      .sort(([a], [b]) => byCodeUnit(a, b))
      .map(([name, { first, last }]) => [
        name,
        { name, first, last, changes: clockChanges(name, first, last + dayMs) },
      ]),
  );
}
