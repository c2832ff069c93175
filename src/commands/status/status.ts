// `almanac status`: failed, missed or stopped deliveries, for a person or a job.

import { isDelivered, type TriggeredSchedule } from '../../apply/trigger-document.ts';
import { isZoneKnown, wallText, zoneClock } from '../../cron/time-zone.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { defaultTolerance, readStatus } from '../../deliveries/read-status.ts';
import type { Doubt, ScheduleStatus, StatusDocument } from '../../deliveries/status-document.ts';
import { identities } from '../../model/fields/identity.ts';
import { noNeighbours } from '../../model/plan/neighbours.ts';
import { foundNoneWords } from '../../model/plan/observation.ts';
import { type Health, needsAttention } from '../../model/service/health.ts';
import { type Address, countKinds, type Kind, kindAt, kinds, kindsInOrder } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countList, countOf, maxListed, nameSome } from '../../model/values/words.ts';
import { severityOf } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { stillGoing } from '../../plan/ended-lines.ts';
import type { PlanInputs } from '../../plan/inputs.ts';
import { lostRows, readBackRows } from '../../plan/not-read-back.ts';
import { selectApplied } from '../../plan/select.ts';
import { lacksState, withoutState } from '../../plan/untracked.ts';
import { code, type Doc, joined, part, type ReportEntry, strong, type Words } from '../../report/doc.ts';
import { noStateWords, unappliedDoc } from '../../report/plan/drift-report.ts';
import { notReadBackDoc } from '../../report/plan/open-report.ts';
import { printCut } from '../../report/print-markdown.ts';
import { printText } from '../../report/print-text.ts';
import type { Page, Role } from '../../report/text/theme.ts';
import type { Wording } from '../../report/wording.ts';
import { unappliedTo } from '../base/checkout-position.ts';
import { sayOldZones } from '../base/cron-words.ts';
import { checkCanAsk, deliverNow, renderTriggered } from '../base/deliver-now.ts';
import { readNeighbours } from '../base/neighbours.ts';
import { progressReporter } from '../base/progress.ts';
import { exitCodeOf } from '../base/publishing.ts';
import type { Run } from '../base/run.ts';
import { isCi } from '../base/world.ts';
import type { StatusOptions } from './status-command.ts';

const defaultMax = 20;

