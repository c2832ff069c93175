// The calendar is read by a library that real programs use, and checked by rules of RFC 5545 that the library does not
// enforce. That its occurrences are the runs of the search: calendar-runs.property.test.ts.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderCalendar } from '../../src/commands/next/calendar/render-calendar.ts';
import { visibleText } from '../../src/report/text/visible-values.ts';
import { expandCalendar, readCalendar } from '../support/report/expand-calendar.ts';
import { nextOf } from '../support/report/next-of.ts';

const stamp = '2026-11-21T08:00:00.000Z';

/** A calendar of some days from a date on. */
function calendarOf(expression: string, timezone: string, date: string, days: number): string {
  return renderCalendar(nextOf([[expression, timezone]], date, days), { nameOf: () => 'A', stamp });
}

/** Lines as they were before folding; without what is the same in all events. */
function eventLines(text: string): string[] {
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  return lines.slice(lines.indexOf('BEGIN:VEVENT')).filter((line) => /^(UID|DTSTART|RRULE|RDATE|EXDATE)/.test(line));
}

describe('an event', () => {
  it.each([
    ['0 9 * * ? *', ['FREQ=DAILY']],
    ['0 9 L * ? *', ['FREQ=MONTHLY;BYMONTHDAY=-1']],
    ['0 9 L-3 * ? *', ['FREQ=MONTHLY;BYMONTHDAY=-4']],
    ['0 9 LW * ? *', ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1']],
    ['0 9 1W * ? *', ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1']],
    ['0 9 ? * 6L *', ['FREQ=MONTHLY;BYDAY=-1FR']],
    ['0 9 ? * 2#3 *', ['FREQ=MONTHLY;BYDAY=3MO']],
    ['0 9 1,15 * ? *', ['FREQ=MONTHLY;BYMONTHDAY=1', 'FREQ=MONTHLY;BYMONTHDAY=15']],
    ['0 9 1 */3 ? *', ['FREQ=MONTHLY;BYMONTHDAY=1;BYMONTH=1,4,7,10']],
    ['0 8,16 ? * MON-FRI *', ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR']],
    ['*/30 8-10 ? * FRI *', ['FREQ=WEEKLY;BYDAY=FR;BYHOUR=8,9,10;BYMINUTE=0,30']],
    ['0 9 * * ? 2027,2029-2030', ['FREQ=DAILY', 'FREQ=DAILY']],
  ])('the rules of %s are those that most programs read', (expression, rules) => {
    const text = calendarOf(expression, 'Europe/Berlin', '2027-01-01', 1200);
    expect(expandCalendar(text).map(({ rule }) => rule?.replace(/;UNTIL=.*/, ''))).toEqual(rules);
  });

  it('days that no rule says are listed', () => {
    expect(eventLines(calendarOf('0 9 15W * ? *', 'Asia/Tokyo', '2027-05-01', 92))).toEqual([
      'UID:schedules.a0@almanac',
      'DTSTART;TZID=Asia/Tokyo:20270514T090000',
      'RDATE;TZID=Asia/Tokyo:20270514T090000,20270615T090000,20270715T090000',
    ]);
  });

  it('an event keeps its identity in a calendar of other days', () => {
    const uidsOf = (date: string) =>
      expandCalendar(calendarOf('0 8,16 1 * ? *', 'Asia/Kathmandu', date, 62)).map(({ uid }) => uid);
    expect(uidsOf('2026-11-20')).toEqual(['schedules.a0@almanac', 'schedules.a0/2@almanac']);
    expect(uidsOf('2027-01-20')).toEqual(uidsOf('2026-11-20'));
  });
});

describe('a zone', () => {
  it('a calendar has each zone once, by the two yearly rules where the clocks follow two', () => {
    const pairs = ['Europe/Berlin', 'Asia/Kathmandu', 'Europe/Berlin'].map((zone) => ['0 9 * * ? *', zone] as const);
    const text = renderCalendar(nextOf(pairs, '2026-11-20', 3), { nameOf: () => 'A', stamp });
    const lines = text.split('\r\n');
    expect(lines.filter((line) => line.startsWith('TZID:'))).toEqual(['TZID:Asia/Kathmandu', 'TZID:Europe/Berlin']);
    expect(lines.slice(lines.indexOf('TZID:Europe/Berlin'), lines.indexOf('BEGIN:VEVENT'))).toEqual([
      'TZID:Europe/Berlin',
      'BEGIN:DAYLIGHT',
      'DTSTART:20250330T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'END:DAYLIGHT',
      'BEGIN:STANDARD',
      'DTSTART:20251026T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]);
  });

  it('clocks that follow no yearly rule have each change by itself', () => {
    const text = calendarOf('0 9 * * ? *', 'Africa/Casablanca', '2026-01-20', 60);
    expect(text).toContain('DTSTART:20260215T030000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0000\r\nEND:STANDARD');
    expect(text).toContain('DTSTART:20260322T020000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nEND:DAYLIGHT');
    expect(text).not.toContain('FREQ=YEARLY');
  });
});

describe('a calendar', () => {
  it('a name adds no line and no event, and what nobody can see in it is spelled out', () => {
    const name = 'A\r\nEND:VEVENT\r\nBEGIN:VEVENT\nSUMMARY:Evil\u202e\u2028\u0000;\\,';
    const text = renderCalendar(nextOf([['0 9 * * ? *', 'UTC']], '2026-11-20', 3), { nameOf: () => name, stamp });
    expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(1);
    expect(text).toMatch(/^[\r\n -~]*$/);
    const [event] = readCalendar(text).getAllSubcomponents('vevent');
    expect(event?.getFirstPropertyValue('summary')).toBe(
      'A\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:Evil\\u202e\\u2028\\u0000;\\,',
    );
  });

  it('a calendar has the required properties, and is the same for the same runs', () => {
    const write = () =>
      renderCalendar(nextOf([['0 9 * * ? *', 'UTC']], '2026-11-20', 3), { nameOf: () => undefined, stamp });
    expect(write()).toBe(write());
    const calendar = readCalendar(write());
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
    expect(calendar.getFirstPropertyValue('prodid')).toBe('-//Almanac//almanac next//EN');
    expect(write()).toContain('\r\nDTSTAMP:20261121T080000Z\r\n');
    expect(expandCalendar(write())[0]?.summary).toBe('schedules.a0');
  });

  it('a calendar has lines of at most 75 octets that end with CRLF and lose no words', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(words, words, (name, description) => {
        const document = nextOf([['0 9 * * ? *', 'Europe/London']], '2026-11-20', 3, description);
        const text = renderCalendar(document, { nameOf: () => name, stamp });
        expect(text.endsWith('\r\n')).toBe(true);
        for (const line of text.slice(0, -2).split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\p{Cc}]/u);
        }
        const [event] = expandCalendar(text);
        const kept = (words: string) =>
          words
            .split(/\r\n|\r|\n/)
            .map(visibleText)
            .join('\n');
        expect(event?.summary).toBe(kept(name));
        expect(event?.description).toBe(`${kept(description)}, Europe/London\nschedules.a0: 0 9 * * ? *`);
      }),
    );
  });
});
