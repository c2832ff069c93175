// A calendar as a program that people use reads it: ical.js, the library of Thunderbird, takes the offsets from the
// VTIMEZONE components and computes every occurrence.

import ICAL from 'ical.js';

export interface CalendarEvent {
  readonly uid: string;
  readonly summary: string;
  readonly description: string;
  readonly rule: string | undefined;
  /** Epoch milliseconds, ascending, as often as the library gives them. */
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
      const instants: number[] = [];
      const occurrences = event.iterator();
      for (let next = occurrences.next(); next != null; next = occurrences.next()) instants.push(next.toUnixTime() * 1000);
      return {
        uid: event.uid,
        summary: event.summary ?? '',
        description: event.description ?? '',
        rule: component.getFirstPropertyValue('rrule')?.toString(),
        instants: instants.sort((a, b) => a - b),
      };
    });
}
