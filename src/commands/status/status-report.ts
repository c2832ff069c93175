// The status of the schedules: problems one by one, and a count of the others. All times of a report are in one zone,
// which it names.

import { isZoneKnown, zoneClock } from '../../cron/time-zone.ts';
import {
  type Doubt,
  type Health,
  needsAttention,
  type ScheduleStatus,
  type StatusDocument,
} from '../../deliveries/status-document.ts';
import { identities } from '../../model/fields/identity.ts';
import { foundNoneWords } from '../../model/plan/observation.ts';
import { countKinds, type Kind, kindAt, kinds, kindsInOrder } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countList, countOf, maxListed, nameSome } from '../../model/values/words.ts';
import { code, type Doc, joined, part, type ReportEntry, strong, type Words } from '../../report/doc.ts';
import { noStateWords } from '../../report/plan/drift-report.ts';
import { notReadBackDoc } from '../../report/plan/open-report.ts';
import { unappliedDoc } from '../../report/plan/unapplied-report.ts';
import { printCut } from '../../report/print-markdown.ts';
import { printText } from '../../report/print-text.ts';
import type { Page, Role } from '../../report/text/theme.ts';
import type { Wording } from '../../report/wording.ts';

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

function wallText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
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
