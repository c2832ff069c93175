// Reads how the last runs ended, and judges it.

import { runsOtherwise } from '../cron/canonical-cron.ts';
import { comingRuns, previousRun } from '../cron/coming-runs.ts';
import type { Cron } from '../cron/cron.ts';
import { parseCron } from '../cron/parse-cron.ts';
import { isZoneKnown } from '../cron/time-zone.ts';
import { isOutdated } from '../cron/zone-data.ts';
import { ownerInMeta } from '../model/fields/common-fields.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import { identities } from '../model/fields/identity.ts';
import type { Clock, Reporter } from '../model/outside.ts';
import { countsOf, type Neighbours, ownerOfRow } from '../model/plan/neighbours.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import { type Health, healths, needsAttention } from '../model/service/health.ts';
import {
  hasFailed,
  isOrganizationKey,
  isUnderWay,
  type ListedSchedule,
  maxSchedulesOnAPage,
} from '../model/service/remote.ts';
import { type Address, deliversDashboard, type Kind, kindAt } from '../model/values/address.ts';
import { groupBy, memoize } from '../model/values/collections.ts';
import { byCodeUnit, stringIn } from '../model/values/json.ts';
import { scheduleUrl } from '../model/values/urls.ts';
import type { Config, IgnoreEntry } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { unlessOpen } from '../observe/sending.ts';
import { requireFullOperations, type Service, secondsUntilSent, serviceNow } from '../observe/service.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import type { Doubt, ScheduleStatus, StatusDocument } from './status-document.ts';

export const defaultTolerance = 30 * 60_000;

interface StatusQuestion
  extends Pick<StatusInput, 'state' | 'neighbours' | 'only' | 'all' | 'tolerance' | 'zoneRelease'> {
  readonly config: Config;
}

/**
 * Reads the list of schedules, with one request for each hundred, and one of routines for each owner, and judges them by the clock of the service. Throws Failure
 * usage with operations core, api-rejected for a list that says nothing about runs, and what the api throws.
 */
export async function readStatus(
  question: StatusQuestion,
  service: Service,
  { clock, reporter }: { readonly clock: Clock; readonly reporter: Reporter },
): Promise<{ readonly document: StatusDocument; readonly listed: readonly ListedSchedule[] }> {
  const { config, ...rest } = question;
  requireFullOperations(config, 'how the last runs ended');
  const api = await service.api();
  // The schedules that Almanac does not manage come on top; nobody has counted them yet.
  const requests = Math.ceil(Object.keys(question.state?.resources ?? {}).length / maxSchedulesOnAPage);
  const seconds = secondsUntilSent(requests, service);
  if (seconds > 0) reporter.emit({ type: 'expected', isLeast: true, requests, sent: 0, seconds });
  const { rows, schedules: listed, refused } = await listRuns(api, service.call, question.state);
  // A list without these fields would make every schedule look as if it had never run.
  if (listed.length > 0 && listed.every(({ runsUntold }) => runsUntold)) {
    throw new Failure('api-rejected', 'Omni’s list of schedules does not say how their last runs ended.', {
      hint: 'Check that api.baseUrl leads to Omni itself, and that nothing in between changes its answers.',
    });
  }
  const now = serviceNow(clock, api);
  const {
    ignore,
    api: { baseUrl },
  } = config;
  const document = makeStatus({ ...rest, baseUrl, listed: rows, refused, ignore, now });
  return { document: isOrganizationKey(service.token()) ? document : { ...document, seesLess: true }, listed };
}

// The health of every listed schedule, with what the state knows of it. Pure: sends nothing.

interface StatusInput {
  readonly listed: readonly RunRow[];
  /** Addresses whose list the service refused. */
  readonly refused?: readonly Address[];
  readonly state: State | undefined;
  /** The base URL for the pages of schedules; absent if nobody reads of them. */
  readonly baseUrl?: string | undefined;
  /** The schedules that the report is about; undefined for all, those that Almanac does not manage included. */
  readonly only?: ReadonlySet<Address> | undefined;
  /** Entries about schedules that Almanac does not manage. */
  readonly ignore: readonly IgnoreEntry[];
  /** Schedules that are not managed here, and need not be. */
  readonly neighbours: Neighbours;
  /** True if the others are listed too, and not only counted. */
  readonly all: boolean;
  /** Epoch milliseconds, by the clock of the service. */
  readonly now: number;
  /** Milliseconds that a run may take before it counts as missed. */
  readonly tolerance: number;
  /** The release of the time zones of the program that runs, where it says so. */
  readonly zoneRelease?: string | undefined;
}

