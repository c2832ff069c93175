// `almanac next [SELECTOR...]`: the coming runs of every schedule.

import { loadCronWords } from '../../cron/describe-cron.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { deliveryOf, type Idle, idleOf } from '../../model/fields/delivery.ts';
import { type Address, type Kind, kindAt, kindsInWords, recurringKinds } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { AppliedState } from '../../plan/applied.ts';
import { choiceAmong, resolveOrAll } from '../../plan/select.ts';
import { printText } from '../../report/print-text.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { clockWordsAfter } from '../base/cron-words.ts';
import { sayOldZones } from '../base/old-zones.ts';
import { readApplied } from '../base/read-applied.ts';
import type { Run } from '../base/run.ts';
import { stillTimed } from '../base/still-timed.ts';
import { busyDoc, busyMinutes } from './busy-minutes.ts';
import { daysLookedAt, documentsOf, firstRuns, questionOf } from './find-runs.ts';
import { type LocalTime, localTimeWords } from './local-time.ts';
import type { NextOptions } from './next-command.ts';
import type { NextDocument } from './next-document.ts';
import { fewSchedules, type NextView, renderNext } from './next-text.ts';

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
