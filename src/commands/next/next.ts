// `almanac next [SELECTOR...]`: the coming runs of every schedule.

import { loadCronWords } from '../../cron/describe-cron.ts';
import { localTimesIn } from '../../cron/time-zone.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { deliveryOf, type Idle, idleOf } from '../../model/fields/delivery.ts';
import {
  type Address,
  countKinds,
  type Kind,
  kindAt,
  kindsInWords,
  recurringKinds,
} from '../../model/values/address.ts';
import { groupBy, largest, memoize } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { AppliedState } from '../../plan/applied.ts';
import { choiceAmong, resolveOrAll } from '../../plan/select.ts';
import { type Block, type Doc, firstFew, indented, part } from '../../report/doc.ts';
import type { CronWords } from '../../report/plan/timed-plan.ts';
import { printText } from '../../report/print-text.ts';
import { renderJson } from '../../report/text/render-json.ts';
import type { Page } from '../../report/text/theme.ts';
import { weekday } from '../../report/text/words.ts';
import { clockWordsAfter, sayOldZones } from '../base/cron-words.ts';
import { readApplied, stillTimed, stillTimedWords } from '../base/read-applied.ts';
import type { Run } from '../base/run.ts';
import { daysLookedAt, documentsOf, firstLines, firstRuns, questionOf } from './find-runs.ts';
import { type LocalTime, localTimeWords } from './local-time.ts';
import type { NextOptions } from './next-command.ts';
import type { NextDocument, NextSchedule } from './next-document.ts';
import { type RunRow, runDoc, runRows } from './run-rows.ts';

const defaultCount = 5;
/** The number of runs that are listed one by one if a filter narrows them. */
const maxFiltered = 100;

export async function next(run: Run, options: NextOptions, selectors: readonly string[]): Promise<number> {
  const session = await run.declared('nothing was listed', 'anywhere');
  const { loaded } = session;
  const { days, format, at, timezone } = options;
  const applied = await readApplied(run, session);
  const { chosen, selected, isNamed: isNamedBy } = chosenSchedules(loaded, applied, selectors);
  const isNamed = [...selected].some(isNamedBy);
  const filtered = { isNamed, isFiltered: selectors.length > 0 && !isNamed };
  const schedules = chosen.filter((resource) => whyWithoutRuns(resource) === undefined);
  const zones = schedules.map(({ kind, attributes }) => deliveryOf(kind, attributes).when?.timezone);
  sayOldZones(run, zones);
  const mostLines = format === 'text' ? maxLinesOf(options, filtered, schedules.length) : Number.POSITIVE_INFINITY;
  const question = questionOf(options, run.clock.now(), defaultCount);
  const isShortened = days === undefined && schedules.length * defaultCount > mostLines;
  const words = memoize(await loadCronWords(run.clock.now()));
  const makeDocument = documentsOf(schedules, words, applied.keptIn);
  const runs = isShortened ? firstRuns(question, makeDocument) : makeDocument(question);
  const stillTimedRows = stillTimed(applied)
    .filter(({ address }) => selected.has(address))
    .map((each) => ({ ...each, description: words(each.schedule) }));
  const document: NextDocument = stillTimedRows.length === 0 ? runs : { ...runs, stillApplied: stillTimedRows };
  const busy = busyMinutes(document.schedules);
  const zone = timezone ?? 'UTC';
  const paused = isNamed ? [] : chosen.filter(({ kind, attributes }) => deliveryOf(kind, attributes).paused);
  if (format === 'text') {
    const view: NextView = {
      zone,
      days,
      busy,
      paused: paused.length,
      keptPaused: paused.filter(({ address }) => applied.keptIn(address).includes('paused')).length,
      mostLines,
      askedCount: schedules.length,
      askedKinds: kindsOf(schedules),
      isFiltered: filtered.isFiltered,
      at: at === undefined ? undefined : timeWords(at, timezone),
      lookedAt: at?.date === undefined ? daysLookedAt(schedules, question) : [],
      clockWords: clockWordsAfter(question.from),
      foldsDays: days !== undefined && options.count === undefined && options.verbose !== true,
    };
    run.stdout.write(renderNext(document, run.page(), view));
  } else {
    run.stdout.data(renderJson(document));
    const page = run.page(run.stderr);
    run.stderr.write(printText(busyDoc(busy, zone, page), page));
  }
  return 0;
}

interface ChoiceOfRuns {
  /** True if a schedule is chosen by its address. */
  readonly isNamed: boolean;
  readonly isFiltered: boolean;
}

/** Everything that is requested by name or number is listed, and so are few schedules. */
function maxLinesOf(options: NextOptions, { isNamed, isFiltered }: ChoiceOfRuns, schedules: number): number {
  const { count, at, verbose } = options;
  const isAsked = isNamed || count !== undefined || at !== undefined || verbose === true;
  if (isAsked || schedules <= fewSchedules) return Number.POSITIVE_INFINITY;
  return isFiltered ? maxFiltered : 0;
}

function timeWords(at: LocalTime, timezone: string | undefined): string {
  return `${localTimeWords(at)}${timezone === undefined ? ' local time' : ` in ${timezone}`}`;
}

