// A local time that people ask for, and the instants when clocks show it. Forms are `MON 09:00`, `09:00` and
// `2026-11-23 09:00`; the clocks are those of a zone.

import { dayMs, zoneClock } from '../../cron/time-zone.ts';
import { dayAt } from '../../cron/zone-data.ts';
import { isDay } from '../../model/values/day.ts';

export interface LocalTime {
  /** `YYYY-MM-DD`; with neither date nor weekday every day. */
  readonly date?: string;
  /** 0 is Sunday. */
  readonly weekday?: number;
  readonly hour: number;
  readonly minute: number;
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const form = /^(?:(\d{4}-\d{2}-\d{2})[ T]|([a-z]{3,9}) )?(\d{1,2}):(\d{2})$/i;

/** Undefined for any other form, and for a date or a time that does not exist. */
export function parseLocalTime(text: string): LocalTime | undefined {
  const [whole, date, day, hourText, minuteText] = form.exec(text.trim().replaceAll(/ +/g, ' ')) ?? [];
  const [hour, minute] = [Number(hourText), Number(minuteText)];
  if (whole === undefined || hour > 23 || minute > 59) return undefined;
  if (date !== undefined) return isDay(date) ? { date, hour, minute } : undefined;
  if (day === undefined) return { hour, minute };
  const weekday = weekdays.findIndex((name) => name.startsWith(day.toLowerCase()));
  return weekday < 0 ? undefined : { weekday, hour, minute };
}

/**
 * The first `most` instants from `from` (inclusive) to `until` (exclusive) at which clocks show the time, ascending. A
 * time that clocks skip does not count; one that comes twice counts once, the first time.
 */
export function instantsOf(
  { date, weekday, hour, minute }: LocalTime,
  zone: string,
  { from, until, most }: { readonly from: number; readonly until: number; readonly most: number },
): readonly number[] {
  const clock = zoneClock(zone);
  const time = (hour * 60 + minute) * 60_000;
  const instants: number[] = [];
  const days = date === undefined ? undefined : Date.parse(date);
  for (let day = days ?? dayAt(zone, from); instants.length < most; day += dayMs) {
    const at = clock.instantOf(day + time);
    if ((at ?? day + time - 2 * dayMs) >= until) break;
    const isMeant = weekday === undefined || new Date(day).getUTCDay() === weekday;
    if (isMeant && at !== undefined && at >= from) instants.push(at);
    if (days !== undefined) break;
  }
  return instants;
}

/** `on Monday at 09:00`, `on 2026-11-23 at 09:00`, `at 09:00`. */
export function localTimeWords({ date, weekday, hour, minute }: LocalTime): string {
  const name = weekdays[weekday ?? -1];
  const day = date ?? (name === undefined ? undefined : name.charAt(0).toUpperCase() + name.slice(1));
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return day === undefined ? `at ${time}` : `on ${day} at ${time}`;
}
