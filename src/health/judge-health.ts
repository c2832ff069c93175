// Whether the deliveries of a schedule work, as far as its row in the list tells: how its last run ended, and whether a
// run was due since. Nothing here is history: the service knows the last run only.
//
// Governments change clocks at short notice, and the service learns of it before this Node does, or after. A run by other
// clocks is an hour early or late. Where the runs around it are far enough away, one that ended then can be no other.

import { comingRuns, previousRun } from '../cron/coming-runs.ts';
import type { Cron } from '../cron/cron.ts';
import { hasFailed } from '../model/service/last-status.ts';
import type { Health } from './status-document.ts';

/** What is known of a schedule's runs. Instants are epoch milliseconds. */
export interface RunFacts {
  /** Undefined if the service has an expression or a zone that cannot be read: then nothing is known to be due. */
  readonly timing: RunTiming | undefined;
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

export interface RunTiming {
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
export const clockAllowance = 10 * 60_000;

/** `dueOf`: the last run that must have ended by now. */
export function judgeHealth(facts: RunFacts, dueOf: (timing: RunTiming) => Due | undefined): Judgement {
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

const hour = 3_600_000;

export interface Due {
  /** By the clocks of this Node. */
  readonly at: number;
  /** When it may have been due by other clocks: what ended from then on counts. */
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
