// The health of every schedule that the service lists, joined with what the state knows of it. Pure: sends nothing.

import { canonicalCron } from '../../cron/canonical-cron.ts';
import { clocksOf } from '../../cron/check-time-zone.ts';
import { comingRuns, previousRun } from '../../cron/coming-runs.ts';
import type { Cron } from '../../cron/cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { isZoneKnown } from '../../cron/time-zone.ts';
import { isOutdated } from '../../cron/zone-data.ts';
import { ownerInMeta } from '../../model/fields/common-fields.ts';
import type { State, StateResource } from '../../model/plan/state.ts';
import { hasFailed } from '../../model/service/last-status.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { IgnoreEntry } from '../../model/workspace/config.ts';
import { ignoring } from '../../plan/untracked.ts';
import { type Health, healths, needsAttention, type ScheduleStatus, type StatusDocument } from './document.ts';

export interface StatusInput {
  readonly listed: readonly ListedSchedule[];
  readonly state: State | undefined;
  /** The schedules that the report is about; undefined for all, those that Almanac does not manage included. */
  readonly only?: ReadonlySet<Address> | undefined;
  /** Of what Almanac does not manage. */
  readonly ignore: readonly IgnoreEntry[];
  /** Whether the others are listed too, and not only counted. */
  readonly all: boolean;
  /** Epoch milliseconds, by the clock of the service. */
  readonly now: number;
  /** Milliseconds that a run may take before it counts as missed. */
  readonly tolerance: number;
  /** The release of the time zones of this Node, where it is known. */
  readonly zoneRelease?: string | undefined;
}

type Tracked = readonly [Address, StateResource & { readonly id: string }];

export function makeStatus(input: StatusInput): StatusDocument {
  const { listed, state, only, ignore, all, now, tolerance, zoneRelease } = input;
  // Most schedules share one of few expressions.
  const timingIn = memoize((zone) => memoize((schedule) => timingOf(schedule, zone, zoneRelease)));
  const looked: Looked = {
    timingOf: ({ schedule, timezone }) => timingIn(timezone)(schedule),
    dueOf: memoize((timing: Timing) => lastDue(timing, now - tolerance)),
  };
  const rows = new Map(listed.map((row) => [row.id, row]));
  const tracked = trackedIn(state);
  const asked = tracked.filter(([address]) => only?.has(address) ?? true);
  const managed = asked.flatMap((each) => {
    const row = rows.get(each[1].id);
    return row === undefined ? [] : [statusOf(row, looked, each)];
  });
  const known = new Set(tracked.map(([, { id }]) => id));
  const isIgnored = ignoring(ignore);
  const others = listed
    .filter((row) => only === undefined && !known.has(row.id) && !isIgnored(row))
    .map((row) => statusOf(row, looked))
    .sort((a, b) => byCodeUnit(a.name, b.name) || byCodeUnit(a.id, b.id));
  const schedules = all ? [...managed, ...others] : managed;
  const count = (health: Health) => schedules.filter((each) => each.health === health).length;
  const counts = Object.fromEntries(healths.map((health) => [health, count(health)])) as Record<Health, number>;
  const failing = others.filter(({ health }) => needsAttention(health)).length;
  return {
    formatVersion: 1,
    at: new Date(now).toISOString(),
    schedules,
    gone: asked.filter(([, { id }]) => !rows.has(id)).map(([address, { id }]) => ({ address, id })),
    summary: { ...counts, notManaged: { count: others.length, failing } },
  };
}

/** The schedules that the service has, by address. One that only ran has no id. */
function trackedIn(state: State | undefined): readonly Tracked[] {
  return Object.entries(state?.resources ?? {})
    .filter((entry): entry is [Address, Tracked[1]] => kindOf(entry[0]) === 'schedule' && entry[1].id !== undefined)
    .sort(([a], [b]) => byCodeUnit(a, b));
}

/** What all schedules are judged by. */
interface Looked {
  readonly timingOf: (row: ListedSchedule) => Timing | undefined;
  readonly dueOf: (timing: Timing) => Due | undefined;
}

