// A running apply: its journal lines and results so far and, once something went wrong, why no further change is
// started.

import type { ApplyResult } from '../../model/plan/apply-outcome.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Step } from '../../plan/plan.ts';
import type { Api } from '../../ports/api.ts';
import type { LockedStore } from '../../ports/state-store.ts';
import type { Proposal } from '../propose/propose.ts';
import type { ApplyPorts } from './apply-request.ts';

export interface RunOptions {
  readonly proposal: Proposal;
  readonly failFast: boolean;
  readonly store: LockedStore;
  readonly ports: ApplyPorts;
  /** Undefined where nothing is sent. */
  readonly api: Api | undefined;
}

export interface Run extends RunOptions {
  readonly lines: (JournalIntent | JournalOutcome)[];
  /** How many of the lines are surely durable. */
  durable: number;
  readonly results: Map<Step, ApplyResult>;
  /** The ids that are taken: of what the state knows, and of what this run has made. */
  readonly usedIds: Set<string>;
  /** Identifiers of the dashboards whose filters could not be set, as canonical JSON. */
  readonly failedDashboards: Set<string>;
  seq: number;
  /** Why nothing more is sent; set through halt(). */
  stop: Halt | undefined;
  /** The steps of which something was sent, and not all. */
  readonly underWay: Set<Step>;
  /** Aborts when `stop` is set or the signal aborts: no further change is started. */
  readonly halted: AbortController;
  /** Aborts if even a change that has started must not be finished. */
  readonly ended: AbortController;
  /** The first error that is not a failed change: one of the store, or a bug. */
  broken: unknown;
}

export interface Halt {
  readonly code: string;
  readonly message: string;
}

export function openRun(options: RunOptions): Run {
  const { resources = {}, orphans = [] } = options.proposal.basis.state ?? {};
  return {
    ...options,
    usedIds: new Set([...Object.values(resources), ...orphans].flatMap(({ id }) => id ?? [])),
    lines: [],
    durable: 0,
    results: new Map(),
    failedDashboards: new Set(),
    seq: 0,
    stop: undefined,
    underWay: new Set(),
    halted: new AbortController(),
    ended: new AbortController(),
    broken: undefined,
  };
}

/** Why no further change is started; undefined while all is well. */
export function whyHalted({ ports, stop }: Run): Halt | undefined {
  return ports.signal?.aborted ? interrupted : stop;
}

/** Why even a change that has started must not be finished; undefined while it may be. */
export function whyEnded(run: Run): Halt | undefined {
  return run.ended.signal.aborted ? (whyHalted(run) ?? interrupted) : undefined;
}

export const interrupted: Halt = { code: 'interrupted', message: 'Not started: the run was interrupted.' };

/** Only the first reason is kept. */
export function halt(run: Run, reason: Halt): void {
  run.stop ??= reason;
  run.halted.abort();
  if (reason.code !== failFast) run.ended.abort();
}

/** After this halt, a change that has started is finished: half a replacement would deliver twice. */
export const failFast = 'fail-fast';

/** Returns false if the store refused; then no further change is started. */
export async function journal(run: Run, lines: readonly (JournalIntent | JournalOutcome)[]): Promise<boolean> {
  const earlier = run.lines.length;
  try {
    await run.store.append(lines);
    run.durable = Math.max(run.durable, earlier);
    run.lines.push(...lines);
    return true;
  } catch (error) {
    breakOff(run, error);
    return false;
  }
}

/** Kept in memory, so that the state can be written from it even if the journal cannot. */
export function noteOutcome(run: Run, outcome: JournalOutcome): void {
  run.lines.push(outcome);
  run.store.note([outcome]);
}

/** The store failed, so nothing more is sent. Returns what it means for a change that has not started. */
export function breakOff(run: Run, error: unknown): Halt {
  const isLost = error instanceof Failure && error.code === 'state-lock-lost';
  const why = isLost ? lockLost : { code: 'state-unwritable', message: 'Not started: the journal cannot be written.' };
  run.broken ??= error;
  halt(run, why);
  return why;
}

export const lockLost: Halt = { code: 'state-lock-lost', message: 'Not started: the lock of the state was lost.' };

/** What became of a step. */
export type StepResult = Omit<ApplyResult, 'address' | 'action'>;

export function recordResult(run: Run, step: Step, result: StepResult): void {
  const { change } = step;
  const whole: ApplyResult = { address: change.address, action: change.action, ...result };
  run.results.set(step, whole);
  run.underWay.delete(step);
  run.ports.reporter.emit({ type: 'change-ended', change, result: whole });
}

export function nextSeq(run: Run): number {
  run.seq += 1;
  return run.seq;
}

export function instant(run: Run): string {
  return new Date(run.ports.clock.now()).toISOString();
}
