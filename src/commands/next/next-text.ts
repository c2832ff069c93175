// The coming runs of schedules for a terminal: how full the hours are, which minutes are too full, the runs in order, and
// the schedules in words. Of many schedules it shows the first runs, and says how to see more.

import type { BusyMinute } from '../../cron/coming-runs.ts';
import { dayMs, type LocalTimes, localTimesIn, zoneClock } from '../../cron/time-zone.ts';
import { dateOf, dayAt } from '../../cron/zone-days.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { largest } from '../../model/values/many.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { type Doc, indented, joined, part, type Words } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { shortCount, weekday } from '../../report/text/words.ts';
import type { NextDocument, NextSchedule } from './document.ts';
import { firstLines, type RunRow, runDoc, runRows } from './find-runs.ts';

export interface NextView {
  /** The time zone of days and hours. */
  readonly zone: string;
  /** Undefined if a number of runs was requested instead. */
  readonly days: number | undefined;
  /** The requested local time in words: `Mon 09:00 in Europe/Berlin`. */
  readonly at: string | undefined;
  readonly busy: readonly BusyMinute[];
  readonly maxPerMinute: number;
  /** How many schedules are left out because they are paused. */
  readonly paused: number;
  /** How many schedules the question is about; with `at`, not all of them run. */
  readonly asked: number;
  /** Whether schedules were chosen by what they deliver, and to whom. */
  readonly isFiltered: boolean;
  /** If the list of runs has more lines, only its beginning is shown. */
  readonly mostLines: number;
  /** A schedule that runs many times a day has one line a day. */
  readonly foldsDays: boolean;
}

const longestHeatMap = 31;
/** Of many schedules, this many expressions that most of them share are described. */
const mostGroups = 10;
/** Up to this many schedules are described one by one. */
export const fewSchedules = 10;

/** Ends with a newline. */
export function renderNext(document: NextDocument, page: Page, view: NextView): string {
  const { schedules } = document;
  const { zone, days, at, busy, paused } = view;
  if (view.asked === 0) return `${noneWords(view)}.\n`;
  const list = listOf(document, view);
  const busyShown = list.until === undefined ? busy : busy.filter(({ at }) => at <= (list.until ?? ''));
  const hasMap = days !== undefined && days <= longestHeatMap && at === undefined;
  const isFew = schedules.length <= fewSchedules || page.showsAll === true;
  return printText(
    [
      hasMap && part(...heatMapDoc(document, { ...view, days }, page)),
      part(...busyDoc(busyShown, view, page)),
      ...runDoc(list.rows, zone, page),
      part(list.more),
      part(...(isFew ? scheduleDoc : expressionDoc)(schedules, days)),
      at !== undefined && part(timeWords(view.asked, schedules.length, at)),
      paused > 0 && part(`${countOf(paused, 'paused schedule')} ${paused === 1 ? 'is' : 'are'} left out.`),
    ],
    page,
  );
}

interface RunList {
  readonly rows: readonly RunRow[];
  /** What is said of the runs that are not listed. */
  readonly more: string | undefined;
  /** The last instant that is listed, if the runs after it are not all known. */
  readonly until: string | undefined;
}

function listOf({ schedules }: NextDocument, { zone, days, mostLines, foldsDays }: NextView): RunList {
  const isShort = schedules.reduce((sum, { runs }) => sum + runs.length, 0) <= mostLines;
  if (isShort || mostLines > 0) {
    const all = runRows(schedules, { zone, foldsDays, foldsTimes: false });
    if (isShort || all.length <= mostLines) return { rows: all, more: undefined, until: undefined };
  }
  const folded = runRows(schedules, { zone, foldsDays: true, foldsTimes: true });
  const rows = folded.slice(0, firstLines);
  if (days === undefined) return { rows, more: `These are the first runs. ${howToAsk}`, until: rows.at(-1)?.at };
  const rest = folded.slice(firstLines).reduce((sum, { runs }) => sum + runs, 0);
  const more = rest === 0 ? 'Runs at the same time share a line.' : `${countOf(rest, 'more run')} on these days.`;
  return { rows, more: `${more} ${howToAsk}`, until: undefined };
}

const howToAsk =
  "-v lists the runs of every schedule. To list those of some, select them: `almanac next 'to:*@partner.com'`. `almanac next --at 'MON 09:00'` lists what runs then.";

function timeWords(asked: number, running: number, at: string): string {
  if (running === 0)
    return `${asked === 1 ? 'The schedule does not run' : `None of ${asked} schedules runs`} at ${at}.`;
  return `${running} of ${countOf(asked, 'schedule')} ${running === 1 ? 'runs' : 'run'} at ${at}.`;
}

