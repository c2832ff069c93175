// Whether the deliveries of a schedule work, as far as its row in the list tells: how its last run ended, and whether a
// run was due since. Nothing here is history: the service knows the last run only.

import type { Cron } from '../../cron/cron.ts';
import { previousRun } from '../../cron/previous-run.ts';
import { type Health, hasFailed } from '../../model/plan/status-document.ts';

/** What is known of a schedule's runs. Instants are epoch milliseconds. */
export interface RunFacts {
  /** Undefined if the service has an expression or a zone that cannot be read: then nothing is known to be due. */
  readonly timing: { readonly cron: Cron; readonly zone: string } | undefined;
  readonly paused: boolean;
  /** Why the service itself stopped it. */
  readonly stopped?: string | undefined;
  /** In the words of the service. */
  readonly lastStatus?: string | undefined;
  readonly lastCompletedAt?: number | undefined;
  /** When it was created or last changed: what was due before then was due under another schedule. */
  readonly changedAt?: number | undefined;
}

export interface Judgement {
  readonly health: Health;
  /** The last run whose tolerance is over, epoch milliseconds. */
  readonly due?: number;
  readonly reason?: string;
}

/** `tolerance`: how many milliseconds a run may take before it counts as missed. */
export function judgeHealth(facts: RunFacts, now: number, tolerance: number): Judgement {
  const { timing, paused, stopped, lastStatus, lastCompletedAt, changedAt } = facts;
  if (stopped !== undefined) return { health: 'stopped', reason: stopped };
  if (paused) return { health: 'paused' };
  if (lastStatus === 'CONDITION_UNMET') return { health: 'condition-unmet' };
  const due = timing && previousRun(timing.cron, timing.zone, now - tolerance)?.at;
  const isOpen = due !== undefined && (lastCompletedAt ?? Number.NEGATIVE_INFINITY) < due;
  // Without a run and without its age, a schedule may be a minute old.
  const age = changedAt ?? (lastCompletedAt === undefined ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
  const known = due === undefined ? {} : { due };
  if (isOpen && due > age) return { health: 'missed', ...known };
  if (lastStatus !== undefined && hasFailed(lastStatus)) return { health: 'failed', ...known, reason: lastStatus };
  return { health: lastCompletedAt === undefined ? 'never-ran' : 'fine', ...known };
}
