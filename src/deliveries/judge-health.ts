// Judges by its row in Omni whether the deliveries of a schedule work. What counts is how the last run ended, and
// whether a run was due since. The service knows the last run only, so there is no history.
//
// Governments change clocks at short notice, and the service learns of it before this Node does, or after. A run by
// other clocks is an hour early or late. Where the runs around it are far enough away, one that ended then is that run.

import { comingRuns, previousRun } from '../cron/coming-runs.ts';
import type { Cron } from '../cron/cron.ts';
import { hasFailed, isUnderWay } from '../model/service/last-status.ts';
import type { Doubt, Health } from './status-document.ts';

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

export interface RunTiming {
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
export const clockAllowance = 10 * 60_000;

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

export interface Due {
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
