// When a schedule was due last, by the clocks of its zone. A time that a clock skips does not come; of one that comes
// twice, the first counts.

import { matchesDate, minutesOfDay } from './cron-times.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The last due time after `from` and at or before `until`, all in epoch milliseconds; undefined if there is none. */
export function lastDue(expression: string, zone: string, from: number, until: number): number | undefined {
  // Most looks come within the minute of the one before.
  if (Math.floor(until / minuteMs) === Math.floor(from / minuteMs)) return undefined;
  const offsetAt = offsetsOf(zone);
  const firstDay = dayOf(from + offsetAt(from)) - dayMs;
  const minutes = minutesOfDay(expression);
  for (let day = dayOf(until + offsetAt(until)) + dayMs; day >= firstDay; day -= dayMs) {
    if (!matchesDate(expression, new Date(day))) continue;
    for (const minute of minutes) {
      const at = instantOf(day + minute * minuteMs, offsetAt);
      if (at !== undefined && at <= until) return at > from ? at : undefined;
    }
  }
  return undefined;
}

function dayOf(wall: number): number {
  return Math.floor(wall / dayMs) * dayMs;
}

/** Undefined for a time that the clock skips. */
function instantOf(wall: number, offsetAt: (instant: number) => number): number | undefined {
  const offsets = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
  const found = offsets.map((offset) => wall - offset).filter((at) => at + offsetAt(at) === wall);
  return found.length === 0 ? undefined : Math.min(...found);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** By how many milliseconds the clocks of a zone are ahead of UTC at an instant. */
function offsetsOf(zone: string): (instant: number) => number {
  let format = formats.get(zone);
  if (format === undefined) {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...numeric });
    formats.set(zone, format);
  }
  const shown = format;
  return (instant) => {
    const parts = new Map(shown.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return wall - Math.floor(instant / minuteMs) * minuteMs;
  };
}
