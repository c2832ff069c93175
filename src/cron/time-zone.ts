// The clocks of time zones: the local time at an instant.

import { memoize, once } from '../model/values/collections.ts';

export const dayMs = 86_400_000;
export const minuteMs = 60_000;

/**
 * Intl gives the offset of an instant, but slowly. Three days and a day on both sides are asked for together: no zone has
 * changed its clocks twice within five days since 1970 (the nearest, Boa Vista in 2000 and Gaza's autumns, are seven apart),
 * so equal offsets at both ends hold in between. Where they differ, both are tried.
 */
const blockMs = 3 * dayMs;

/**
 * The clock on a wall in a zone: what it shows, and when. A wall time is a number here: the milliseconds of the same
 * date and time in UTC.
 */
interface ZoneClock {
  /** The wall time at an instant (epoch milliseconds). */
  readonly wallAt: (instant: number) => number;
  /** The first instant at which the wall shows this time; undefined when the clock skips it. */
  readonly instantOf: (wall: number) => number | undefined;
}

/** The clock of a zone. Throws RangeError for a name that this Node does not know. */
export const zoneClock = memoize(makeZoneClock);

/** Listing the names takes a tenth of the time of the first clock, which most runs do not need. */
const zonesOfNode = once(() => new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]));

/** True if this Node has the rules of a zone. Its list has no second names, such as US/Eastern, nor UTC. */
export function isZoneKnown(zone: string): boolean {
  if (zonesOfNode().has(zone)) return true;
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

interface ClockChange {
  /** Tells whether clocks skip these wall times, or show them twice. */
  readonly kind: 'skip' | 'repeat';
  /** Wall times. */
  readonly from: number;
  /** The end of the wall times, exclusive. */
  readonly until: number;
}

/** The changes of the year after an instant, ascending. */
export function clockChangesAfter(zone: string, start: number): readonly ClockChange[] {
  const { wallAt } = zoneClock(zone);
  const offsetAt = (instant: number) => wallAt(instant) - instant;
  const first = Math.floor(start / minuteMs) * minuteMs;
  const changes: ClockChange[] = [];
  let offset = offsetAt(first);
  for (let block = first; block < first + 365 * dayMs; block += blockMs) {
    const [before, after] = [offset, offsetAt(block + blockMs)];
    offset = after;
    if (before === after) continue;
    let [earlier, later] = [block, block + blockMs];
    while (later - earlier > minuteMs) {
      const middle = earlier + Math.floor((later - earlier) / 2 / minuteMs) * minuteMs;
      if (offsetAt(middle) === before) earlier = middle;
      else later = middle;
    }
    const [from, until] = [later + Math.min(before, after), later + Math.max(before, after)];
    changes.push({ kind: after > before ? 'skip' : 'repeat', from, until });
  }
  return changes;
}

/** A local time as `YYYY-MM-DDTHH:MM`. */
export function wallText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
}

/** Turns an instant, ISO 8601, into `YYYY-MM-DDTHH:MM`. */
export type LocalTimes = (at: string) => string;

/** Instants as the clocks of a zone show them. Intl is slow, and the runs of many schedules share their minutes. */
export function localTimesIn(zone: string): LocalTimes {
  if (zone === 'UTC') return (at) => at.slice(0, 16);
  const clock = zoneClock(zone);
  return memoize((at) => wallText(clock.wallAt(Date.parse(at))));
}