export async function status(run: Run, options: StatusOptions, selectors: readonly string[]): Promise<number> {
  const { report = [], retry = [], format, max } = options;
  if (max !== undefined && retry.length === 0)
    throw new Failure('usage', '--max belongs to --retry.', { hint: 'Add --retry.' });
  if (options.all && selectors.length > 0)
    throw new Failure('usage', '--all lists what Almanac does not track, and a selector cannot choose from that.', {
      hint: `Leave out --all, or ${selectors[0]}.`,
    });
  await run.checkFiles(report.map(({ file }) => file));
  // The declarations may have errors: the deliveries go on all the same.
  const session = await run.configured();
  const { config } = session;
  if (retry.length > 0) {
    if (format !== 'text' && format !== 'json')
      throw new Failure('usage', `--retry says what it sends as text or JSON, so it takes no --format ${format}.`, {
        hint: `Write the report to a file: --report ${format}=FILE.`,
      });
    checkCanAsk(run, options);
  }
  const store = await run.store(session, retry.length > 0 ? 'changes' : 'reads');
  const state = await run.readState(store, config);
  // Retried schedules are named as for `trigger`.
  const onlyWhole = retry.length > 0 && isCi(run.environment);
  const only =
    selectors.length > 0 ? selectApplied(selectors, { loaded: session.loaded, state, onlyWhole }).addresses : undefined;
  const { all = false, tolerance = defaultTolerance } = options;
  const neighbours = only === undefined ? await readNeighbours(run, session) : noNeighbours;
  const reporter = progressReporter(run, session.shown);
  const nothing = retry.length > 0 ? 'delivered' : 'changed';
  const { document: found, listed } = await run.asking({ loaded: session.loaded, reporter, nothing }, (service) =>
    readStatus({ config, state, neighbours, only, all, tolerance, zoneRelease: run.zoneRelease }, service, {
      clock: run.clock,
      reporter,
    }),
  );
  const seesAll = found.seesLess !== true;
  const unapplied = await unappliedTo(run, session, state);
  const notReadBack = [...readBackRows({ loaded: session.loaded, state }), ...lostRows(state)].filter(
    ({ address }) => only?.has(address) ?? true,
  );
  const document: StatusDocument = {
    ...found,
    ...(state === undefined ? { noState: withoutState(session.loaded, { listed, seesAll, neighbours }) } : {}),
    ...(unapplied === undefined ? {} : { unapplied }),
    ...(notReadBack.length === 0 ? {} : { notReadBack }),
    ...endsOfPermissions({ loaded: session.loaded, state }, only),
  };
  sayEnded(run, session.loaded);
  const zones = document.schedules.map(({ timezone }) => timezone);
  sayOldZones(run, zones);
  // Programs read one document, so it waits for the deliveries.
  const isWhole = format === 'text' || retry.length === 0;
  await (isWhole ? run.publish : run.writeReports)(options, printersOf(session.shown(document)));
  const attention = document.schedules.filter(({ health }) => needsAttention(health));
  const isRetried = ({ health }: ScheduleStatus) => retry.includes(health);
  const addresses = attention.filter(isRetried).flatMap(({ address }) => address ?? []);
  let retried: readonly TriggeredSchedule[] = [];
  if (addresses.length > 0) {
    if (format === 'text') run.stdout.write('\n');
    retried = await deliverNow(
      run,
      { ...options, max: max ?? defaultMax },
      { session, store, selectors: addresses, listed },
    );
    if (format === 'text') run.stdout.write(renderTriggered(run.page(), retried));
  }
  if (retry.length > 0) {
    const told = printersOf(session.shown({ ...document, retried }));
    await (isWhole ? run.writeReports : run.publish)(options, told);
  }
  const isGone = !document.seesLess && document.gone.length > 0;
  // Unmanaged schedules are judged without a state.
  const isJudged = document.foundNone !== true && (all || !lacksState(document, session.loaded));
  return exitCodeOf({
    isWrong: isGone || attention.length > addresses.length || document.ended !== undefined || notReadBack.length > 0,
    isOpen: !isJudged || !retried.every(isDelivered),
  });
}

/** Ended lines of the table of permissions by which deliveries go on, and lines that end soon. */
function endsOfPermissions(
  inputs: Pick<PlanInputs, 'loaded' | 'state'>,
  only: ReadonlySet<Address> | undefined,
): Pick<StatusDocument, 'ended' | 'ending'> {
  const going = stillGoing([], inputs).filter(({ address }) => only?.has(address) ?? true);
  const byLine = groupBy(going, ({ receiver, line }) => JSON.stringify([receiver.shown, line.at]));
  const ended = [...byLine.values()].flatMap((same) => {
    const [{ line, receiver, finding } = {}] = same;
    if (line === undefined || receiver === undefined) return [];
    const addresses = same.map(({ address }) => address);
    return [
      {
        line: line.text,
        at: line.at,
        until: line.until,
        receiver: receiver.shown,
        addresses,
        hint: finding?.hint ?? '',
      },
    ];
  });
  const ending = inputs.loaded.findings.flatMap(({ code, message, hint = '' }) =>
    code === 'permission-ends' ? [{ message, hint }] : [],
  );
  return { ...(ended.length === 0 ? {} : { ended }), ...(ending.length === 0 ? {} : { ending }) };
}

function printersOf(document: StatusDocument) {
  return {
    text: (page: Page) => renderStatusText(document, page),
    json: document,
    markdown: ({ wording }: Page) => renderStatusMarkdown(document, wording),
  };
}

/**
 * Reports on stderr, unless --quiet, that warnings are back because the last day of their acceptance is over. It
 * changes nothing else: `validate` and `plan` report them.
 */