function statusOf(
  row: ListedSchedule,
  looked: Looked,
  [address, recorded]: Tracked | readonly [] = [],
): ScheduleStatus {
  const isChanged = recorded !== undefined && isChangedElsewhere(row, recorded);
  const facts = factsOf(row, recorded, isChanged ? undefined : looked.timingOf(row));
  const { health, due, reason } = judgeHealth(facts, looked.dueOf);
  const metaOwner = recorded && ownerInMeta(recorded.attributes);
  const { id, name, lastStatus, lastCompletedAt, ownerName, timezone } = row;
  return {
    address,
    id,
    name,
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
function factsOf(row: ListedSchedule, recorded: StateResource | undefined, timing: Timing | undefined): RunFacts {
  return {
    timing,
    paused: row.paused,
    stopped: row.stopped,
    lastStatus: row.lastStatus,
    lastCompletedAt: row.lastCompletedAt === undefined ? undefined : Date.parse(row.lastCompletedAt),
    changedAt: recorded && changedAt(recorded),
  };
}

function changedAt({ createdAt, updatedAt }: StateResource): number {
  return Math.max(Date.parse(createdAt), Date.parse(updatedAt));
}

/**
 * Somebody changed in Omni when it runs, or resumed it, nobody knows when: what was due before then was due under another
 * schedule. A value from the environment cannot be compared.
 */
function isChangedElsewhere(row: ListedSchedule, { attributes }: StateResource): boolean {
  const { schedule, timezone, paused } = attributes;
  const differs = typeof schedule === 'string' && canonicalCron(schedule) !== canonicalCron(row.schedule);
  const isMoved = typeof timezone === 'string' && clocksOf(timezone) !== clocksOf(row.timezone);
  return differs || isMoved || (paused === true && !row.paused);
}

function timingOf(schedule: string, zone: string, release: string | undefined): Timing | undefined {
  const { cron } = parseCron(schedule);
  if (cron === undefined || zone === '' || !isZoneKnown(zone)) return undefined;
  return { cron, zone, isOutdated: isOutdated(zone, release) };
}

// Whether the deliveries of a schedule work, as far as its row in the list tells: how its last run ended, and whether a
// run was due since. Nothing here is history: the service knows the last run only.

/** What is known of a schedule's runs. Instants are epoch milliseconds. */
export interface RunFacts {
  /** Undefined if the service has an expression or a zone that cannot be read: then nothing is known to be due. */
  readonly timing: Timing | undefined;
  readonly paused: boolean;
  /** Why the service itself stopped it. */
  readonly stopped?: string | undefined;
  /** In the words of the service. */
  readonly lastStatus?: string | undefined;
  /** NaN if a run ended at a time that cannot be read. */
  readonly lastCompletedAt?: number | undefined;
  /** When it was created or last changed, by the clock of that machine: what was due before was due under another schedule. */
  readonly changedAt?: number | undefined;
}

interface Timing {
  readonly cron: Cron;
  readonly zone: string;
  /** Its clocks are known to have changed since the data of this Node. */
  readonly isOutdated?: boolean;
}

interface Judgement {
  readonly health: Health;
  /** The last run that was looked for, epoch milliseconds. */
  readonly due?: number;
  readonly reason?: string;
}

/** How far the clock of the machine that changed a schedule may be from the service's. */
const clockAllowance = 10 * 60_000;

/** `dueOf`: the last run that must have ended by now. */
export function judgeHealth(facts: RunFacts, dueOf: (timing: Timing) => Due | undefined): Judgement {
  const { timing, paused, stopped, lastStatus } = facts;
  if (stopped !== undefined) return { health: 'stopped', reason: stopped };
  if (paused) return { health: 'paused' };
  if (lastStatus === 'CONDITION_UNMET') return { health: 'condition-unmet' };
  const due = timing && dueOf(timing);
  const known = due === undefined ? {} : { due: due.at };
  if (due !== undefined && isOpen(due.from, facts) && isOldEnough(due.from, facts))
    return { health: 'missed', ...known };
  if (lastStatus !== undefined && hasFailed(lastStatus)) return { health: 'failed', ...known, reason: lastStatus };
  return { health: hasRun(facts) ? 'fine' : 'never-ran', ...known };
}

// Governments change clocks at short notice, and the service learns of it before this Node does, or after. A run by other
// clocks is an hour early or late. Where the runs around it are far enough away, one that ended then can be no other.

const hour = 3_600_000;

interface Due {
  /** By the clocks of this Node. */
  readonly at: number;
  /** When it may have been due by other clocks: what ended from then on counts. */
  readonly from: number;
}

/** The last run that must have ended by `until`, if need be by clocks that are an hour behind. */
export function lastDue(timing: Timing, until: number): Due | undefined {
  const due = dueAt(timing, until);
  return due === undefined || due.at + (due.at - due.from) <= until ? due : dueAt(timing, until - hour);
}

function dueAt({ cron, zone, isOutdated: isUnsure }: Timing, until: number): Due | undefined {
  const at = previousRun(cron, zone, until)?.at;
  if (at === undefined) return undefined;
  return { at, from: isUnsure || isApart(cron, zone, at) ? at - hour : at };
}

/** Whether the runs before and after are two hours or more away. */
function isApart(cron: Cron, zone: string, at: number): boolean {
  for (const run of comingRuns(cron, zone, at - 2 * hour)) if (run.at !== at) return run.at >= at + 2 * hour;
  return true;
}

function hasRun({ lastCompletedAt, lastStatus }: RunFacts): boolean {
  return lastCompletedAt !== undefined || lastStatus !== undefined;
}

/** Whether certainly nothing has completed since. Of a run that ended nobody knows when, that is not certain. */
function isOpen(from: number, { lastCompletedAt, lastStatus }: RunFacts): boolean {
  return lastCompletedAt === undefined ? lastStatus === undefined : lastCompletedAt < from;
}

/** Without a run and without its age, a schedule may be a minute old. */
function isOldEnough(from: number, { changedAt, lastCompletedAt }: RunFacts): boolean {
  return changedAt === undefined ? lastCompletedAt !== undefined : from > changedAt + clockAllowance;
}