type TrackedSchedule = readonly [Address, StateResource & { readonly id: string }];

function makeStatus(input: StatusInput): StatusDocument {
  const {
    listed,
    refused = [],
    state,
    baseUrl = null,
    only,
    ignore,
    neighbours,
    all,
    now,
    tolerance,
    zoneRelease,
  } = input;
  // Most schedules share one of few expressions.
  const timingIn = memoize((zone) => memoize((schedule) => timingOf(schedule, zone, zoneRelease)));
  const looked: RunReaders = {
    urlOf: ({ kind, identifier, id }) => (deliversDashboard(kind) ? scheduleUrl(baseUrl, identifier, id) : undefined),
    timingOf: ({ schedule, timezone }) => timingIn(timezone)(schedule),
    dueOf: memoize((timing: RunTiming) => lastDue(timing, now - tolerance)),
  };
  const rows = new Map(listed.map((row) => [row.id, row]));
  const tracked = trackedIn(state);
  const chosen = tracked.filter(([address]) => only?.has(address) ?? true);
  const managed = chosen.flatMap((each) => {
    const row = rows.get(each[1].id);
    return row === undefined ? [] : [statusOf(row, looked, each)];
  });
  const known = new Set(tracked.map(([, { id }]) => id));
  const ownerOf = ownerOfRow({ ignore, neighbours });
  const others = listed
    .filter((row) => only === undefined && !known.has(row.id))
    .map((row) => ({ row, owner: ownerOf(row) }));
  const trackedBy = countsOf(others.flatMap(({ owner }) => (typeof owner === 'object' ? owner : [])));
  const unmanaged = others
    .flatMap(({ row, owner }) => (owner === undefined ? row : []))
    .map((row) => statusOf(row, looked))
    .sort((a, b) => byCodeUnit(a.name, b.name) || byCodeUnit(a.id, b.id));
  const schedules = all ? [...managed, ...unmanaged] : managed;
  const listable = tracked.filter(([address]) => !refused.includes(address));
  const foundNone = listable.length > 0 && !listable.some(([, { id }]) => rows.has(id));
  const unread = new Set(refused.filter((address) => only?.has(address) ?? true));
  const count = (health: Health) => schedules.filter((each) => each.health === health).length;
  const counts = Object.fromEntries(healths.map((health) => [health, count(health)])) as Record<Health, number>;
  const failing = unmanaged.filter(({ health }) => needsAttention(health)).length;
  return {
    formatVersion: 1,
    at: new Date(now).toISOString(),
    schedules,
    gone: chosen
      .filter(([address, { id }]) => !rows.has(id) && !unread.has(address))
      .map(([address, { id }]) => ({ address, id })),
    ...(foundNone ? { foundNone } : {}),
    ...(trackedBy.length === 0 ? {} : { trackedBy }),
    ...(unread.size === 0 ? {} : { refused: [...unread] }),
    summary: { ...counts, notManaged: { count: unmanaged.length, failing } },
  };
}

/** The resources that the service lists with their runs, by address. One that only ran has no id. */
function trackedIn(state: State | undefined): readonly TrackedSchedule[] {
  return Object.entries(state?.resources ?? {})
    .filter(
      (entry): entry is [Address, TrackedSchedule[1]] => listsRunsOf(kindAt(entry[0])) && entry[1].id !== undefined,
    )
    .sort(([a], [b]) => byCodeUnit(a, b));
}

interface RunReaders {
  readonly urlOf: (row: RunRow) => string | undefined;
  readonly timingOf: (row: RunRow) => RunTiming | undefined;
  readonly dueOf: (timing: RunTiming) => Due | undefined;
}

function statusOf(row: RunRow, looked: RunReaders, tracked?: TrackedSchedule): ScheduleStatus {
  const [address, recorded] = tracked ?? [];
  const facts = {
    ...factsOf(row, recorded, looked.timingOf(row)),
    isRetimedInOmni: tracked !== undefined && isRetimedInOmni(row, tracked),
  };
  const { health, due, reason } = judgeHealth(facts, looked.dueOf);
  const metaOwner = recorded && ownerInMeta(recorded.attributes);
  const { kind, id, name, lastStatus, lastCompletedAt, ownerName, timezone } = row;
  return {
    address,
    // The document has named no kind since there were only schedules.
    ...(kind === 'schedule' ? {} : { kind }),
    id,
    name,
    url: looked.urlOf(row),
    health,
    lastStatus,
    lastCompletedAt,
    due: due === undefined ? undefined : new Date(due).toISOString(),
    reason,
    owner: ownerName,
    metaOwner,
    timezone: timezone || undefined,
    managed: address !== undefined,
  };
}