function sayEnded(run: Run, { findings }: Loaded): void {
  const back = findings.filter((finding) => finding.ended !== undefined && severityOf(finding) !== 'off');
  if (back.length === 0 || run.options.quiet) return;
  const places = back.flatMap(({ code, address = '', concerns = [address] }) =>
    concerns.map((at) => `${code} of \`${at}\``),
  );
  const distinct = [...new Set(places)];
  const are = distinct.length === 1 ? 'is' : 'are';
  run.say(
    `warning: ${countOf(distinct.length, 'acceptance')} ${are} over: ${nameSome(distinct)}. ${command('validate')} shows what was accepted.`,
    run.stderr,
  );
}

// The status of the schedules: problems one by one, and a count of the others. All times of a report are in one zone,
// which it names.

/** In this order. Those with words are only listed with -v, and counted in these words. */
const labels: Readonly<Record<Health, readonly [label: string, role: Role, words?: string]>> = {
  failed: ['failed', 'error'],
  missed: ['missed', 'warning'],
  stopped: ['stopped', 'error'],
  unknown: ['unknown', 'warning'],
  'never-ran': ['new', 'dim', 'not run yet'],
  'condition-unmet': ['unmet', 'dim', 'condition not met'],
  paused: ['paused', 'dim', 'paused'],
  fine: ['fine', 'dim', 'fine'],
};

/** Ends with a newline. With -v every schedule has a line. */
export function renderStatusText(document: StatusDocument, page: Page): string {
  return printText(statusDoc(document, { at: document.at, showsAll: page.showsAll }), page);
}

/** For a job summary, an issue or a chat, which is read later. Ends with a newline. */
export function renderStatusMarkdown(document: StatusDocument, wording?: Wording): string {
  const found = document.schedules.filter(({ health }) => needsAttention(health));
  const nothing = document.noState === undefined ? 'nothing is failing' : 'nothing is tracked';
  const failing = found.length === 0 ? nothing : `${countKinds(found.map(kindOf))} to look at`;
  const unknown = document.schedules.filter(({ health }) => health === 'unknown').map(kindOf);
  const known = unknown.length === 0 ? failing : `${failing}, ${countKinds(unknown)} unknown`;
  const gone = document.gone.map(({ address }) => kindAt(address));
  const { ended = [] } = document;
  const { length: notReadBack } = document.notReadBack ?? [];
  const title = [
    ...(notReadBack === 0 ? [] : [`${countOf(notReadBack, 'report')} not read back as sent`]),
    known,
    ...(gone.length === 0 ? [] : [`${countKinds(gone)} not listed`]),
    ...(ended.length === 0 ? [] : [countOf(ended.length, 'permission that has ended', 'permissions that have ended')]),
  ].join(', ');
  const doc = [{ heading: `Almanac status: ${title}` }, ...statusDoc(document, {})];
  return printCut(doc, { wording, all: `\`${command('status', '-v')}\`` });
}

/** The listed kinds give the column its name. */
function headOf(shown: readonly ScheduleStatus[]) {
  const words = kindsInOrder.flatMap((kind) => (shown.some((each) => kindOf(each) === kind) ? kinds[kind].words : []));
  return ['health', words.join(' or ') || kinds.schedule.words, 'last run', 'owner'].map((title) => ({ title }));
}

function kindOf({ kind = 'schedule' }: ScheduleStatus): Kind {
  return kind;
}

/** True if only its owner sees it, and pauses it. */
function isOwners(status: ScheduleStatus): boolean {
  return identities[kindOf(status)].isOwners === true;
}

