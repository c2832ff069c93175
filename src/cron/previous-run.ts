// The run before an instant: the same wall times as in coming-runs.ts, walked backwards.

import type { CronRun } from './coming-runs.ts';
import type { Cron } from './cron.ts';
import { matchingDays } from './matching-days.ts';
import { type ZoneClock, zoneClock } from './zones/zone-clock.ts';

const dayMs = 86_400_000;

/**
 * The last run at or before `until` (epoch milliseconds), undefined if there was none since 1970. So it is the one that
 * `comingRuns` gives for any instant between the run before it and itself. `zone` is an IANA name; one that this Node does
 * not know throws RangeError.
 */
export function previousRun(cron: Cron, zone: string, until: number): CronRun | undefined {
  const clock = zoneClock(zone);
  for (const wall of wallTimesBefore(cron, latestShown(clock, until))) {
    const at = clock.instantOf(wall);
    if (at !== undefined && at <= until) return { at, local: new Date(wall).toISOString().slice(0, 16) };
  }
  return undefined;
}

/**
 * No wall time after it was shown until then. A wall that shows an hour for the second time has shown later times before;
 * no change of a clock is longer than a day, and no zone changes its clock twice in one.
 */
function latestShown({ wallAt }: ZoneClock, until: number): number {
  const wall = wallAt(until);
  return wall - wallAt(until - dayMs) === dayMs ? wall : wall + dayMs;
}

/** The wall times that match, descending, from `until` on: years, months and days that do not match are never entered. */
function* wallTimesBefore(cron: Cron, until: number): Generator<number> {
  const last = new Date(until);
  const lastYear = last.getUTCFullYear();
  const lastMonth = last.getUTCMonth() + 1;
  for (const year of descending(cron.years)) {
    if (year > lastYear) continue;
    for (const month of descending(cron.months)) {
      if (year === lastYear && month > lastMonth) continue;
      for (const day of descending(matchingDays(cron, year, month))) {
        const midnight = Date.UTC(year, month - 1, day);
        if (midnight <= until) yield* wallTimesOfDay(cron, midnight, until);
      }
    }
  }
}

function* wallTimesOfDay(cron: Cron, midnight: number, until: number): Generator<number> {
  for (const hour of descending(cron.hours)) {
    for (const minute of descending(cron.minutes)) {
      const wall = midnight + (hour * 60 + minute) * 60_000;
      if (wall <= until) yield wall;
    }
  }
}

function* descending(numbers: readonly number[]): Generator<number> {
  for (let index = numbers.length - 1; index >= 0; index -= 1) {
    const number = numbers[index];
    if (number !== undefined) yield number;
  }
}
