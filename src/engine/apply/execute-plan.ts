// Carries out the steps of a plan: every effect journalled before and after, kinds one after the other, within a kind
// several at once. It decides what is still begun after a failure; what a step sends is carry-out's.

import type { ApplyResult } from '../../model/plan/apply-outcome.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import { type Kind, kindsInOrder } from '../../model/values/address.ts';
import type { Step } from '../../plan/make-step.ts';
import { inParallel } from '../service/in-parallel.ts';
import { plainText } from '../state/fold-journal.ts';
import {
  type Halt,
  instant,
  journal,
  nextSeq,
  openRun,
  type Run,
  type RunOptions,
  settle,
  whyHalted,
} from './apply-run.ts';
import { dashboardOf, executeStep } from './execute-step.ts';

export interface Executed {
  /** In the order of the steps. */
  readonly results: readonly ApplyResult[];
  /** The journal as it is in memory: an outcome counts even where the disk refused its line. */
  readonly lines: readonly (JournalIntent | JournalOutcome)[];
  /** The first thing that is no failure of a change: the disk, or a bug. */
  readonly broken: unknown;
}

export async function execute(options: RunOptions): Promise<Executed> {
  const run = openRun(options);
  const interrupt = () => {
    run.halted.abort();
    run.ended.abort();
  };
  options.signal?.addEventListener('abort', interrupt);
  if (options.signal?.aborted) interrupt();
  try {
    await recordStateOnly(run);
    for (const kind of kindsInOrder) await sendAll(run, kind);
  } finally {
    options.signal?.removeEventListener('abort', interrupt);
  }
  const results = options.steps.flatMap((step) => run.results.get(step) ?? []);
  return { results, lines: run.lines, broken: run.broken };
}

/** Moves first and together, then what changes the state alone: one write for all of it. */
async function recordStateOnly(run: Run): Promise<void> {
  const moves = run.steps.filter(({ change }) => change.previousAddress !== undefined);
  const quiet = run.steps.filter(({ change }) => change.requests === 0);
  const pairs = (steps: readonly Step[], intentOf: (step: Step) => Omit<JournalIntent, 'type' | 'seq' | 'at'>) =>
    steps.map((step): readonly [JournalIntent, JournalOutcome] => {
      const [seq, at, { id }] = [nextSeq(run), instant(run), step.change];
      return [
        { type: 'intent', seq, ...intentOf(step), at },
        { type: 'outcome', seq, status: 'applied', ...(id === undefined ? {} : { id }), at },
      ];
    });
  const moved = pairs(moves, moveOf);
  const lines = [
    ...moved.map(([intent]) => intent),
    ...moved.map(([, outcome]) => outcome),
    ...pairs(
      quiet.filter(({ change }) => change.action !== 'move'),
      quietIntent,
    ).flat(),
  ];
  if (lines.length === 0 || !(await journal(run, lines))) return;
  for (const step of quiet)
    settle(run, step, {
      status: 'applied',
      ...(step.change.id === undefined ? {} : { id: step.change.id }),
      requests: 0,
    });
}

function moveOf({ change: { address, previousAddress = '' } }: Step): Omit<JournalIntent, 'type' | 'seq' | 'at'> {
  return { address, action: 'move', previousAddress };
}

function quietIntent({ change, after }: Step): Omit<JournalIntent, 'type' | 'seq' | 'at'> {
  return {
    address: change.address,
    action: change.action,
    ...(after === undefined ? {} : { attributes: after }),
    // A look at some fields does not settle what an earlier apply left open.
    ...(change.reason === 'refreshed' ? { ahead: true as const } : {}),
    ...(change.action === 'update' ? { stateOnly: true as const } : {}),
    ...(change.reason === 'removed' || change.reason === 'missing' ? { release: true as const } : {}),
  };
}

async function sendAll(run: Run, kind: Kind): Promise<void> {
  const steps = run.steps.filter(({ change }) => change.kind === kind && change.requests > 0);
  await inParallel(steps, run.concurrency, (step) => sendStep(run, step));
}

async function sendStep(run: Run, step: Step): Promise<void> {
  const skip = reasonToSkip(run, step);
  if (skip === undefined) await executeStep(run, step);
  else settle(run, step, { status: 'skipped', requests: 0, error: skip });
}

function reasonToSkip(run: Run, { change, after }: Step): Halt | undefined {
  const halted = whyHalted(run);
  if (halted !== undefined) return halted;
  if (change.kind !== 'schedule' || after === undefined || !run.failedDashboards.has(dashboardOf(after)))
    return undefined;
  return {
    code: 'dependency-failed',
    message: `Not begun: the filters of its dashboard ${plainText(after, 'identifier')} could not be set.`,
  };
}
