// How full the hours of each day are.

import { dayMs, localTimesIn, zoneClock } from '../../cron/time-zone.ts';
import { dateOf, dayAt } from '../../cron/zone-days.ts';
import { largest } from '../../model/values/collections.ts';
import { type Doc, joined, type Words } from '../../report/doc.ts';
import type { Page } from '../../report/text/theme.ts';
import { shortCount, weekday } from '../../report/text/words.ts';
import type { BusyMinute } from './busy-minutes.ts';
import type { NextDocument } from './next-document.ts';

/**
 * How many deliveries there are in each hour of each day, as a table of numbers. One hue in five steps says how full an
 * hour is; red, or without colours an exclamation mark, says that one of its minutes is too full.
 */
interface HeatMapOptions {
  /** The time zone of the days and hours. */
  readonly zone: string;
  readonly days: number;
  readonly busy: readonly BusyMinute[];
  readonly maxPerMinute: number;
}

const hourMs = 3_600_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const steps = ['heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const;

/**
 * One row per day, in two halves where the cells of 24 hours do not fit. Hours before the start, and those that clocks skip,
 * are empty.
 */
export function heatMapDoc({ schedules, from }: NextDocument, options: HeatMapOptions, { theme, width }: Page): Doc {
  const { zone, maxPerMinute } = options;
  const local = localTimesIn(zone);
  const counts = new Map<string, number>();
  for (const { runs } of schedules) {
    for (const { at } of runs) {
      const hour = local(at).slice(0, 13);
      counts.set(hour, (counts.get(hour) ?? 0) + 1);
    }
  }
  const busiest = largest(0, counts.values());
  const busy = new Set(options.busy.map(({ at }) => local(at).slice(0, 13)));
  const isColoured = theme.heat1('·') !== '·';
  const digits = largest(
    1,
    [...counts.values()].map((count) => shortCount(count).length),
  );
  const cell = (day: number, hour: number): Words => {
    const key = hourKey(day, hour);
    const count = counts.get(key) ?? 0;
    const dot = '·'.padStart(digits + 1);
    if (count === 0) return isInside(zone, day, hour, from) ? { role: 'dim', of: dot } : ' '.repeat(digits + 1);
    const role = busy.has(key) ? 'error' : (steps[stepOf(count, busiest)] ?? 'heat5');
    return [' ', { role, of: shortCount(count).padStart(digits) }];
  };
  // Where most cells would have a mark, it distinguishes nothing.
  const isMarked = !isColoured && busy.size > 0 && busy.size * 2 <= counts.size;
  const mark = (day: number, hour: number) => (isMarked && busy.has(hourKey(day, hour)) ? '!' : '');
  const cellWidth = digits + (isMarked ? 2 : 1);
  const { label, shown } = layoutOf(cellWidth, width);
  const days = daysOf(zone, from, options.days);
  const tables = shown.flatMap(
    (columns): Doc => [
      { role: 'dim', of: hourLine(columns, label.width, digits, cellWidth) },
      ...days.map((day) => {
        const cells = columns.flatMap((hour) => [cell(day, hour), mark(day, hour).padEnd(cellWidth - digits - 1)]);
        const end = cells.findLastIndex((each) => typeof each !== 'string' || each.trim() !== '');
        return [label.of(day), cells.slice(0, end + 1)];
      }),
    ],
  );
  const range = label.isShort ? `, ${dateOf(days[0] ?? 0)} to ${dateOf(days.at(-1) ?? 0)}` : '';
  const legend = legendOf({ busiest, maxPerMinute, isColoured, isMarked, isBusy: busy.size > 0 });
  return [`Deliveries an hour, ${zone}${range}`, ...tables, legend];
}

interface Label {
  readonly width: number;
  readonly isShort: boolean;
  readonly of: (day: number) => string;
}

/** The widest layout that fits: whole dates, days of the month, or two halves of the day. */
function layoutOf(cellWidth: number, width: number): { label: Label; shown: readonly (readonly number[])[] } {
  const long: Label = { width: 15, isShort: false, of: (day) => `${weekday(dateOf(day))} ${dateOf(day)} ` };
  const short: Label = { width: 7, isShort: true, of: (day) => `${weekday(dateOf(day))} ${dateOf(day).slice(8)} ` };
  const fits = ({ width: labelWidth }: Label) => labelWidth + hours.length * cellWidth <= width;
  const label = [long, short].find(fits);
  return label === undefined
    ? { label: long, shown: [hours.slice(0, 12), hours.slice(12)] }
    : { label, shown: [hours] };
}

/** Every third hour has its number above its column. */
function hourLine(columns: readonly number[], labelWidth: number, digits: number, cellWidth: number): string {
  const names = columns.map((hour) => (hour % 3 === 0 ? String(hour) : '').padStart(digits + 1).padEnd(cellWidth));
  return (' '.repeat(labelWidth) + names.join('')).trimEnd();
}

/** From 0: hours with few deliveries stay in the first steps where the busiest has few as well. */
function stepOf(count: number, busiest: number): number {
  return Math.ceil((steps.length * count) / Math.max(busiest, steps.length)) - 1;
}

interface Fullness {
  readonly busiest: number;
  readonly maxPerMinute: number;
  readonly isColoured: boolean;
  readonly isMarked: boolean;
  readonly isBusy: boolean;
}

function legendOf({ busiest, maxPerMinute, isColoured, isMarked, isBusy }: Fullness): Words {
  const tooFull = `more than ${maxPerMinute} in one minute`;
  if (!isColoured) return isMarked && `! ${tooFull}`;
  const counts = Array.from({ length: busiest }, (_, index) => index + 1);
  const ranges = steps.flatMap((role, step): readonly Words[] => {
    const of = counts.filter((count) => stepOf(count, busiest) === step);
    return of.length === 0 ? [] : [{ role, of: of.length === 1 ? of : `${of[0]}-${of.at(-1)}` }];
  });
  return joined([...(ranges.length > 1 ? ranges : []), isBusy && { role: 'error', of: tooFull }], '  ');
}

function hourKey(day: number, hour: number): string {
  return `${dateOf(day)}T${String(hour).padStart(2, '0')}`;
}

/** Whether clocks show any time of the hour at or after the start. */
function isInside(zone: string, day: number, hour: number, from: string): boolean {
  const clock = zoneClock(zone);
  const start = day + hour * hourMs;
  const isShown = [0, 15, 30, 45].some((minute) => clock.instantOf(start + minute * 60_000) !== undefined);
  return isShown && start + hourMs > clock.wallAt(Date.parse(from));
}

/** The midnights (wall time) of the days from `from` on. */
function daysOf(zone: string, from: string, days: number): readonly number[] {
  const first = dayAt(zone, Date.parse(from));
  return Array.from({ length: days }, (_, index) => first + index * dayMs);
}
