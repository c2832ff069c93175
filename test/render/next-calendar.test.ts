// The calendar is read by a library that real programs use, and checked by rules of RFC 5545 that the library does not
// enforce.

import fc from 'fast-check';
import { convertIcsCalendar } from 'ts-ics';
import { describe, expect, it } from 'vitest';
import type { NextDocument } from '../../src/model/plan/next.ts';
import { renderCalendar } from '../../src/render/next/next-calendar.ts';

const stamp = '2026-11-21T08:00:00.000Z';

const documentOf = (description: string, timezone = 'Europe/London'): NextDocument => ({
  formatVersion: 1,
  from: '2026-11-20T00:00:00.000Z',
  schedules: [
    {
      address: 'schedules.weekly-sales',
      schedule: '0 9 ? * MON,TUE *',
      timezone,
      description,
      runs: [
        { at: '2026-11-23T09:00:00.000Z', local: '2026-11-23T09:00' },
        { at: '2026-11-24T09:00:00.000Z', local: '2026-11-24T09:00' },
      ],
    },
  ],
});

const calendarOf = (text: string) => convertIcsCalendar(undefined, text);
const eventsOf = (text: string) => calendarOf(text).events ?? [];

describe('a calendar', () => {
  it('a calendar has one event for each run, at its instant', () => {
    const text = renderCalendar(documentOf('at 09:00'), { nameOf: () => 'Weekly; sales, "all"', stamp });
    const [first, second, ...rest] = eventsOf(text);
    expect(rest).toEqual([]);
    expect(first?.summary).toBe('Weekly; sales, "all"');
    expect(first?.start.date.toISOString()).toBe('2026-11-23T09:00:00.000Z');
    expect(first?.duration).toEqual({ minutes: 5 });
    expect(first?.stamp.date.toISOString()).toBe(stamp);
    expect(first?.description).toBe(
      'at 09:00, Europe/London\n2026-11-23 09:00 Europe/London\nschedules.weekly-sales: 0 9 ? * MON,TUE *',
    );
    expect(first?.uid).toBe('schedules.weekly-sales-20261123T090000Z@almanac');
    expect(second?.uid).not.toBe(first?.uid);
  });

  it('a calendar has the required properties, and is the same for the same runs', () => {
    const write = () => renderCalendar(documentOf('at 09:00'), { nameOf: () => undefined, stamp });
    expect(write()).toBe(write());
    const calendar = calendarOf(write());
    expect(calendar.version).toBe('2.0');
    expect(calendar.prodId).toBe('-//Almanac//almanac next//EN');
    expect(eventsOf(write())[0]?.summary).toBe('schedules.weekly-sales');
  });

  it('a calendar has lines of at most 75 octets that end with CRLF and lose no words', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(words, words, (name, description) => {
        const text = renderCalendar(documentOf(description), { nameOf: () => name, stamp });
        expect(text.endsWith('\r\n')).toBe(true);
        for (const line of text.slice(0, -2).split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\p{Cc}]/u);
        }
        const [event] = eventsOf(text);
        const kept = (words: string) => words.replaceAll(/\r\n|\r/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, '');
        expect(event?.summary ?? '').toBe(kept(name));
        expect(event?.description?.split(', Europe')[0]).toBe(kept(description).split(', Europe')[0]);
      }),
    );
  });
});