/** `at` is the time of reading; a report that is read later names every day. */
function statusDoc(document: StatusDocument, { at, showsAll }: Pick<StatusTimes, 'at'> & Pick<Page, 'showsAll'>): Doc {
  const shown = document.schedules.filter(({ health }) => showsAll || labels[health].length === 2);
  const times = { at, zone: zoneOf(document) };
  const entries = inOrder(shown).map((status): ReportEntry => {
    const { health, owner, metaOwner, url } = status;
    const title = code(titleOf(status));
    const [badge, role] = labels[health];
    const words = statusWords(status, times);
    // The owner's name is code, so that nobody is mentioned.
    const ask = metaOwner !== undefined && ['ask ', code(metaOwner)];
    return {
      badge: { role, of: badge },
      cells: [url === undefined ? title : { link: url, of: title }, words, joined([owner, ask])],
      // The owner in Omni, and the person who answers for it.
      line: joined([words, owner !== undefined && `owner ${owner}`, ask]),
    };
  });
  return [
    ...notReadBackDoc(document.notReadBack ?? [], { showsAll }),
    part({ head: headOf(shown), entries, most: maxListed }),
    part(
      document.noState !== undefined && strong(`No schedule is tracked: ${noStateWords(document.noState)}`),
      document.foundNone && [strong(foundNoneWords), ` ${showsGone}`],
      summaryWords(document),
      pausedWords(document),
      goneWords(document),
      ...(document.ended ?? []).map(endedWords),
      ...(document.ending ?? []).map(({ message, hint }) => `${message} ${hint}`),
      refusedWords(document),
      ...(document.unapplied === undefined ? [] : unappliedDoc(document.unapplied)),
      otherOwnersWords(document),
      zoneWords(shown, times.zone),
    ),
  ];
}

/** The gravest is first. */
function inOrder(schedules: readonly ScheduleStatus[]): readonly ScheduleStatus[] {
  const groups = groupBy(schedules, ({ health }) => health);
  return Object.keys(labels).flatMap((health) => groups.get(health as Health) ?? []);
}

/** The reasons that the service gives for a stop. */
const stops: Readonly<Record<string, string>> = {
  noAccess: 'its owner lost access to the dashboard',
  missingQuery: 'a query that it needs is gone',
  orphanedFilterConfigKeys: 'a filter that it sets is gone from the dashboard',
};

/** The result of a run that some received. */
const deliveredWords = 'ERROR_DELIVERED (some received it)';

interface StatusTimes {
  readonly zone: string;
  /** The time of reading, for a terminal. A report that is read later has none, and names every day. */
  readonly at?: string;
}

/** The zone of most schedules; of two that are equally frequent the first by name. */
function zoneOf({ schedules }: StatusDocument): string {
  const zones = groupBy(
    schedules.flatMap(({ timezone = '' }) => (isZoneKnown(timezone) ? timezone : [])),
    (zone) => zone,
  );
  const [most] = [...zones].sort(([a, { length }], [b, other]) => other.length - length || byCodeUnit(a, b));
  return most?.[0] ?? 'UTC';
}

/** Empty if the report contains no times. */
function zoneWords(shown: readonly ScheduleStatus[], zone: string): string {
  const timed: readonly Health[] = ['failed', 'missed', 'unknown', 'fine'];
  return shown.some(({ health }) => timed.includes(health)) ? `Times are in ${zone}.` : '';
}

/** Reasons why it is not known whether the last due run has completed. */
const doubts: Readonly<Record<Doubt, string>> = {
  retimed: 'changed since it was due',
  'retimed-in-omni': 'rescheduled or resumed in Omni at an unknown time',
  'end-unreadable': 'Omni does not say readably when its last run ended',
  'times-unreadable': 'its schedule or time zone in Omni cannot be read',
};

/** Contains texts of the service, so it must be made safe. */
function statusWords(status: ScheduleStatus, times: StatusTimes): string {
  const { health, reason = '', lastStatus = '', lastCompletedAt, due } = status;
  const when = (instant: string) => timeWords(instant, times);
  const last = lastCompletedAt === undefined ? 'never completed' : `last completed ${when(lastCompletedAt)}`;
  switch (health) {
    case 'failed':
      return `${reason === 'ERROR_DELIVERED' ? deliveredWords : reason}, ${lastCompletedAt === undefined ? 'at an unknown time' : when(lastCompletedAt)}`;
    case 'missed':
      return `due ${due === undefined ? '' : when(due)}, ${last}${lastStatus === 'COMPLETE' || lastStatus === '' ? '' : ` (${lastStatus})`}`;
    case 'unknown':
      return `${doubts[reason as Doubt]}: ${last}`;
    case 'stopped':
      return Object.hasOwn(stops, reason) ? `${stops[reason]} (${reason})` : reason;
    case 'fine':
      return lastCompletedAt === undefined ? 'running' : `completed ${when(lastCompletedAt)}`;
    case 'paused':
      return isOwners(status) ? pausedByOwner : 'paused';
    default:
      return labels[health][2] ?? health;
  }
}

