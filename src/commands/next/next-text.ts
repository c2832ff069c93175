// The coming runs of schedules for a terminal: how full the hours are, which minutes are too full, the runs in order, and
// the schedules in words. Of many schedules it shows the first runs, and says how to see more.

import type { BusyMinute } from '../../cron/coming-runs.ts';
import type { NextDocument, NextSchedule } from '../../model/documents.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { safeText, wrap } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { renderBusyMinutes } from './busy-text.ts';
import { renderHeatMap } from './heat-map.ts';
import { type RunRow, renderRunList, runRows } from './run-list.ts';

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
/** The length of a list that shows only the first runs. */
export const firstLines = 20;

/** Ends with a newline. */
export function renderNext(document: NextDocument, page: Page, view: NextView): string {
  const { schedules } = document;
  const { zone, days, at, busy, paused } = view;
  if (view.asked === 0) return `${noneWords(view)}.\n`;
  const list = listOf(document, view);
  const busyShown = list.until === undefined ? busy : busy.filter(({ at }) => at <= (list.until ?? ''));
  const hasMap = days !== undefined && days <= longestHeatMap && at === undefined;
  const isFew = schedules.length <= fewSchedules || page.showsAll === true;
  const parts = [
    ...(hasMap ? [renderHeatMap(document, { ...view, days }, page)] : []),
    ...(busyShown.length === 0 ? [] : [renderBusyMinutes(busyShown, view, page)]),
    ...renderRunList(list.rows, zone, page),
    ...(list.more === undefined ? [] : [wrap(list.more, page.width).join('\n')]),
    (isFew ? scheduleLines : expressionLines)(schedules, days, page).join('\n'),
    ...(at === undefined ? [] : wrap(timeWords(view.asked, schedules.length, at), page.width)),
    ...(paused === 0 ? [] : [`${countOf(paused, 'paused schedule')} ${paused === 1 ? 'is' : 'are'} left out.`]),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

interface RunList {
  readonly rows: readonly RunRow[];
  /** What is said of the runs that are not listed. */
  readonly more: string | undefined;
  /** The last instant that is listed, if the runs after it are not all known. */
  readonly until: string | undefined;
}

function listOf({ schedules }: NextDocument, { zone, days, mostLines, foldsDays }: NextView): RunList {
  const isShort = countRuns(schedules) <= mostLines;
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
  "-v lists the runs of every schedule. For those of some, give an address, --recipient, --dashboard or --destination; `almanac next --at 'MON 09:00'` lists what runs then.";

function countRuns(schedules: NextDocument['schedules']): number {
  return schedules.reduce((sum, { runs }) => sum + runs.length, 0);
}

function timeWords(asked: number, running: number, at: string): string {
  if (running === 0)
    return `${asked === 1 ? 'The schedule does not run' : `None of ${asked} schedules runs`} at ${at}.`;
  return `${running} of ${countOf(asked, 'schedule')} ${running === 1 ? 'runs' : 'run'} at ${at}.`;
}

function noneWords({ isFiltered, paused }: NextView): string {
  if (paused > 0) return `No schedules run: ${paused} ${paused === 1 ? 'is' : 'are'} paused`;
  return isFiltered ? 'No schedule matches all filters' : 'No schedules';
}

function scheduleLines(
  schedules: readonly NextSchedule[],
  days: number | undefined,
  { theme, width }: Page,
): readonly string[] {
  return schedules.flatMap((schedule) => {
    const { address, description, timezone, schedule: expression } = schedule;
    const words = `${safeText(description)}, ${safeText(timezone)} (${safeText(expression)})`;
    const lines = wrap(`${safeText(address)}: ${words}`, width);
    if (schedule.runs.length > 0) return lines;
    return [...lines, theme.warning(days === undefined ? '  never runs again' : '  does not run on these days')];
  });
}

/** The same for many: a line for each of the most frequent expressions. */
function expressionLines(
  schedules: readonly NextSchedule[],
  days: number | undefined,
  { width }: Page,
): readonly string[] {
  const running = schedules.filter(({ runs }) => runs.length > 0);
  const idle = schedules.filter(({ runs }) => runs.length === 0).map(({ address }) => safeText(address));
  const counts = new Map<string, number>();
  for (const schedule of running) {
    const words = `${safeText(schedule.description)}, ${safeText(schedule.timezone)}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const groups = [...counts].sort(([, a], [, b]) => b - a);
  const digits = String(groups[0]?.[1] ?? 0).length;
  const lines = groups.slice(0, mostGroups).flatMap(([words, count]) => {
    const indent = ' '.repeat(digits + 4);
    const [first = '', ...others] = wrap(words, width - indent.length);
    return [`  ${String(count).padStart(digits)}  ${first}`, ...others.map((line) => indent + line)];
  });
  const rest = groups.slice(mostGroups);
  const restCount = rest.reduce((sum, [, count]) => sum + count, 0);
  const idleWords = `${countOf(idle.length, 'schedule')} ${idle.length === 1 ? 'does' : 'do'} not run ${days === undefined ? 'again' : 'on these days'}: ${nameSome(idle)}.`;
  return [
    ...(running.length === 0 ? [] : [`${countOf(running.length, 'schedule')}:`]),
    ...lines,
    ...(rest.length === 0 ? [] : [`  ${restCount} more at ${countOf(rest.length, 'other time')}`]),
    ...(idle.length === 0 ? [] : wrap(idleWords, width)),
  ];
}