function noneWords({ isFiltered, paused }: NextView): string {
  if (paused > 0) return `No schedules run: ${paused} ${paused === 1 ? 'is' : 'are'} paused`;
  return isFiltered ? 'No schedule matches all filters' : 'No schedules';
}

function scheduleDoc(schedules: readonly NextSchedule[], days: number | undefined): Doc {
  return schedules.flatMap(({ address, description, timezone, schedule, runs }) => [
    `${address}: ${description}, ${timezone} (${schedule})`,
    runs.length === 0 &&
      indented(2, { role: 'warning', of: days === undefined ? 'never runs again' : 'does not run on these days' }),
  ]);
}

/** The same for many: a line for each of the most frequent expressions. */
function expressionDoc(schedules: readonly NextSchedule[], days: number | undefined): Doc {
  const running = schedules.filter(({ runs }) => runs.length > 0);
  const idle = schedules.filter(({ runs }) => runs.length === 0).map(({ address }) => address);
  const byWords = groupBy(running, ({ description, timezone }) => `${description}, ${timezone}`);
  const groups = [...byWords].sort(([, a], [, b]) => b.length - a.length);
  const digits = String(groups[0]?.[1].length ?? 0).length;
  const rest = groups.slice(mostGroups);
  const restCount = rest.reduce((sum, [, { length }]) => sum + length, 0);
  const idleWords = `${countOf(idle.length, 'schedule')} ${idle.length === 1 ? 'does' : 'do'} not run ${days === undefined ? 'again' : 'on these days'}: ${nameSome(idle)}.`;
  return [
    running.length > 0 && `${countOf(running.length, 'schedule')}:`,
    ...groups.slice(0, mostGroups).map(([of, { length }]) => ({ mark: `  ${String(length).padStart(digits)}  `, of })),
    rest.length > 0 && indented(2, `${restCount} more at ${countOf(rest.length, 'other time')}`),
    idle.length > 0 && idleWords,
  ];
}

// What is said of minutes with many deliveries.

const mostSentences = 3;
const mostListed = 5;

/** Up to three minutes with examples, of more the busiest. */
export function busyDoc(
  busy: readonly BusyMinute[],
  { zone, maxPerMinute }: { readonly zone: string; readonly maxPerMinute: number },
  { showsAll }: Page,
): Doc {
  const local = localTimesIn(zone);
  const time = (at: string) => `${weekday(local(at).slice(0, 10))} ${local(at).replace('T', ' ')} ${zone}`;
  if (busy.length <= mostSentences)
    return busy.map(({ at, count, examples }) => {
      const what = `${countOf(count, 'delivery', 'deliveries')} in one minute`;
      return { role: 'warning', of: `${what}, ${time(at)}: ${nameSome(examples, count)}.` };
    });
  const weekly = weeklyOf(busy, local);
  const byCount = weekly.toSorted((a, b) => b.count - a.count);
  const listsAll = showsAll || weekly.length <= mostListed;
  const listed = listsAll ? weekly : byCount.slice(0, mostListed);
  const [most] = byCount;
  const digits = String(most?.count).length;
  const limit = `${countOf(maxPerMinute, 'delivery', 'deliveries')} (--max-per-minute)`;
  const heading = `${busy.length} minutes have more than ${limit}${listsAll ? '' : ', the busiest'}:`;
  return [
    { role: 'warning', of: heading },
    ...listed.map(({ at, count, weeks }) => {
      const more = weeks === 1 ? '' : `, the same in ${weeks} weeks`;
      return indented(2, `${String(count).padStart(digits)}  ${time(at)}${more}`);
    }),
    `\`almanac next --timezone ${zone} --at '${local(most?.at ?? '').replace('T', ' ')}'\` lists those of one minute.`,
  ];
}

interface WeeklyMinute extends BusyMinute {
  readonly weeks: number;
}

/** The busiest of those at the same time of the same day of the week, in the order of the first ones. */
function weeklyOf(busy: readonly BusyMinute[], local: LocalTimes): readonly WeeklyMinute[] {
  const byTime = new Map<string, WeeklyMinute>();
  for (const minute of busy) {
    const wall = local(minute.at);
    const key = weekday(wall.slice(0, 10)) + wall.slice(11);
    const known = byTime.get(key);
    const busiest = known === undefined || minute.count > known.count ? minute : known;
    byTime.set(key, { ...busiest, weeks: (known?.weeks ?? 0) + 1 });
  }
  return [...byTime.values()];
}

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
