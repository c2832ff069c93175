// The scheduled runs of a schedule, carried out when somebody looks: of those that were due since the last look, the last
// one leaves its end. Nothing is delivered by them. A run stops a schedule that can no longer work, as the service does;
// how it ends otherwise is decided by the faults, and without one it is complete.

import { canView } from '../documents/can-view.ts';
import type { ScheduleRuns } from '../pipeline/exchange.ts';
import { type Fault, type FaultName, isOfRuns } from '../pipeline/fault.ts';
import { strikesOf } from '../pipeline/strike.ts';
import type { ScheduleBody } from '../schedule-rules/body.ts';
import { findDocument, type RunStatus, type Store, type StoredSchedule } from '../store/store.ts';
import { lastDue } from './last-due.ts';

type Stop = NonNullable<StoredSchedule['systemDisabled']>['reason'];

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
    return findDocument(store, bodyOf(schedule).identifier) === undefined ? 'ERROR' : 'COMPLETE';
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
    const { schedule: expression, timezone } = bodyOf(schedule);
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
  const body = bodyOf(schedule);
  const document = findDocument(store, body.identifier);
  if (document?.dashboard == null) return undefined;
  if (schedule.ownerId !== null && !canView(schedule.ownerId, document)) return 'noAccess';
  const { queryKeys, filters } = document.dashboard;
  const wanted = [body.queryIdentifierMapKey, body.conditionQueryMapKey].filter((key) => key !== undefined);
  if (wanted.some((key) => !queryKeys.includes(key))) return 'missingQuery';
  const isOrphaned = Object.keys(body.filterConfig ?? {}).some((id) => !Object.hasOwn(filters, id));
  return isOrphaned ? 'orphanedFilterConfigKeys' : undefined;
}

function bodyOf(schedule: StoredSchedule): ScheduleBody {
  return schedule.fields as unknown as ScheduleBody;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
