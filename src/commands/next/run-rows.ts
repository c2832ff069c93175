// The coming runs as rows. Runs at one time, or many in one day, share a row.

import { clocksOf } from '../../cron/check-time-zone.ts';
import { type LocalTimes, localTimesIn } from '../../cron/time-zone.ts';
import { countKinds, kindAt } from '../../model/values/address.ts';
import { groupBy, largest } from '../../model/values/collections.ts';
import { nameSome } from '../../model/values/words.ts';
import { type Block, type Doc, part, strong, type Words } from '../../report/doc.ts';
import { displayWidth, pad } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { weekday } from '../../report/text/words.ts';
import { howOften } from '../base/cron-words.ts';
import type { NextRun, NextSchedule } from './next-document.ts';

/**
 * The runs in order, day by day. A schedule that runs more than a few times a day has one line a day; on request, so
 * have more than three schedules that run at the same time.
 */
export interface RunRow {
  /** `2026-11-23`, in the zone of the list. */
  readonly day: string;
  /** The instant of its first run. */
  readonly at: string;
  /** `09:00`, or `00:00-23:00` for many runs. */
  readonly time: string;
  /** The time in the schedule's own zone, or how often it runs. */
  readonly detail: string;
  readonly addresses: readonly string[];
  readonly runs: number;
}

/** More runs of a schedule in one day are one line. */
const maxRunsADay = 6;
/** More schedules at one time are one line. */
const maxNamed = 3;

interface ListOptions {
  readonly zone: string;
  readonly foldsDays: boolean;
  readonly foldsTimes: boolean;
}

/** Each day begins with the schedules that run many times; the rest follow in order. */
export function runRows(schedules: readonly NextSchedule[], options: ListOptions): readonly RunRow[] {
  const local = localTimesIn(options.zone);
  // Thousands of schedules share few expressions and zones, and with them the same list of runs.
  const parts = [...groupBy(schedules, ({ runs }) => runs)].map(([runs, sharing]) => {
    const days = daysOfRuns(runs, local, options.foldsDays);
    return {
      many: days.many.flatMap((row) => sharing.map(({ address }): RunRow => ({ ...row, addresses: [address] }))),
      few: days.few.map((run) => ({ run, schedules: sharing })),
    };
  });
  const many = parts.flatMap((part) => part.many);
  const few = parts.flatMap((part) => part.few);
  const single = (
    options.foldsTimes ? [...groupBy(few, ({ run }) => run.at).values()] : few.map((each) => [each])
  ).flatMap((same) => rowsOfTime(same, local, options));
  const order = new Map(schedules.map(({ address }, index) => [address, index]));
  const place = ({ addresses: [first = ''] }: RunRow) => order.get(first) ?? 0;
  const byTime = (a: RunRow, b: RunRow) => (a.at === b.at ? place(a) - place(b) : a.at < b.at ? -1 : 1);
  return [...daysTogether(many).sort(byTime), ...single.sort(byTime)].sort((a, b) =>
    a.day === b.day ? 0 : a.day < b.day ? -1 : 1,
  );
}

/** The days with many runs, a row each, and all other runs. */
function daysOfRuns(runs: readonly NextRun[], local: LocalTimes, folds: boolean) {
  if (!folds || runs.length <= maxRunsADay) return { many: [], few: runs };
  const days = [...groupBy(runs, ({ at }) => local(at).slice(0, 10)).values()];
  return {
    many: days
      .filter((each) => each.length > maxRunsADay)
      .map((each) => ({ ...rowOfDay(each, local), runs: each.length })),
    few: days.filter((each) => each.length <= maxRunsADay).flat(),
  };
}

function rowOfDay(runs: readonly NextRun[], local: LocalTimes) {
  const [first = '', last = ''] = [runs[0]?.at, runs.at(-1)?.at];
  const [start, end] = [local(first), local(last)];
  const time = `${start.slice(11)}-${end.slice(11)}`;
  return { day: start.slice(0, 10), at: first, time, detail: howOften(runs) };
}

interface RunOfSchedule {
  readonly run: NextRun;
  readonly schedules: readonly NextSchedule[];
}

/** A row for each schedule; one for all if more than three are to be folded. */
function rowsOfTime(
  same: readonly RunOfSchedule[],
  local: LocalTimes,
  { zone, foldsTimes }: ListOptions,
): readonly RunRow[] {
  const rows = same.flatMap(({ run, schedules }) => {
    const wall = local(run.at);
    const detail = ownTime(run, schedules[0]?.timezone ?? zone, wall, zone);
    const row = { day: wall.slice(0, 10), at: run.at, time: wall.slice(11), detail, runs: 1 };
    return schedules.map(({ address }): RunRow => ({ ...row, addresses: [address] }));
  });
  return foldsTimes && rows.length > maxNamed ? [together(rows)] : rows;
}

/** Details that the schedules do not share are left out. */
function together(rows: readonly RunRow[]): RunRow {
  const [first] = rows as [RunRow];
  const detail = rows.every((row) => row.detail === first.detail) ? first.detail : '';
  return {
    ...first,
    detail,
    addresses: rows.flatMap(({ addresses }) => addresses),
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
  };
}

/** The time in the schedule's own zone, with the day if that differs; empty if it is the zone of the list. */
function ownTime({ local }: NextRun, timezone: string, wall: string, zone: string): string {
  if (clocksOf(timezone) === clocksOf(zone)) return '';
  const isSameDay = local.slice(0, 10) === wall.slice(0, 10);
  return `${isSameDay ? local.slice(11) : local.replace('T', ' ')} ${timezone}`;
}

/** Up to three schedules that run equally often in a day have a row each. */
function daysTogether(rows: readonly RunRow[]): RunRow[] {
  return [...groupBy(rows, ({ at, time, detail }) => `${at} ${time} ${detail}`).values()].flatMap((same) =>
    same.length > maxNamed ? [together(same)] : same,
  );
}

/** A paragraph for each day. */
export function runDoc(rows: readonly RunRow[], zone: string, page: Page): Doc {
  const timeWidth = largest(rows.map(({ time }) => time.length)) + 1 + zone.length;
  const detailWidth = rows.reduce((widest, { detail }) => Math.max(widest, displayWidth(detail)), 0);
  const rowOf = (row: RunRow): Block => {
    const detail = detailWidth === 0 ? '' : `${pad(row.detail, detailWidth)}  `;
    const mark = `  ${pad(`${row.time} ${zone}`, timeWidth)}  ${detail}`;
    return { mark, of: addressWords(row.addresses, page.width - displayWidth(mark)) };
  };
  const byDay = groupBy(rows, ({ day }) => day);
  return [...byDay].map(([day, same]) => part(`${weekday(day)} ${day}`, ...same.map(rowOf)));
}

/** Lists as many names as there is room for. */
function addressWords(addresses: readonly string[], room: number): Words {
  const [only, ...others] = addresses;
  if (others.length === 0) return strong(only);
  const count = countKinds(addresses.map(kindAt));
  for (let most = maxNamed; most > 0; most -= 1) {
    const names = `: ${nameSome(addresses, addresses.length, most)}`;
    if (displayWidth(count + names) <= room) return [strong(count), names];
  }
  return strong(count);
}