/** `recorded`: what the state knows; undefined for a schedule that Almanac does not manage, whose age is not known. */
function factsOf(row: RunRow, recorded: StateResource | undefined, timing: RunTiming | undefined): RunFacts {
  return {
    timing,
    paused: row.paused,
    stopped: row.stopped,
    lastStatus: row.lastStatus,
    lastCompletedAt: row.lastCompletedAt === undefined ? undefined : Date.parse(row.lastCompletedAt),
    createdAt: recorded === undefined || recorded.adopted ? undefined : Date.parse(recorded.createdAt),
    retimedAt: recorded?.retimedAt === undefined ? undefined : Date.parse(recorded.retimedAt),
  };
}

/**
 * True if somebody changed in Omni when it runs, or resumed it, at an unknown time: earlier runs were due under another
 * schedule. A value from the environment cannot be compared.
 */
function isRetimedInOmni(row: RunRow, [address, { attributes }]: TrackedSchedule): boolean {
  const { when, paused } = deliveryOf(kindAt(address), attributes);
  return runsOtherwise(when, row) || (paused && !row.paused);
}

function timingOf(schedule: string, zone: string, release: string | undefined): RunTiming | undefined {
  const { cron } = parseCron(schedule);
  if (cron === undefined || zone === '' || !isZoneKnown(zone)) return undefined;
  return { cron, zone, isOutdated: isOutdated(zone, release) };
}

// Judges by its row in Omni whether the deliveries of a schedule work. What counts is how the last run ended, and
// whether a run was due since. The service knows the last run only, so there is no history.
//
// Governments change clocks at short notice, and the service learns of it before this Node does, or after. A run by
// other clocks is an hour early or late. Where the runs around it are far enough away, one that ended then is that run.

/** The known facts about a schedule's runs. Instants are epoch milliseconds. */
export interface RunFacts {
  /** Undefined if Omni's expression or zone cannot be read: then nothing is known to be due. */
  readonly timing: RunTiming | undefined;
  readonly paused: boolean;
  /** The reason why the service itself stopped it. */
  readonly stopped?: string | undefined;
  /** The status in the words of the service. */
  readonly lastStatus?: string | undefined;
  /** NaN if a run ended at a time that cannot be read. */
  readonly lastCompletedAt?: number | undefined;
  /** The time of its creation, by the clock of that machine; undefined if it was there before anybody tracked it. */
  readonly createdAt?: number | undefined;
  /** The time of the last apply that moved its due time, by that machine: earlier runs had another schedule. */
  readonly retimedAt?: number | undefined;
  /** Somebody moved its due time in Omni, at an unknown time. */
  readonly isRetimedInOmni?: boolean;
}

interface RunTiming {
  readonly cron: Cron;
  readonly zone: string;
  /** True if its clocks are known to have changed since the data of this Node. */
  readonly isOutdated?: boolean;
}

interface Judgement {
  readonly health: Health;
  /** The last run that was looked for, epoch milliseconds. */
  readonly due?: number;
  /** A `Doubt` if the health is unknown; otherwise in the words of the service. */
  readonly reason?: string;
}

/** The difference that is allowed between the service's clock and that of the machine that changed a schedule. */
const clockAllowance = 10 * 60_000;

/** `dueOf`: the last run that must have ended by now. */
export function judgeHealth(facts: RunFacts, dueOf: (timing: RunTiming) => Due | undefined): Judgement {
  const { timing, paused, stopped, lastStatus } = facts;
  if (stopped !== undefined) return { health: 'stopped', reason: stopped };
  if (paused) return { health: 'paused' };
  if (lastStatus === 'CONDITION_UNMET') return { health: 'condition-unmet' };
  const due = timing && dueOf(timing);
  const known = due === undefined ? {} : { due: due.at };
  const doubt = doubtOf(due, facts);
  if (due !== undefined && doubt === undefined && isOpen(due.from, facts)) return { health: 'missed', ...known };
  if (lastStatus !== undefined && hasFailed(lastStatus)) return { health: 'failed', ...known, reason: lastStatus };
  if (doubt !== undefined) return { health: 'unknown', ...known, reason: doubt };
  return { health: hasRun(facts) ? 'fine' : 'never-ran', ...known };
}

