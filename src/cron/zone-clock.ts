// What a clock on the wall shows in a zone, and when it shows it. A wall time is a number here: the milliseconds of the
// same date and time in UTC.
//
// Intl gives the offset of an instant, but slowly. Three days and a day on both sides are asked for together: no
// zone has changed its clocks twice within five days since 1970 (the nearest, Boa Vista in 2000 and Gaza's autumns, are
// seven apart), so equal offsets at both ends hold in between. Where they differ, both are tried.

import { memoize } from '../model/values/memoize.ts';

export const dayMs = 86_400_000;
const minuteMs = 60_000;
const blockMs = 3 * dayMs;

interface ZoneClock {
  /** The wall time at an instant (epoch milliseconds). */
  readonly wallAt: (instant: number) => number;
  /** The first instant at which the wall shows this time; undefined when the clock skips it. */
  readonly instantOf: (wall: number) => number | undefined;
}

/** The clock of a zone. Throws RangeError for a name that this Node does not know. */
export const zoneClock = memoize(makeZoneClock);

/** Whether this Node has the rules of a zone. */
export function isZoneKnown(zone: string): boolean {
  try {
    zoneClock(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function makeZoneClock(zone: string): ZoneClock {
  const offsetAt = makeOffsetAt(zone);
  const offsetsOfBlock = new Map<number, readonly [number, number]>();
  const offsetsAround = (wall: number): readonly [number, number] => {
    const block = Math.floor(wall / blockMs);
    let offsets = offsetsOfBlock.get(block);
    if (offsets === undefined) {
      offsets = [offsetAt(block * blockMs - dayMs), offsetAt((block + 1) * blockMs + dayMs)];
      offsetsOfBlock.set(block, offsets);
    }
    return offsets;
  };
  const instantOf = (wall: number): number | undefined => {
    const [before, after] = offsetsAround(wall);
    if (before === after) return wall - before;
    const earlier = wall - Math.max(before, after);
    if (earlier + offsetAt(earlier) === wall) return earlier;
    const later = wall - Math.min(before, after);
    return later + offsetAt(later) === wall ? later : undefined;
  };
  return { wallAt: (instant) => instant + offsetAt(instant), instantOf };
}

/** Wall time minus instant, in milliseconds; it may have seconds (Monrovia was 44 minutes 30 behind until 1972). */
function makeOffsetAt(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const whole = Math.floor(instant / 1000) * 1000;
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] =
      format.format(whole).match(/\d+/g)?.map(Number) ?? [];
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  };
}

/** From an instant, ISO 8601, to `YYYY-MM-DDTHH:MM`. */
export type LocalTimes = (at: string) => string;

/** Instants as the clocks of a zone show them. Intl is slow, and the runs of many schedules share their minutes. */
export function localTimesIn(zone: string): LocalTimes {
  if (zone === 'UTC') return (at) => at.slice(0, 16);
  const clock = zoneClock(zone);
  return memoize((at) => new Date(clock.wallAt(Date.parse(at))).toISOString().slice(0, 16));
}

// The days of a zone. A day is named by the wall time of its midnight, which is the same number in every zone.

/** The midnight (wall time) of the day that an instant belongs to. */
export function dayAt(zone: string, instant: number): number {
  return Math.floor(zoneClock(zone).wallAt(instant) / dayMs) * dayMs;
}

/** The first instant of a day. Where clocks skip midnight, or the whole day, the first instant after the gap. */
export function startOfDay(zone: string, midnight: number): number {
  const clock = zoneClock(zone);
  for (let wall = midnight; wall < midnight + 2 * dayMs; wall += minuteMs) {
    const at = clock.instantOf(wall);
    if (at !== undefined) return at;
  }
  return midnight;
}

/** `2026-11-23`. */
export function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

// The changes of a clock, found by asking for its offset again and again: Intl has no list of them.

export interface ClockChange {
  /** The first instant with the new offset, epoch milliseconds. */
  readonly at: number;
  /** Wall time minus instant before the change and after it, in milliseconds. */
  readonly before: number;
  readonly after: number;
}

/** Shorter than the time between any two changes of one zone since 1970. */
const stepMs = 4 * dayMs;

/** The changes after `from` and up to `until` (epoch milliseconds), ascending. */
export function clockChanges(zone: string, from: number, until: number): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  const offsetAt = (instant: number) => zoneClock(zone).wallAt(instant) - instant;
  let known = Math.floor(from / 1000) * 1000;
  let before = offsetAt(known);
  while (known < until) {
    const next = Math.min(known + stepMs, Math.ceil(until / 1000) * 1000);
    const after = offsetAt(next);
    if (after !== before) changes.push({ at: firstSecond(known, next, (at) => offsetAt(at) === after), before, after });
    [known, before] = [next, after];
  }
  return changes;
}

/** The first whole second for which `holds` says yes, which it does for `high` and everything near before it. */
function firstSecond(low: number, high: number, holds: (at: number) => boolean): number {
  let [no, yes] = [low / 1000, high / 1000];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle * 1000)) yes = middle;
    else no = middle;
  }
  return yes * 1000;
}
