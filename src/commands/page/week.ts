// The week as a calendar of deliveries, by day and part of the day. More than four deliveries of a report in a day are
// one line.

import { runsInWeek, weekFrom } from '../../cron/coming-runs.ts';
import { localTimesIn } from '../../cron/time-zone.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { countOf } from '../../model/values/words.ts';
import { beatWords } from '../base/how-often.ts';
import type { PageReport, PageTiming } from './page-model.ts';

export interface WeekDay {
  readonly date: string;
  readonly parts: readonly DayPart[];
}

interface DayPart {
  readonly name: (typeof dayParts)[number]['name'];
  readonly slots: readonly WeekSlot[];
}

export interface WeekSlot {
  /** `09:00`, or `00:00–23:00, every hour`. */
  readonly time: string;
  readonly timezone: string;
  readonly reports: readonly PageReport[];
}

const maxRunsADay = 4;

/** `until` is the first hour after the part. The first part has the frequent runs. */
const dayParts = [
  { name: 'All day', until: 0 },
  { name: 'Morning', until: 12 },
  { name: 'Afternoon', until: 18 },
  { name: 'Evening', until: 24 },
] as const;

/** Each report at the times of its own zone, without the runs before `now` (epoch milliseconds). */
export function weekOf(reports: readonly PageReport[], now: number): readonly WeekDay[] {
  const days = weekFrom(now);
  // Many reports share an expression and a zone.
  const runsOf = memoize((zone: string) =>
    memoize((schedule: string) => groupBy(runsInWeek(schedule, zone, days), (local) => local.slice(0, 10))),
  );
  const running = reports.flatMap((report) =>
    report.when === undefined || report.paused ? [] : [{ report, when: report.when }],
  );
  const nowIn = memoize((zone: string) => localTimesIn(zone)(new Date(now).toISOString()));
  return days.map((date) => {
    const lines = running.flatMap(({ report, when }) =>
      weekLines(report, when, runsOf(when.timezone)(when.schedule).get(date), nowIn(when.timezone)),
    );
    const byPart = groupBy(lines, ({ part }) => part);
    return { date, parts: dayParts.map(({ name }, part) => ({ name, slots: slotsOf(byPart.get(part) ?? []) })) };
  });
}

function slotsOf(lines: readonly PlacedLine[]): readonly WeekSlot[] {
  return [...groupBy(lines, ({ time, timezone }) => `${time} ${timezone}`)]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([, same]) => {
      const [{ time, timezone }] = same as [PlacedLine];
      return { time, timezone, reports: same.map(({ report }) => report) };
    });
}

interface PlacedLine extends Pick<WeekSlot, 'time' | 'timezone'> {
  readonly report: PageReport;
  readonly part: number;
}

function weekLines(
  report: PageReport,
  { timezone }: PageTiming,
  runs: readonly string[] | undefined,
  now: string,
): readonly PlacedLine[] {
  if (runs === undefined) return [];
  const coming = runs.filter((local) => local >= now);
  if (coming.length > 0 && runs.length > maxRunsADay) return [{ report, timezone, time: oftenWords(runs), part: 0 }];
  return coming.map((local) => {
    const hour = Number(local.slice(11, 13));
    return { report, timezone, time: local.slice(11), part: dayParts.findIndex(({ until }) => hour < until) };
  });
}

/** `08:00–17:00, every hour`; around the clock without times. */
function oftenWords(runs: readonly string[]): string {
  const [first = '', last = ''] = [runs[0]?.slice(11), runs.at(-1)?.slice(11)];
  const beat = beatWords(runs.map((local) => ({ at: `${local}Z`, local })));
  const often = beat ?? countOf(runs.length, 'run');
  return first < '01' && last >= '23' ? often : `${first}\u2013${last}, ${often}`;
}