/** `today 09:01`, `2026-11-20 07:00`: as a clock in the zone shows it. Other texts are returned unchanged. */
function timeWords(instant: string, { at, zone }: StatusTimes): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return instant;
  const { wallAt } = zoneClock(zone);
  const [day = '', clock = ''] = wallText(wallAt(time)).split('T');
  const today = at === undefined ? undefined : wallText(wallAt(Date.parse(at))).slice(0, 10);
  return `${day === today ? 'today' : day} ${clock}`;
}

/** The number of each health, without those that need attention: these are listed above. Empty if there are none. */
function summaryWords({ summary, schedules, gone, noState, trackedBy = [] }: StatusDocument): string {
  const { notManaged, ...counts } = summary;
  const isListed = schedules.some(({ managed }) => !managed);
  const words = countList([
    ...(['fine', 'paused', 'condition-unmet', 'never-ran'] as const).map(
      (health) => [counts[health], labels[health][2] ?? health] as const,
    ),
    [isListed ? 0 : notManaged.failing, 'untracked and failing (--all shows them)'],
    ...trackedBy.map(({ who, count }) => [count, `tracked by ${who}`] as const),
  ]);
  const isEmpty = schedules.length === 0 && gone.length === 0 && noState === undefined;
  return words === '' && isEmpty ? 'No schedule is tracked here.' : words;
}

/** Only its owner pauses a routine, and no declaration does. */
const pausedByOwner = 'paused by its owner in Omni';

function pausedWords({ schedules }: StatusDocument): string {
  const paused = schedules.filter((each) => each.health === 'paused' && isOwners(each));
  return paused.length === 0 ? '' : `${nameSome(paused.map(titleOf))}: ${pausedByOwner}.`;
}

/** A refusal does not tell whether the owner left. */
function refusedWords({ refused = [] }: StatusDocument): string {
  if (refused.length === 0) return '';
  return `Omni does not show the list of their owner, who may no longer be a member or may not use AI: ${nameSome(refused)}.`;
}

/** Omni lists routines by owner, so there is no list of all that are untracked. */
function otherOwnersWords({ schedules }: StatusDocument): string {
  const isAll = schedules.some(({ managed }) => !managed) && schedules.some(isOwners);
  return isAll ? 'Untracked routines are known for the owners in the state only.' : '';
}

const showsGone = `\`${command('plan', '--refresh')}\` shows what became of it.`;

/** Tracked schedules that the service does not list. Empty without any, and if it lists none at all. */
function goneWords({ gone, foundNone }: StatusDocument): string {
  if (gone.length === 0 || foundNone) return '';
  const named = nameSome(gone.map(({ address }) => address));
  return `Not listed by Omni, though it was applied: ${named}. ${showsGone}`;
}

function endedWords({ line, at, until, receiver, addresses, hint }: Ended): Words {
  const [first = '', ...others] = addresses;
  const more = others.length > 0 && ` and ${countOf(others.length, 'other', 'others')}`;
  const gets = [code(receiver), ' still gets ', code(first), more];
  return [strong(['The line ', code(line), ` ended on ${until}, `, code(at), ', and ', ...gets, '.']), ` ${hint}`];
}

type Ended = NonNullable<StatusDocument['ended']>[number];

/** Its address, or its name in quotes. Not safe for a terminal yet. */
function titleOf({ address, name, id }: ScheduleStatus): string {
  return address ?? `${JSON.stringify(name)} ${id}`;
}
