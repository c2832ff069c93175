// A calendar as a program that people use reads it: ical.js, the library of Thunderbird, takes the offsets from the
// VTIMEZONE components and computes every occurrence.

import ICAL from 'ical.js';
import { memoize } from '../../../src/model/values/memoize.ts';

export interface CalendarEvent {
  readonly uid: string;
  readonly summary: string;
  readonly description: string;
  readonly rule: string | undefined;
  /** Epoch milliseconds, ascending. */
  readonly instants: readonly number[];
}

export function readCalendar(text: string): InstanceType<typeof ICAL.Component> {
  return new ICAL.Component(ICAL.parse(text));
}

export function expandCalendar(text: string): readonly CalendarEvent[] {
  return readCalendar(text)
    .getAllSubcomponents('vevent')
    .map((component) => {
      const event = new ICAL.Event(component);
      const rule = component.getFirstPropertyValue('rrule')?.toString();
      const isDense = /BYHOUR|BYMINUTE/.test(rule ?? '');
      const instants: number[] = [];
      const occurrences = event.iterator();
      for (let next = occurrences.next(); next != null; next = occurrences.next())
        if (!isDense || isShown(next)) instants.push(next.toUnixTime() * 1000);
      return {
        uid: event.uid,
        summary: event.summary ?? '',
        description: event.description ?? '',
        rule,
        instants: instants.sort((a, b) => a - b),
      };
    });
}

/**
 * Whether clocks show this time at all; RFC 5545 ignores the others. The library moves them before its exceptions
 * of the same hour, and then finds only some of these: that is a matter of rules with many times a day.
 */
function isShown(time: ICAL.Time): boolean {
  const shown = clockOf(time.zone?.tzid ?? 'UTC').format(time.toUnixTime() * 1000);
  return shown.replace(' ', 'T') === time.toString().replace('Z', '');
}

const clockOf = memoize(
  (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
);