/** Keyed by address, with undeclared schedules that still run. Throws Failure usage for an address without runs. */
function chosenSchedules(loaded: Loaded, applied: AppliedState, selectors: readonly string[]) {
  const schedules = applied.resources.filter(({ kind }) => recurringKinds.includes(kind));
  const addresses = new Set([...schedules, ...applied.running].map(({ address }) => address));
  const runs = kindsInWords(kindsOf(schedules), 'or');
  const whyNot = (address: Address) =>
    recurringKinds.includes(kindAt(address)) ? undefined : { why: `is not a ${runs}` };
  const choice = choiceAmong(addresses, { loaded, state: applied.state, whyNot });
  const { addresses: selected, isNamed } = resolveOrAll(selectors, choice);
  const chosen = schedules.filter(({ address }) => selected.has(address));
  for (const resource of chosen) {
    const why = isNamed(resource.address) ? whyWithoutRuns(resource, applied.keptIn(resource.address)) : undefined;
    if (why !== undefined)
      throw new Failure('usage', `${resource.address} ${why}.`, {
        hint: `Without an address, ${command('next')} shows the runs of every schedule.`,
      });
  }
  return { chosen: chosen.toSorted((a, b) => byCodeUnit(a.address, b.address)), selected, isNamed };
}

function kindsOf(resources: readonly Resource[]): ReadonlySet<Kind> {
  return new Set(resources.map(({ kind }) => kind));
}

const idleWords: Readonly<Record<Idle, string>> = {
  paused: 'is paused',
  once: 'runs once, as testNow says',
};

function whyWithoutRuns({ kind, attributes }: Resource, keptFields: readonly string[] = []): string | undefined {
  const idle = idleOf(deliveryOf(kind, attributes));
  const how = keptFields.includes('paused') ? ', kept as applied last' : '';
  return idle && `${idleWords[idle]}${how}, so it has no coming runs`;
}

// Finds minutes in which many deliveries are due, and lists them. Each delivery renders a dashboard, and all of them
// wait for the same warehouse.

export interface BusyMinute {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly count: number;
  readonly examples: readonly string[];
}

interface ComingDeliveries {
  readonly address: string;
  /** ISO 8601, UTC. */
  readonly runs: readonly { readonly at: string }[];
}

const maxExamples = 3;

/** Minutes with more deliveries are reported. */
const most = 10;

/** The minutes with more than ten deliveries, in order. */
function busyMinutes(schedules: readonly ComingDeliveries[]): readonly BusyMinute[] {
  const due = schedules.flatMap(({ address, runs }) => runs.map(({ at }) => ({ at, address })));
  return [...groupBy(due, ({ at }) => at)]
    .filter(([, { length }]) => length > most)
    .map(([at, group]) => {
      const examples = group.slice(0, maxExamples).map(({ address }) => address);
      return { at, count: group.length, examples };
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

const maxSentences = 3;
const maxListed = 5;

/** Up to three minutes with examples, the busiest if there are more. */
export function busyDoc(busy: readonly BusyMinute[], zone: string, { showsAll }: Page): Doc {
  const local = localTimesIn(zone);
  const time = (at: string) => `${weekday(local(at).slice(0, 10))} ${local(at).replace('T', ' ')} ${zone}`;
  if (busy.length <= maxSentences)
    return busy.map(({ at, count, examples }) => {
      const what = `${countOf(count, 'delivery', 'deliveries')} in one minute`;
      return { role: 'warning', of: `${what}, ${time(at)}: ${nameSome(examples, count)}.` };
    });
  const byCount = busy.toSorted((a, b) => b.count - a.count);
  const listsAll = showsAll || busy.length <= maxListed;
  const [busiest] = byCount;
  const digits = String(busiest?.count).length;
  return [
    {
      role: 'warning',
      of: `${busy.length} minutes have more than ${most} deliveries${listsAll ? '' : ', the busiest'}:`,
    },
    ...(listsAll ? busy : byCount.slice(0, maxListed)).map(({ at, count }) =>
      indented(2, `${String(count).padStart(digits)}  ${time(at)}`),
    ),
    `\`${command('next', '--timezone', zone, '--at', local(busiest?.at ?? '').replace('T', ' '))}\` lists those of one minute.`,
  ];
}

// The coming runs of schedules for a terminal. Shows the minutes that are too full, the runs in order, and the
// schedules in words. Of many schedules it shows the first runs, and says how to see more.

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
const fewSchedules = 10;

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
      at !== undefined && part(runTimeWords(view, schedules.length, at)),
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

function runTimeWords(view: NextView, running: number, at: string): string {
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
      const clocks = clockWords(same[0].schedule, same[0].timezone);
      return [{ mark: `  ${String(same.length).padStart(digits)}  `, of }, clockLine(4 + digits, clocks)];
    }),
    rest.length > 0 && indented(2, `${restCount} more at ${countOf(rest.length, 'other time')}`),
    idle.length > 0 && idleWords,
    keptAddresses.length > 0 && asApplied,
  ];
}