/** The reason why it is not known whether the last run that was due has completed; undefined if that is known. */
function doubtOf(due: Due | undefined, facts: RunFacts): Doubt | undefined {
  const { timing, isRetimedInOmni, lastCompletedAt, lastStatus, retimedAt } = facts;
  const hasEnded = lastStatus !== undefined && !isUnderWay(lastStatus);
  if (lastCompletedAt === undefined ? hasEnded : Number.isNaN(lastCompletedAt)) return 'end-unreadable';
  if (isRetimedInOmni) return 'retimed-in-omni';
  if (timing === undefined) return 'times-unreadable';
  if (due === undefined || retimedAt === undefined || !isOpen(due.from, facts)) return undefined;
  return due.from > retimedAt + clockAllowance ? undefined : 'retimed';
}

const hour = 3_600_000;

interface Due {
  /** The time by the clocks of this Node. */
  readonly at: number;
  /** The time at which it may have been due by other clocks: what ended from then on counts. */
  readonly from: number;
}

/** The last run that must have ended by `until`, if need be by clocks that are an hour behind. */
export function lastDue(timing: RunTiming, until: number): Due | undefined {
  const due = dueAt(timing, until);
  return due === undefined || due.at + (due.at - due.from) <= until ? due : dueAt(timing, until - hour);
}

function dueAt({ cron, zone, isOutdated: isUnsure }: RunTiming, until: number): Due | undefined {
  const at = previousRun(cron, zone, until)?.at;
  if (at === undefined) return undefined;
  return { at, from: isUnsure || isApart(cron, zone, at) ? at - hour : at };
}

/** True if the runs before and after are two hours or more away. */
function isApart(cron: Cron, zone: string, at: number): boolean {
  for (const run of comingRuns(cron, zone, at - 2 * hour)) if (run.at !== at) return run.at >= at + 2 * hour;
  return true;
}

function hasRun({ lastCompletedAt, lastStatus }: RunFacts): boolean {
  return lastCompletedAt !== undefined || lastStatus !== undefined;
}

/**
 * True if it was there when the run was due, and nothing has completed since. Without a run and without its age, a
 * schedule may be a minute old.
 */
function isOpen(from: number, { createdAt, lastCompletedAt, lastStatus }: RunFacts): boolean {
  if (createdAt === undefined ? lastCompletedAt === undefined : from <= createdAt + clockAllowance) return false;
  return lastCompletedAt === undefined ? lastStatus === undefined : lastCompletedAt < from;
}

// Reads Omni's lists, by kind, for the ends of the last runs.

/** A listed schedule or routine that runs by itself, and its last run. */
interface RunRow
  extends Pick<
    ListedSchedule,
    | 'id'
    | 'identifier'
    | 'name'
    | 'schedule'
    | 'timezone'
    | 'paused'
    | 'stopped'
    | 'lastCompletedAt'
    | 'lastStatus'
    | 'ownerName'
    | 'runsUntold'
  > {
  readonly kind: Kind;
}

interface RunsRead {
  readonly rows: readonly RunRow[];
  /** The list of schedules alone, as it was read. */
  readonly schedules: readonly ListedSchedule[];
  /** Addresses whose list Omni refused. */
  readonly refused: readonly Address[];
}

/** Omni lists no runs of the other kinds. The state knows the last AI job, and `almanac ai status` asks for it. */
function listsRunsOf(kind: Kind): boolean {
  return identities[kind].listedBy !== undefined;
}

/**
 * The rows of all kinds; an id is in one of them. A list of a member's routines that Omni refuses hides only those, and it names no
 * owner: as it was declared, where it was.
 */
async function listRuns(api: Api, call: CallOptions, state: State | undefined): Promise<RunsRead> {
  const owned = Object.entries(state?.resources ?? {}).filter(([address]) => identities[kindAt(address)].isOwners);
  const ofOwners = [...groupBy(owned, ([, { madeBy }]) => madeBy)].map(async ([owner, theirs]) => {
    const listed = await unlessOpen(api.listRoutines({ owner }, call));
    const [ownerName] = theirs.flatMap(([, { attributes }]) => attributes['owner'] ?? []);
    const named = { kind: 'routine' as const, ownerName: stringIn(ownerName) };
    return {
      rows: (listed ?? []).map((row) => ({ ...row, identifier: row.modelId, ...named })),
      refused: listed === undefined ? theirs.map(([address]) => address) : [],
    };
  });
  const [schedules, ...lists] = await Promise.all([api.listSchedules({}, call), ...ofOwners]);
  return {
    schedules,
    rows: [...schedules.map((row) => ({ ...row, kind: 'schedule' as const })), ...lists.flatMap(({ rows }) => rows)],
    refused: lists.flatMap(({ refused }) => refused),
  };
}
