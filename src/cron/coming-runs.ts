// Finds the runs of an expression: the days of a month that match, the wall times of these in order, and the instants
// in the schedule's zone. A time that the clock skips in spring does not run; one that comes twice in autumn runs once,
// the first time (AWS EventBridge Scheduler).

import { memoize } from '../model/values/collections.ts';
import { utcDay } from '../model/values/day.ts';
import { checkTimeZone } from './check-time-zone.ts';
import type { Cron, Days } from './cron.ts';
import { parseCron } from './parse-cron.ts';
import { clockChangesAfter, dayMs, wallText, zoneClock } from './time-zone.ts';

interface CronRun {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Wall time in the zone, `YYYY-MM-DDTHH:MM`. */
  readonly local: string;
}

const hourMs = 3_600_000;
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
    if (at !== undefined && at > from) yield { at, local: wallText(wall) };
  }
}

const halfYear = 180 * dayMs;

/**
 * True if it runs after `from`. In spring a clock skips times of one day in half a year at most, so one of two matching
 * days runs, whatever the zone: most expressions need no clock, and the first clock takes as long as all other rules.
 */
export function runsAgain(cron: Cron, zone: string, from: number): boolean {
  let before: number | undefined;
  // No clock of the world has shown yet what the wall shows then.
  for (const midnight of matchingMidnights(cron, from + 2 * dayMs)) {
    if (before !== undefined && midnight - before < halfYear) return true;
    if (before !== undefined) break;
    before = midnight;
  }
  return comingRuns(cron, zone, from).next().done !== true;
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

interface UnsureRuns {
  readonly kind: 'skip' | 'repeat';
  /** Wall times, `YYYY-MM-DDTHH:MM`. */
  readonly first: string;
  readonly last: string;
}

/** Finds the times in a zone that clocks skip or repeat in the year after `from` (epoch milliseconds), ascending. */
export function unsureRunsAfter(from: number): (expression: string, zone: string) => readonly UnsureRuns[] {
  const changesIn = memoize((zone) => clockChangesAfter(zone, from));
  return (expression, timezone) => {
    const { cron } = parseCron(expression);
    const { zone } = checkTimeZone(timezone);
    if (cron === undefined || zone === undefined) return [];
    return changesIn(zone).flatMap((change) => {
      const times: string[] = [];
      for (const wall of wallTimes(cron, change.from)) {
        if (wall >= change.until) break;
        times.push(wallText(wall));
      }
      const [first, last] = [times[0], times.at(-1)];
      return first === undefined || last === undefined ? [] : [{ kind: change.kind, first, last }];
    });
  };
}

const daysInWeek = 7;

/** Seven dates, `YYYY-MM-DD`, that begin with the day of `now` (epoch milliseconds) in UTC. */
export function weekFrom(now: number): readonly string[] {
  const first = Math.floor(now / dayMs) * dayMs;
  return Array.from({ length: daysInWeek }, (_, index) => utcDay(first + index * dayMs));
}

/** Wall times in days of the zone, `YYYY-MM-DDTHH:MM`, ascending; none if expression or zone is unreadable. */
export function runsInWeek(expression: string, timezone: string, days: readonly string[]): readonly string[] {
  const { cron } = parseCron(expression);
  const { zone } = checkTimeZone(timezone);
  if (cron === undefined || zone === undefined) return [];
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const runs: string[] = [];
  // No zone is further from UTC than a day.
  for (const { local } of comingRuns(cron, zone, Date.parse(first) - dayMs)) {
    const date = local.slice(0, 10);
    if (date > last) break;
    if (date >= first) runs.push(local);
  }
  return runs;
}

function* wallTimes(cron: Cron, since: number): Generator<number> {
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

/** The days (1 to 31, ascending) of a month (1 to 12). */
export function matchingDays(days: Days, year: number, month: number): readonly number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const firstWeekday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const weekdayOf = (day: number) => ((firstWeekday + day - 1) % 7) + 1;
  const ifInMonth = (day: number) => (day <= length ? [day] : []);
  /** Monday to Friday nearest to a day, never in another month: the 1st on a Saturday gives Monday the 3rd. */
  const workdayNear = (day: number) => {
    if (weekdayOf(day) === 7) return day === 1 ? 3 : day - 1;
    if (weekdayOf(day) === 1) return day === length ? day - 2 : day + 1;
    return day;
  };
  switch (days.kind) {
    case 'of-month':
      return days.days.flatMap(ifInMonth);
    case 'of-week':
      return Array.from({ length }, (_, index) => index + 1).filter((day) => days.days.includes(weekdayOf(day)));
    case 'last':
      return days.before < length ? [length - days.before] : [];
    case 'last-workday':
      return [workdayNear(length)];
    case 'nearest-workday':
      return ifInMonth(days.day).map(workdayNear);
    case 'last-weekday':
      return [length - ((weekdayOf(length) - days.day + 7) % 7)];
    case 'nth-weekday':
      return ifInMonth(1 + ((days.day - weekdayOf(1) + 7) % 7) + 7 * (days.nth - 1));
  }
}
