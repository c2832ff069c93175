// The scheduled runs of a schedule, carried out when somebody looks: of those that were due since the last look, the last
// one leaves its end. Nothing is delivered by them. A run stops a schedule that can no longer work, as the service does;
// how it ends otherwise is decided by the faults, and without one it is complete.

import { readCron } from './cron.ts';
import { canView } from './documents.ts';
import { type Fault, type FaultName, isOfRuns, strikesOf } from './faults.ts';
import { isTimeZone } from './formats.ts';
import type { ScheduleRuns } from './requests.ts';
import { storedBody } from './schedule-rules.ts';
import { findDocument, type Store, type StoredSchedule } from './store.ts';

type Stop = NonNullable<StoredSchedule['systemDisabled']>['reason'];
type RunStatus = NonNullable<StoredSchedule['run']>['status'];

/** What a fault makes of a run; null for a run that never comes. */
const ends: Readonly<Partial<Record<FaultName, RunStatus | null>>> = {
  'run-error': 'ERROR',
  'run-delivered': 'ERROR_DELIVERED',
  'run-killed': 'KILLED',
  'run-unmet': 'CONDITION_UNMET',
  'run-missed': null,
};

/** `lasts`: the milliseconds that a run takes. */
export function makeRuns(store: Store, faults: readonly Fault[], lasts: number): ScheduleRuns {
  const rules = faults.filter(isOfRuns).map((fault) => ({ fault, strikes: strikesOf(fault) }));
  const endOf = (schedule: StoredSchedule): RunStatus | null => {
    const { id } = schedule;
    const struck = rules.filter(({ strikes }) => strikes({ method: 'RUN', path: `/v1/schedules/${id}` }));
    const end = struck[0] && ends[struck[0].fault.fault];
    if (end !== undefined) return end;
    return findDocument(store, storedBody(schedule).identifier) === undefined ? 'ERROR' : 'COMPLETE';
  };
  const begin = (schedule: StoredSchedule, at: number) => {
    const status = endOf(schedule);
    if (status !== null) schedule.run = { until: instant(at + lasts), status };
  };
  /** Whether anything changed. */
  const end = (schedule: StoredSchedule): boolean => {
    const { run } = schedule;
    if (run === undefined || Date.parse(run.until) > store.now()) return false;
    schedule.lastRun = { at: run.until, status: run.status };
    delete schedule.run;
    return true;
  };
  const looked = new WeakMap<StoredSchedule, number>();
  const catchUp = (schedule: StoredSchedule): boolean => {
    const hasEnded = end(schedule);
    const { schedule: expression, timezone } = storedBody(schedule);
    const from = Math.max(changedAt(schedule), looked.get(schedule) ?? 0);
    looked.set(schedule, store.now());
    const due = lastDue(expression, timezone, from, store.now());
    if (due === undefined || schedule.disabledAt !== undefined || schedule.systemDisabled !== undefined)
      return hasEnded;
    const reason = whyStopped(schedule, store);
    if (reason === undefined) begin(schedule, due);
    else schedule.systemDisabled = { at: instant(due), reason };
    end(schedule);
    return true;
  };
  return {
    catchUp: (schedules) => {
      if (schedules.filter(catchUp).length > 0) store.save();
    },
    begin: (schedule) => {
      begin(schedule, store.now());
      end(schedule);
    },
    isRunning: ({ run }) => run !== undefined && Date.parse(run.until) > store.now(),
  };
}

/** Each change catches up first, so what was due before the last one is over. */
function changedAt({ createdAt, updatedAt, lastRun }: StoredSchedule): number {
  return Math.max(...[createdAt, updatedAt, lastRun?.at ?? createdAt].map((text) => Date.parse(text)));
}

/** The reasons of the vendor's list. */
function whyStopped(schedule: StoredSchedule, store: Store): Stop | undefined {
  const body = storedBody(schedule);
  const document = findDocument(store, body.identifier);
  if (document?.dashboard == null) return undefined;
  if (schedule.ownerId !== null && !canView(schedule.ownerId, document)) return 'noAccess';
  const { queryKeys, filters } = document.dashboard;
  const wanted = [body.queryIdentifierMapKey, body.conditionQueryMapKey].filter((key) => key !== undefined);
  if (wanted.some((key) => !queryKeys.includes(key))) return 'missingQuery';
  const isOrphaned = Object.keys(body.filterConfig ?? {}).some((id) => !Object.hasOwn(filters, id));
  return isOrphaned ? 'orphanedFilterConfigKeys' : undefined;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * When a schedule was due last, by the clocks of its zone. A time that a clock skips does not come; of one that comes
 * twice, the first counts. The last due time after `from` and at or before `until`, all in epoch milliseconds; undefined
 * if there is none.
 */
export function lastDue(expression: string, zone: string, from: number, until: number): number | undefined {
  // Most looks come within the minute of the one before.
  if (Math.floor(until / minuteMs) === Math.floor(from / minuteMs)) return undefined;
  const cron = readCron(expression);
  // People edit the data, and another Node may know other zones.
  if (!isTimeZone(zone)) return undefined;
  const offsetAt = offsetsOf(zone);
  const firstDay = dayOf(from + offsetAt(from)) - dayMs;
  for (let day = dayOf(until + offsetAt(until)) + dayMs; day >= firstDay; day -= dayMs) {
    if (cron?.runsOn(new Date(day)) !== true) continue;
    for (const minute of cron.minutes) {
      const at = instantOf(day + minute * minuteMs, offsetAt);
      if (at !== undefined && at <= until) return at > from ? at : undefined;
    }
  }
  return undefined;
}

function dayOf(wall: number): number {
  return Math.floor(wall / dayMs) * dayMs;
}

/** Undefined for a time that the clock skips. */
function instantOf(wall: number, offsetAt: (instant: number) => number): number | undefined {
  const offsets = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
  const found = offsets.map((offset) => wall - offset).filter((at) => at + offsetAt(at) === wall);
  return found.length === 0 ? undefined : Math.min(...found);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** By how many milliseconds the clocks of a zone are ahead of UTC at an instant. */
function offsetsOf(zone: string): (instant: number) => number {
  let format = formats.get(zone);
  if (format === undefined) {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...numeric });
    formats.set(zone, format);
  }
  const shown = format;
  return (instant) => {
    const parts = new Map(shown.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return wall - Math.floor(instant / minuteMs) * minuteMs;
  };
}
