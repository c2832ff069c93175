// The health of every schedule that the service lists, joined with what the state knows of it. Pure: sends nothing.

import { previousRun } from '../../cron/coming-runs.ts';
import type { Cron } from '../../cron/cron.ts';
import { canonicalCron, parseCron } from '../../cron/parse-cron.ts';
import { isZoneKnown } from '../../cron/time-zone.ts';
import {
  type Health,
  hasFailed,
  healths,
  needsAttention,
  type ScheduleStatus,
  type StatusDocument,
} from '../../model/deliveries.ts';
import { ownerInMeta } from '../../model/fields/common-fields.ts';
import type { State, StateResource } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { IgnoreEntry } from '../../model/workspace/config.ts';
import { ignoring } from '../../plan/untracked.ts';

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
}

type Tracked = readonly [Address, StateResource & { readonly id: string }];

export function makeStatus({ listed, state, only, ignore, all, now, tolerance }: StatusInput): StatusDocument {
  const rows = new Map(listed.map((row) => [row.id, row]));
  const tracked = trackedIn(state);
  const asked = tracked.filter(([address]) => only?.has(address) ?? true);
  const managed = asked.flatMap((each) => {
    const row = rows.get(each[1].id);
    return row === undefined ? [] : [statusOf(row, { now, tolerance }, each)];
  });
  const known = new Set(tracked.map(([, { id }]) => id));
  const isIgnored = ignoring(ignore);
  const others = listed
    .filter((row) => only === undefined && !known.has(row.id) && !isIgnored(row))
    .map((row) => statusOf(row, { now, tolerance }))
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

function statusOf(
  row: ListedSchedule,
  { now, tolerance }: Pick<StatusInput, 'now' | 'tolerance'>,
  [address, recorded]: Tracked | readonly [] = [],
): ScheduleStatus {
  const { health, due, reason } = judgeHealth(factsOf(row, recorded), now, tolerance);
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
function factsOf(row: ListedSchedule, recorded: StateResource | undefined): RunFacts {
  return {
    timing: recorded !== undefined && isChangedElsewhere(row, recorded) ? undefined : timingOf(row),
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
  return differs || (typeof timezone === 'string' && timezone !== row.timezone) || (paused === true && !row.paused);
}

/** Most schedules share one of few expressions. */
const cronOf = memoize((schedule: string) => parseCron(schedule).cron, 10_000);

function timingOf({ schedule, timezone }: ListedSchedule): RunFacts['timing'] {
  const cron = cronOf(schedule);
  return cron === undefined || timezone === '' || !isZoneKnown(timezone) ? undefined : { cron, zone: timezone };
}

// Whether the deliveries of a schedule work, as far as its row in the list tells: how its last run ended, and whether a
// run was due since. Nothing here is history: the service knows the last run only.

/** What is known of a schedule's runs. Instants are epoch milliseconds. */
export interface RunFacts {
  /** Undefined if the service has an expression or a zone that cannot be read: then nothing is known to be due. */
  readonly timing: { readonly cron: Cron; readonly zone: string } | undefined;
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

interface Judgement {
  readonly health: Health;
  /** The last run whose tolerance is over, epoch milliseconds. */
  readonly due?: number;
  readonly reason?: string;
}

/** How far the clock of the machine that changed a schedule may be from the service's. */
const clockAllowance = 10 * 60_000;

/** `tolerance`: how many milliseconds a run may take before it counts as missed. */
export function judgeHealth(facts: RunFacts, now: number, tolerance: number): Judgement {
  const { timing, paused, stopped, lastStatus } = facts;
  if (stopped !== undefined) return { health: 'stopped', reason: stopped };
  if (paused) return { health: 'paused' };
  if (lastStatus === 'CONDITION_UNMET') return { health: 'condition-unmet' };
  const due = timing && previousRun(timing.cron, timing.zone, now - tolerance)?.at;
  const known = due === undefined ? {} : { due };
  if (due !== undefined && isOpen(due, facts) && isOldEnough(due, facts)) return { health: 'missed', ...known };
  if (lastStatus !== undefined && hasFailed(lastStatus)) return { health: 'failed', ...known, reason: lastStatus };
  return { health: hasRun(facts) ? 'fine' : 'never-ran', ...known };
}

function hasRun({ lastCompletedAt, lastStatus }: RunFacts): boolean {
  return lastCompletedAt !== undefined || lastStatus !== undefined;
}

/** Whether certainly nothing has completed since. Of a run that ended nobody knows when, that is not certain. */
function isOpen(due: number, { lastCompletedAt, lastStatus }: RunFacts): boolean {
  return lastCompletedAt === undefined ? lastStatus === undefined : lastCompletedAt < due;
}

/** Without a run and without its age, a schedule may be a minute old. */
function isOldEnough(due: number, { changedAt, lastCompletedAt }: RunFacts): boolean {
  return changedAt === undefined ? lastCompletedAt !== undefined : due > changedAt + clockAllowance;
}
