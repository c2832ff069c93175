// Governments change clocks at short notice, and the service learns of it before this Node does, or after. A run by other
// clocks is an hour early or late. Where the runs around it are far enough away, one that ended then can be no other.

import { comingRuns, previousRun } from '../cron/coming-runs.ts';
import type { Cron } from '../cron/cron.ts';
import { clockAllowance, type RunFacts, type RunTiming } from './judge-health.ts';

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

export function hasRun({ lastCompletedAt, lastStatus }: RunFacts): boolean {
  return lastCompletedAt !== undefined || lastStatus !== undefined;
}

/** Whether certainly nothing has completed since. Of a run that ended nobody knows when, that is not certain. */
export function isOpen(from: number, { lastCompletedAt, lastStatus }: RunFacts): boolean {
  return lastCompletedAt === undefined ? lastStatus === undefined : lastCompletedAt < from;
}

/** Without a run and without its age, a schedule may be a minute old. */
export function isOldEnough(from: number, { changedAt, lastCompletedAt }: RunFacts): boolean {
  return changedAt === undefined ? lastCompletedAt !== undefined : from > changedAt + clockAllowance;
}
