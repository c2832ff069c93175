// The runs that the options of `almanac next` ask for, as documents. Runs are found once for each expression and zone,
// and schedules with both in common share the list.

import { comingRuns } from '../../cron/coming-runs.ts';
import type { Cron } from '../../cron/cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { dayMs } from '../../cron/time-zone.ts';
import { dayAt, startOfDay } from '../../cron/zone-data.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import { timeFields } from '../../model/fields/fields.ts';
import { memoize } from '../../model/values/collections.ts';
import { utcDay } from '../../model/values/day.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { AppliedState } from '../../plan/applied.ts';
import { instantsOf, type LocalTime } from './local-time.ts';
import type { NextOptions } from './next-command.ts';
import type { NextDocument, NextSchedule } from './next-document.ts';
import { runRows } from './run-rows.ts';

export const firstLines = 20;

type Runs = NextSchedule['runs'];

interface Question {
  /** In epoch milliseconds. */
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
  /** True if a run at `from` counts; with `at` it does. */
  readonly isFromIncluded: boolean;
  /** The number for each schedule. */
  readonly count: number;
  /** The number to list even if they come after `until`; 0 if left out. */
  readonly least?: number;
  readonly at: LocalTime | undefined;
  /** The zone of `at`; undefined for each schedule's own. */
  readonly zone: string | undefined;
}

/** `fallback`: the number of runs if neither a number nor days are asked for. */
export function questionOf(options: NextOptions, now: number, fallback: number): Question {
  const { days, at, timezone } = options;
  const zone = timezone ?? 'UTC';
  const from = startOf(options) ?? now;
  const until = days === undefined ? Number.POSITIVE_INFINITY : startOfDay(zone, dayAt(zone, from) + days * dayMs);
  const unlimited = days === undefined ? (at === undefined ? fallback : 1) : Number.POSITIVE_INFINITY;
  const count = options.count ?? unlimited;
  return { from, until, isFromIncluded: days !== undefined, count, at, zone: timezone };
}

/** The first zone on earth begins a day this long before UTC. */
const firstZoneMs = 14 * 3_600_000;

/** Undefined for now. A date of --at is itself where to start, so that one of the past has its answer as well. */
function startOf({ from, at, timezone }: NextOptions): number | undefined {
  if (at?.date !== undefined) {
    if (from !== undefined)
      throw new Failure('usage', `--at ${at.date} is a date already, so --from has no meaning.`, {
        hint: "Leave --from out, or name a day of the week: --at 'MON 09:00'.",
      });
    const midnight = Date.parse(at.date);
    return timezone === undefined ? midnight - firstZoneMs : startOfDay(timezone, midnight);
  }
  if (from === undefined) return undefined;
  return 'at' in from ? from.at : startOfDay(timezone ?? 'UTC', Date.parse(from.date));
}

/** The same for all runs of some days, and for the next run of a schedule that does not run on them. */
function wholeDays(question: Question, days: number): Question {
  const zone = question.zone ?? 'UTC';
  const until = startOfDay(zone, dayAt(zone, question.from) + days * dayMs);
  return { ...question, until, count: Number.POSITIVE_INFINITY, least: 1 };
}

/** Ascending. */
function findRuns(expression: string, timezone: string, question: Question): Runs {
  const { cron } = parseCron(expression);
  if (cron === undefined) return [];
  return question.at === undefined ? allRuns(cron, timezone, question) : runsAt(cron, timezone, question, question.at);
}

function allRuns(cron: Cron, timezone: string, { from, until, isFromIncluded, count, least = 0 }: Question): Runs {
  const runs: Runs[number][] = [];
  for (const { at, local } of comingRuns(cron, timezone, isFromIncluded ? from - 1 : from)) {
    if (runs.length >= count || (at >= until && runs.length >= least)) break;
    runs.push({ at: new Date(at).toISOString(), local });
  }
  return runs;
}

/** The runs among the next `count` instants at which clocks show the time, or among all in the days. */
function runsAt(cron: Cron, timezone: string, { from, until, count, zone }: Question, time: LocalTime): Runs {
  return instantsOf(time, zone ?? timezone, { from, until, most: count }).flatMap((instant) => {
    const next = comingRuns(cron, timezone, instant - 1).next();
    if (next.done === true || next.value.at !== instant) return [];
    return [{ at: new Date(instant).toISOString(), local: next.value.local }];
  });
}

/** The days on which clocks show the requested time, ascending, in each schedule's zone or that of --timezone. */
export function daysLookedAt(
  schedules: readonly Resource[],
  { from, until, count, zone, at }: Question,
): readonly string[] {
  if (at === undefined) return [];
  const zones = new Set(
    schedules.map(({ kind, attributes }) => zone ?? deliveryOf(kind, attributes).when?.timezone ?? 'UTC'),
  );
  const days = [...zones].flatMap((each) =>
    instantsOf(at, each, { from, until, most: count }).map((instant) => utcDay(dayAt(each, instant))),
  );
  return [...new Set(days)].sort();
}

/** The runs of all schedules; with a requested time, of those that run then. */
export function documentsOf(
  schedules: readonly Resource[],
  words: (expression: string) => string,
  keptIn: AppliedState['keptIn'],
) {
  return (question: Question): NextDocument => {
    const runs = memoize((expression) => memoize((zone) => findRuns(expression, zone, question)));
    const all = schedules.map(({ address, kind, attributes }): NextSchedule => {
      const { schedule = '', timezone = '' } = deliveryOf(kind, attributes).when ?? {};
      const kept = keptIn(address);
      const keptTimes = [...timeFields].filter((field) => kept.includes(field));
      return {
        address,
        schedule,
        timezone,
        description: words(schedule),
        ...(keptTimes.length === 0 ? {} : { kept: keptTimes }),
        runs: runs(schedule)(timezone),
      };
    });
    return {
      formatVersion: 1,
      from: new Date(question.from).toISOString(),
      schedules: question.at === undefined ? all : all.filter((schedule) => schedule.runs.length > 0),
    };
  };
}

/** The runs of enough whole days that none is missing among the first lines. */
export function firstRuns(question: Question, makeDocument: (question: Question) => NextDocument): NextDocument {
  let document = makeDocument(question);
  for (const days of [2, 8, 32, 366]) {
    const whole = wholeDays(question, days);
    document = makeDocument(whole);
    const rows = runRows(document.schedules, { zone: question.zone ?? 'UTC', foldsDays: true, foldsTimes: true });
    if (rows.filter(({ at }) => Date.parse(at) < whole.until).length >= firstLines) break;
  }
  return document;
}
