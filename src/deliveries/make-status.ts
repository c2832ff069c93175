// The health of every listed schedule, with what the state knows of it. Pure: sends nothing.

import { runsOtherwise } from '../cron/canonical-cron.ts';
import { parseCron } from '../cron/parse-cron.ts';
import { isZoneKnown } from '../cron/time-zone.ts';
import { isOutdated } from '../cron/zone-data.ts';
import { ownerInMeta } from '../model/fields/common-fields.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import { countsOf, type Neighbours, ownerOfRow } from '../model/plan/neighbours.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import { type Address, deliversDashboard, kindAt } from '../model/values/address.ts';
import { scheduleUrl } from '../model/values/dashboard-url.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { memoize } from '../model/values/memoize.ts';
import type { IgnoreEntry } from '../model/workspace/config.ts';
import { type Due, judgeHealth, lastDue, type RunFacts, type RunTiming } from './judge-health.ts';
import { listsRunsOf, type RunRow } from './run-lists.ts';
import { type Health, healths, needsAttention, type ScheduleStatus, type StatusDocument } from './status-document.ts';

export interface StatusInput {
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

export function makeStatus(input: StatusInput): StatusDocument {
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
