// The coming runs of schedules for a terminal. Shows the minutes that are too full, the runs in order, and the
// schedules in words. Of many schedules it shows the first runs, and says how to see more.

import { countKinds, type Kind, kindAt, kindsInWords } from '../../model/values/address.ts';
import { groupBy, largest } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { type Block, type Doc, firstFew, indented, part } from '../../report/doc.ts';
import type { CronWords } from '../../report/plan/timed-plan.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { weekday } from '../../report/text/words.ts';
import { stillTimedWords } from '../base/still-timed.ts';
import { type BusyMinute, busyDoc } from './busy-minutes.ts';
import { firstLines } from './find-runs.ts';
import type { NextDocument, NextSchedule } from './next-document.ts';
import { type RunRow, runDoc, runRows } from './run-rows.ts';

export interface NextView {
  readonly zone: string;
  /** Undefined if a number of runs was requested instead. */
  readonly days: number | undefined;
  /** The requested local time in words: `Mon 09:00 in Europe/Berlin`. */
  readonly at: string | undefined;
  /** The days on which clocks show that time, `2026-11-23`; empty if the time names its day. */
  readonly lookedAt: readonly string[];
  readonly busy: readonly BusyMinute[];
  /** How many schedules are left out because they are paused, and how many of these are kept so. */
  readonly paused: number;
  readonly keptPaused: number;
  /** How many schedules the question is about; with `at`, not all of them run. */
  readonly askedCount: number;
  readonly askedKinds: ReadonlySet<Kind>;
  /** True if schedules were chosen by their dashboards or recipients. */
  readonly isFiltered: boolean;
  /** If the list of runs has more lines, only its beginning is shown. */
  readonly mostLines: number;
  readonly foldsDays: boolean;
  readonly clockWords: CronWords['clockWords'];
}

/** The most expressions to describe if there are many schedules: those that most of them share. */
const maxGroups = 10;
/** Up to this many schedules are described one by one. */
export const fewSchedules = 10;

/** Ends with a newline. */
export function renderNext(document: NextDocument, page: Page, view: NextView): string {
  const { schedules } = document;
  const { zone, at, busy, paused } = view;
  const stillPart = part(...stillDoc(document, page));
  if (view.askedCount === 0) return printText([part(`${noneWords(view)}.`), stillPart], page);
  const list = listOf(document, view);
  const busyShown = list.until === undefined ? busy : busy.filter(({ at }) => at <= (list.until ?? ''));
  const isFew = schedules.length <= fewSchedules || page.showsAll === true;
  return printText(
    [
      part(...busyDoc(busyShown, zone, page)),
      ...runDoc(list.rows, zone, page),
      part(list.more),
      part(...(isFew ? scheduleDoc : expressionDoc)(schedules, view)),
      at !== undefined && part(timeWords(view, schedules.length, at)),
      paused > 0 && part(pausedWords(view)),
      stillPart,
    ],
    page,
  );
}

function pausedWords({ paused, keptPaused }: NextView): string {
  const kept = keptPaused === 0 ? '' : `, of which ${keptPaused} as applied last (\`ignoreChanges\`)`;
  return `${countOf(paused, 'paused schedule')} ${paused === 1 ? 'is' : 'are'} left out${kept}.`;
}

/** The runs that Omni still makes, because the change is not applied. */
function stillDoc({ stillApplied = [] }: NextDocument, page: Page): Doc {
  return firstFew(
    stillApplied,
    ({ address, description, ...each }) => `${address} ${stillTimedWords({ address, ...each }, description)}`,
    page,
  );
}

interface RunList {
  readonly rows: readonly RunRow[];
  /** Words about the runs that are not listed. */
  readonly more: string | undefined;
  /** The last instant that is listed, if the runs after it are not all known. */
  readonly until: string | undefined;
}

function listOf({ schedules }: NextDocument, { zone, days, at, mostLines, foldsDays }: NextView): RunList {
  const isShort = schedules.reduce((sum, { runs }) => sum + runs.length, 0) <= mostLines;
  if (isShort || mostLines > 0) {
    const all = runRows(schedules, { zone, foldsDays, foldsTimes: false });
    if (isShort || all.length <= mostLines)
      return {
        rows: all,
        more: days === undefined && at === undefined && endsEarly(schedules) ? cutWords : undefined,
        until: undefined,
      };
  }
  const folded = runRows(schedules, { zone, foldsDays: true, foldsTimes: true });
  const rows = folded.slice(0, firstLines);
  if (days === undefined) return { rows, more: `These are the first runs. ${howToAsk}`, until: rows.at(-1)?.at };
  const rest = folded.slice(firstLines).reduce((sum, { runs }) => sum + runs, 0);
  const more = rest === 0 ? 'Runs at the same time share a line.' : `${countOf(rest, 'more run')} on these days.`;
  return { rows, more: `${more} ${howToAsk}`, until: undefined };
}

