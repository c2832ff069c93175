// Whether the deliveries of a schedule work, as far as its row in the list tells: how its last run ended, and whether a
// run was due since. Nothing here is history: the service knows the last run only.

import type { Cron } from '../cron/cron.ts';
import { hasFailed } from '../model/service/last-status.ts';
import { type Due, hasRun, isOldEnough, isOpen } from './due-run.ts';
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
