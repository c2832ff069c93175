// The coming runs as a calendar (RFC 5545), one event per run, in UTC. The same runs make the same bytes: an event is
// known by its schedule and its time, and the time of writing is handed in.

import type { NextDocument, NextRun, NextSchedule } from '../../model/plan/next.ts';

const mostOctets = 75;

export interface CalendarWords {
  /** What people call a schedule; its address where it has no name. */
  readonly nameOf: (address: string) => string | undefined;
  /** ISO 8601, UTC. */
  readonly stamp: string;
}

export function renderCalendar({ schedules }: NextDocument, words: CalendarWords): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Almanac//almanac next//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Scheduled deliveries',
    ...schedules.flatMap((schedule) => schedule.runs.flatMap((run) => eventLines(schedule, run, words))),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

function eventLines(schedule: NextSchedule, { at, local }: NextRun, { nameOf, stamp }: CalendarWords): string[] {
  const { address, timezone, description, schedule: expression } = schedule;
  const time = utc(at);
  const words = [`${description}, ${timezone}`, `${local.replace('T', ' ')} ${timezone}`, `${address}: ${expression}`];
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(address)}-${time}@almanac`,
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${time}`,
    // Some programs show no event that has no length.
    'DURATION:PT5M',
    `SUMMARY:${escapeText(nameOf(address) ?? address)}`,
    `DESCRIPTION:${escapeText(words.join('\n'))}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** `2026-11-23T09:00:00.000Z` as `20261123T090000Z`. */
function utc(instant: string): string {
  return `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** A TEXT value: line breaks and the characters with a meaning escaped, other control characters left out. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|[\n\r]/g, '\\n')
    .replaceAll(/[\p{Cc}]/gu, '');
}

/** Lines of at most 75 octets; no character is cut in two. */
function fold(line: string): string {
  const folded: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (octets + size > mostOctets) {
      folded.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...folded, current].join('\r\n');
}

function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_00_00 ? 3 : 4;
}