/** True if the list of a frequent schedule ends before another: the later days look as if it did not run. */
function endsEarly(schedules: readonly NextSchedule[]): boolean {
  const most = largest(schedules.map(({ runs }) => runs.length));
  const ends = schedules
    .filter(({ runs }) => runs.length > 0)
    .map(({ runs }) => ({ all: runs.length, at: runs.at(-1)?.at ?? '' }));
  return most > 1 && ends.some(({ all, at }) => all === most && ends.some((other) => other.at > at));
}

const cutWords = `Later runs of each schedule are not listed: \`${command('next', '--days', '7')}\` lists all of a week.`;

const howToAsk = `-v lists the runs of every schedule. To list those of some, select them: \`${command('next', 'to:*@partner.com')}\`. \`${command('next', '--at', 'MON 09:00')}\` lists what runs then.`;

function timeWords(view: NextView, running: number, at: string): string {
  const { askedCount, askedKinds } = view;
  const what = kindsInWords(askedKinds, 'and', askedCount === 1 ? '' : 's');
  if (running === 0)
    return `${askedCount === 1 ? `The ${what} does not run` : `None of ${askedCount} ${what} runs`} ${at}.${lookedAtWords(view)}`;
  return `${running} of ${askedCount} ${what} ${running === 1 ? 'runs' : 'run'} ${at}.`;
}

/** Somebody who means another day than the coming one would take the answer for all days. */
function lookedAtWords({ lookedAt, days }: NextView): string {
  const [first, last] = [lookedAt[0], lookedAt.at(-1)];
  if (first === undefined || last === undefined) return '';
  const nameOf = (day: string) => `${weekday(day)} ${day}`;
  const looked =
    first === last
      ? ` Only ${nameOf(first)} was looked at.`
      : ` Only ${nameOf(first)} to ${nameOf(last)} were looked at.`;
  return days === undefined ? `${looked} --days 31 looks at a month.` : looked;
}

function noneWords({ isFiltered, paused }: NextView): string {
  if (paused > 0) return `No schedules run: ${paused} ${paused === 1 ? 'is' : 'are'} paused`;
  return isFiltered ? 'No schedule matches all filters' : 'No schedules';
}

function scheduleDoc(schedules: readonly NextSchedule[], { days, clockWords }: NextView): Doc {
  return schedules.flatMap(({ address, description, timezone, schedule, kept = [], runs }) => [
    `${address}: ${description}, ${timezone} (${schedule})${keptWords(kept)}`,
    runs.length === 0 &&
      indented(2, { role: 'warning', of: days === undefined ? 'never runs again' : 'does not run on these days' }),
    clockLine(2, clockWords(schedule, timezone)),
  ]);
}

function clockLine(indent: number, words: string | undefined): Block {
  return words !== undefined && indented(indent, `${words}.`);
}

function keptWords(kept: readonly string[]): string {
  return kept.length === 0 ? '' : `, kept as applied last: ${kept.join(', ')}`;
}

/** The same for many schedules: a line for each of the most frequent expressions. */
function expressionDoc(schedules: readonly NextSchedule[], { days, clockWords }: NextView): Doc {
  const running = schedules.filter(({ runs }) => runs.length > 0);
  const idle = schedules.filter(({ runs }) => runs.length === 0).map(({ address }) => address);
  const byWords = groupBy(running, ({ description, timezone }) => `${description}, ${timezone}`);
  const groups = [...byWords].sort(([, a], [, b]) => b.length - a.length);
  const digits = String(groups[0]?.[1].length ?? 0).length;
  const rest = groups.slice(maxGroups);
  const restCount = rest.reduce((sum, [, { length }]) => sum + length, 0);
  const keptAddresses = schedules.filter((each) => each.kept !== undefined).map(({ address }) => address);
  const asApplied = `Kept as applied last, and not as declared (\`ignoreChanges\`): ${nameSome(keptAddresses)}.`;
  const idleWords = `${countKinds(idle.map(kindAt))} ${idle.length === 1 ? 'does' : 'do'} not run ${days === undefined ? 'again' : 'on these days'}: ${nameSome(idle)}.`;
  return [
    running.length > 0 && `${countKinds(running.map(({ address }) => kindAt(address)))}:`,
    ...groups.slice(0, maxGroups).flatMap(([of, same]): Doc => {
      const clocks = same[0] && clockWords(same[0].schedule, same[0].timezone);
      return [{ mark: `  ${String(same.length).padStart(digits)}  `, of }, clockLine(4 + digits, clocks)];
    }),
    rest.length > 0 && indented(2, `${restCount} more at ${countOf(rest.length, 'other time')}`),
    idle.length > 0 && idleWords,
    keptAddresses.length > 0 && asApplied,
  ];
}
