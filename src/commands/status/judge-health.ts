// Whether the deliveries of a schedule work, as far as its row in the list tells: how its last run ended, and whether a
// run was due since. Nothing here is history: the service knows the last run only.

import { previousRun } from '../../cron/coming-runs.ts';
import type { Cron } from '../../cron/cron.ts';
import { type Health, hasFailed } from '../../model/deliveries/status-document.ts';

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

export interface Judgement {
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
