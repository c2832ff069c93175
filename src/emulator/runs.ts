// The scheduled runs of schedules and routines, carried out when somebody looks. Only the last of those that were due
// since the last look leaves its end. Nothing is delivered by them. A run stops a schedule that can no longer work, as
// the service does; faults decide how it ends otherwise, and without one it is complete.

import { readCron } from './cron.ts';
import { canView } from './documents.ts';
import { type Fault, type FaultName, isOfRuns, strikesOf } from './faults.ts';
import { isTimeZone } from './formats.ts';
import type { AllRuns, Runs } from './requests.ts';
import { isOff, storedRoutine, whyBroken } from './routine-rules.ts';
import { storedBody } from './schedule-rules.ts';
import {
  findDocument,
  type RecurringDelivery,
  type RunStatus,
  type Store,
  type StoredRoutine,
  type StoredSchedule,
  tileKeys,
} from './store.ts';

type Stop = NonNullable<StoredSchedule['systemDisabled']>['reason'];

/** The result of a run for each fault; null for a run that never comes. */
const ends: Readonly<Partial<Record<FaultName, RunStatus | null>>> = {
  'run-error': 'ERROR',
  'run-delivered': 'ERROR_DELIVERED',
  'run-killed': 'KILLED',
  'run-unmet': 'CONDITION_UNMET',
  'run-missed': null,
};

/** The result that a fault gives to the next run at this path; undefined if none strikes it. */
type EndOf = (path: string) => RunStatus | null | undefined;

interface RunningKind<T extends RecurringDelivery> {
  pathOf(each: T): string;
  clockOf(each: T): { readonly schedule: string; readonly timezone: string };
  /** True if it is paused, or was stopped. */
  isOff(each: T): boolean;
  /** The end of a run if no fault strikes it. */
  endOf(each: T): RunStatus;
  /** A run that can no longer work stops it, `at` that time; true if it does. */
  stop(each: T, at: string): boolean;
}

export function makeRuns(store: Store, faults: readonly Fault[]): AllRuns {
  const rules = faults.filter(isOfRuns).map((fault) => ({ fault, strikes: strikesOf(fault) }));
  const endOf: EndOf = (path) => {
    const struck = rules.filter(({ strikes }) => strikes({ method: 'RUN', path }));
    return struck[0] && ends[struck[0].fault.fault];
  };
  return {
    schedules: makeRunsOf(store, endOf, runningSchedules(store)),
    routines: makeRunsOf(store, endOf, runningRoutines(store)),
  };
}

function makeRunsOf<T extends RecurringDelivery>(store: Store, faultyEnd: EndOf, kind: RunningKind<T>): Runs<T> {
  const begin = (each: T, at: number) => {
    const faulty = faultyEnd(kind.pathOf(each));
    const status = faulty === undefined ? kind.endOf(each) : faulty;
    if (status !== null) each.lastRun = { at: instant(at), status };
  };
  /** Ends a run that was put into the data. Returns true if anything changed. */
  const end = (each: T): boolean => {
    const { run } = each;
    if (run === undefined || Date.parse(run.until) > store.now()) return false;
    each.lastRun = { at: run.until, status: run.status };
    delete each.run;
    return true;
  };
  const looked = new WeakMap<T, number>();
  const catchUp = (each: T): boolean => {
    const hasEnded = end(each);
    const { schedule, timezone } = kind.clockOf(each);
    const from = Math.max(changedAt(each), looked.get(each) ?? 0);
    looked.set(each, store.now());
    const due = lastDue(schedule, timezone, from, store.now());
    if (due === undefined || kind.isOff(each)) return hasEnded;
    if (!kind.stop(each, instant(due))) begin(each, due);
    return true;
  };
  return {
    catchUp: (all) => {
      if (all.filter(catchUp).length > 0) store.save();
    },
    begin: (each) => begin(each, store.now()),
    isRunning: ({ run }) => run !== undefined && Date.parse(run.until) > store.now(),
  };
}

/** Each change catches up first, so all runs due before the last one are over. */
function changedAt({ createdAt, updatedAt, lastRun }: RecurringDelivery): number {
  return Math.max(...[createdAt, updatedAt, lastRun?.at ?? createdAt].map((text) => Date.parse(text)));
}

function runningSchedules(store: Store): RunningKind<StoredSchedule> {
  return {
    pathOf: ({ id }) => `/v1/schedules/${id}`,
    clockOf: storedBody,
    isOff: ({ disabledAt, systemDisabled }) => disabledAt !== undefined || systemDisabled !== undefined,
    endOf: (schedule) => (findDocument(store, storedBody(schedule).identifier) === undefined ? 'ERROR' : 'COMPLETE'),
    stop: (schedule, at) => {
      const reason = whyStopped(schedule, store);
      if (reason !== undefined) schedule.systemDisabled = { at, reason };
      return reason !== undefined;
    },
  };
}

/** The reasons of the vendor's list. */
function whyStopped(schedule: StoredSchedule, store: Store): Stop | undefined {
  const body = storedBody(schedule);
  const document = findDocument(store, body.identifier);
  if (document?.dashboard == null) return undefined;
  if (schedule.ownerId !== null && !canView(schedule.ownerId, document, store.data)) return 'noAccess';
  const { filters } = document.dashboard;
  const queryKeys = tileKeys(document.dashboard);
  const wanted = [body.queryIdentifierMapKey, body.conditionQueryMapKey].filter((key) => key !== undefined);
  if (wanted.some((key) => !queryKeys.includes(key))) return 'missingQuery';
  const isOrphaned = Object.keys(body.filterConfig ?? {}).some((id) => !Object.hasOwn(filters, id));
  return isOrphaned ? 'orphanedFilterConfigKeys' : undefined;
}

function runningRoutines(store: Store): RunningKind<StoredRoutine> {
  return {
    pathOf: ({ id }) => `/v1/ai/routines/${id}`,
    clockOf: storedRoutine,
    isOff,
    endOf: () => 'COMPLETE',
    stop: (routine, at) => {
      const reason = whyBroken(routine, store);
      if (reason === undefined) return false;
      Object.assign(routine, { systemDisabled: true, systemDisabledReason: reason, updatedAt: at });
      return true;
    },
  };
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * The time when a schedule was last due, by the clocks of its zone. A time that a clock skips does not come; of one
 * that comes twice, the first counts. The last due time after `from` and at or before `until`, all in epoch
 * milliseconds; undefined if there is none.
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

/** The milliseconds by which the clocks of a zone are ahead of UTC at an instant. */
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
