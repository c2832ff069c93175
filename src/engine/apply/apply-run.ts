// An apply while it runs: what it has journalled, the results so far, and why nothing more is begun once something is
// wrong.

import type { ApplyResult } from '../../model/plan/apply-outcome.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { Step } from '../../plan/make-step.ts';
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
  readonly results: Map<Step, ApplyResult>;
  /** Their identifiers, as canonical JSON. */
  readonly failedDashboards: Set<string>;
  seq: number;
  /** Why nothing more is sent; set through halt(). */
  stop: Halt | undefined;
  /** Aborts with `stop` or the signal: requests that wait for their turn are not sent. */
  readonly halted: AbortController;
  /** Aborts where not even a change that was begun may be finished. */
  readonly ended: AbortController;
  /** The first error that is not the failure of a change: the disk, or a bug. */
  broken: unknown;
}

export interface Halt {
  readonly code: string;
  readonly message: string;
}

export function openRun(options: RunOptions): Run {
  return {
    ...options,
    lines: [],
    results: new Map(),
    failedDashboards: new Set(),
    seq: 0,
    stop: undefined,
    halted: new AbortController(),
    ended: new AbortController(),
    broken: undefined,
  };
}

/** Why nothing more is begun; undefined while all is well. */
export function whyHalted({ ports, stop }: Run): Halt | undefined {
  return ports.signal?.aborted ? interrupted : stop;
}

/** Why not even the rest of a change that was begun is sent; undefined while it may be. */
export function whyEnded(run: Run): Halt | undefined {
  return run.ended.signal.aborted ? (whyHalted(run) ?? interrupted) : undefined;
}

export const interrupted: Halt = { code: 'interrupted', message: 'Not begun: the run was interrupted.' };

/** The first reason counts. */
export function halt(run: Run, reason: Halt): void {
  run.stop ??= reason;
  run.halted.abort();
  if (reason.code !== failFast) run.ended.abort();
}

/** The code of the halt that lets a change that was begun be finished: half a replacement delivers twice. */
export const failFast = 'fail-fast';

/** False where the disk refused: then nothing more is begun. */
export async function journal(run: Run, lines: readonly (JournalIntent | JournalOutcome)[]): Promise<boolean> {
  try {
    await run.store.append(lines);
    run.lines.push(...lines);
    return true;
  } catch (error) {
    // An outcome is kept in memory, so that the state can still be written from it.
    if (lines.every(({ type }) => type === 'outcome')) run.lines.push(...lines);
    run.broken ??= error;
    halt(run, { code: 'state-unwritable', message: 'Not begun: the journal cannot be written.' });
    return false;
  }
}

/** What became of a step. */
export type StepResult = Omit<ApplyResult, 'address' | 'action'>;

export function recordResult(run: Run, step: Step, result: StepResult): void {
  const { change } = step;
  const whole: ApplyResult = { address: change.address, action: change.action, ...result };
  run.results.set(step, whole);
  run.ports.reporter.emit({ type: 'change-ended', change, result: whole });
}

export function nextSeq(run: Run): number {
  run.seq += 1;
  return run.seq;
}

export function instant(run: Run): string {
  return new Date(run.ports.clock.now()).toISOString();
}
