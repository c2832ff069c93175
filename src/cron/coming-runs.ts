// When an expression runs: its wall times in order, turned to instants in the schedule's zone. A time that the clock
// skips in spring does not run; one that comes twice in autumn runs once, the first time (AWS EventBridge Scheduler).

import type { Cron } from './cron.ts';
import { matchingDays } from './matching-days.ts';
import { zoneClock } from './zones/zone-clock.ts';

export interface CronRun {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Wall time in the zone, `YYYY-MM-DDTHH:MM`. */
  readonly local: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;
const beginning = Date.UTC(1970, 0, 1) - 2 * dayMs;
const end = Date.UTC(2200, 0, 1) + 2 * dayMs;

/**
 * The runs after `from` (epoch milliseconds, exclusive), ascending. Ends after the year 2199, the last that an expression
 * can name, having visited each matching month once. `zone` is an IANA name; one that this Node does not know throws
 * RangeError (`checkTimeZone` finds out).
 */
export function* comingRuns(cron: Cron, zone: string, from: number): Generator<CronRun> {
  if (from > end) return;
  const clock = zoneClock(zone);
  const since = clock.wallAt(Math.max(from, beginning));
  for (const wall of wallTimes(cron, since)) {
    const at = clock.instantOf(wall);
    if (at !== undefined && at > from) yield { at, local: new Date(wall).toISOString().slice(0, 16) };
  }
}

/**
 * The last run at or before `until` (epoch milliseconds), undefined if there was none since 1970: the last that
 * `comingRuns` gives in a window, which grows until it holds one. So nothing but `comingRuns` knows about clocks.
 */
export function previousRun(cron: Cron, zone: string, until: number): CronRun | undefined {
  for (let window = hourMs; ; window *= 8) {
    const from = Math.max(until - window, beginning);
    let last: CronRun | undefined;
    for (const run of comingRuns(cron, zone, from)) {
      if (run.at > until) break;
      last = run;
    }
    if (last !== undefined || from === beginning) return last;
  }
}

/**
 * Whether a run is due after `from` (epoch milliseconds, exclusive). Mostly this is known without the rules of the zone:
 * a run is lost only where the clock skips its time, and since 1970 no zone has skipped more than three times within a
 * year (Morocco did in 2012), nor more than a day. So of five matching days within a year, one has its run. No clock is
 * a day or more away from UTC.
 */
export function firesAgain(cron: Cron, zone: string, from: number): boolean {
  if (from > end) return false;
  const here = Math.max(from, beginning);
  const days: number[] = [];
  for (const midnight of matchingMidnights(cron, here - dayMs)) {
    // Three of them may be over, or begin before `from` somewhere.
    if (days.push(midnight) === 8) break;
  }
  const [first = 0, , , , fifth] = days.filter((midnight) => midnight >= here + dayMs);
  if (fifth !== undefined && fifth - first < yearMs) return true;
  return days.length > 0 && comingRuns(cron, zone, from).next().done !== true;
}

/** The wall times that match, ascending, from `since` on. */
export function* wallTimes(cron: Cron, since: number): Generator<number> {
  for (const midnight of matchingMidnights(cron, since)) yield* wallTimesOfDay(cron, midnight, since);
}

/** The days that match, from that of `since` on: years and months that do not match are never entered. */
function* matchingMidnights(cron: Cron, since: number): Generator<number> {
  const first = new Date(since);
  const firstYear = first.getUTCFullYear();
  const firstMonth = first.getUTCMonth() + 1;
  const firstDay = Math.floor(since / dayMs) * dayMs;
  for (const year of cron.years) {
    if (year < firstYear) continue;
    for (const month of cron.months) {
      if (year === firstYear && month < firstMonth) continue;
      for (const day of matchingDays(cron.days, year, month)) {
        const midnight = Date.UTC(year, month - 1, day);
        if (midnight >= firstDay) yield midnight;
      }
    }
  }
}

function* wallTimesOfDay(cron: Cron, midnight: number, since: number): Generator<number> {
  for (const hour of cron.hours) {
    for (const minute of cron.minutes) {
      const wall = midnight + (hour * 60 + minute) * 60_000;
      if (wall >= since) yield wall;
    }
  }
}
