// Carries out the steps of a plan: one kind after the other, several steps of a kind at once. Every effect is journalled
// before and after; at the end the journal is folded into the state. What a step sends is in execute-step.ts.

import type { ApplyDocument, ApplyResult, ResultStatus } from '../../model/plan/apply-outcome.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { type Kind, kindsInOrder } from '../../model/values/address.ts';
import type { Step } from '../../plan/plan.ts';
import type { LockedStore } from '../../ports/state-store.ts';
import type { Proposal } from '../propose/propose.ts';
import { interruptedWords } from '../service/finish-what-is-sent.ts';
import { inParallel } from '../service/in-parallel.ts';
import { foldJournal, plainText } from '../state/fold-journal.ts';
import { journalHeader } from '../state/journal-header.ts';
import { type Announcer, openAnnouncer } from './announce.ts';
import { withCommit } from './applied-commit.ts';
import type { Applied, ApplyPorts } from './apply-request.ts';
import {
  type Halt,
  halt,
  instant,
  journal,
  lockLost,
  nextSeq,
  openRun,
  type Run,
  recordResult,
  whyHalted,
} from './apply-run.ts';
import { dashboardOf, executeStep } from './execute-step.ts';
import { onlyKnownHere } from './only-known-here.ts';

export interface ExecuteOptions {
  readonly failFast: boolean;
  /** Whether the plan covers the whole workspace. */
  readonly isWhole: boolean;
  readonly existing: JournalHeader['existing'];
}

/** Writes the state first, then throws the error of the journal, or the bug, that ended the run early. */
export async function executePlan(
  proposal: Proposal,
  { failFast, isWhole, existing }: ExecuteOptions,
  store: LockedStore,
  ports: ApplyPorts,
): Promise<Applied> {
  const { document, steps, basis } = proposal;
  const header = { ...journalHeader(basis, document.baseUrl ?? '', ports), ...(existing && { existing }) };
  await store.begin(header);
  ports.reporter.emit({ type: 'started', changes: steps.map(({ change }) => change) });
  const sends = steps.some(({ change }) => change.requests > 0);
  const api = sends ? await ports.service.api() : undefined;
  const run = openRun({ proposal, failFast, store, ports, api });
  await executeSteps(run);
  const folded = foldJournal(basis.state, { header, lines: run.lines }, ports.store.name);
  const results = steps.flatMap((step) => run.results.get(step) ?? []);
  const isDone = isWhole && run.broken === undefined && results.length === steps.length;
  const state = isDone && folded !== undefined ? withCommit(folded, results, ports.environment) : folded;
  await commit(run, state);
  if (run.broken !== undefined) throw run.broken;
  return { plan: document, document: outcomeOf(document, results, state), state };
}

/** Throws what the store throws; if the lock was lost, says first what only this run knows. */
async function commit(run: Run, state: State | undefined): Promise<void> {
  try {
    await run.store.commit(state, { release: true });
  } catch (error) {
    const message = run.store.lost.aborted ? onlyKnownHere(run) : undefined;
    if (message !== undefined) run.ports.reporter.emit({ type: 'note', message });
    throw error;
  }
}

export function outcomeOf(
  plan: PlanDocument,
  results: readonly ApplyResult[],
  state: State | undefined,
): ApplyDocument {
  const count = (status: ResultStatus) => results.filter((result) => result.status === status).length;
  return {
    formatVersion: 1,
    digest: plan.digest,
    results,
    orphans: state?.orphans ?? [],
    summary: {
      applied: count('applied'),
      failed: count('failed'),
      skipped: count('skipped'),
      unknown: count('unknown'),
    },
  };
}

async function executeSteps(run: Run): Promise<void> {
  const { ports, store } = run;
  const interrupt = () => {
    run.halted.abort();
    const underWay = [...run.underWay].map(({ change: { address, action } }) => `${address} (${action})`);
    ports.reporter.emit({ type: 'note', message: interruptedWords('changes', underWay) });
  };
  const stops = [
    [ports.signal, interrupt],
    [store.lost, () => halt(run, lockLost)],
  ] as const;
  for (const [signal, stop] of stops) {
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
  }
  try {
    await recordStateOnly(run);
    for (const kind of kindsInOrder) await sendAll(run, kind);
  } finally {
    for (const [signal, stop] of stops) signal?.removeEventListener('abort', stop);
  }
}

/** Records the moves, then the other changes that send nothing, all in one write. */
async function recordStateOnly(run: Run): Promise<void> {
  const moves = run.proposal.steps.filter(({ change }) => change.previousAddress !== undefined);
  const quiet = run.proposal.steps.filter(({ change }) => change.requests === 0);
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
    recordResult(run, step, {
      status: 'applied',
      ...(step.change.id === undefined ? {} : { id: step.change.id }),
      requests: 0,
    });
}

function moveOf({ change: { address, previousAddress = '' } }: Step): Omit<JournalIntent, 'type' | 'seq' | 'at'> {
  return { address, action: 'move', previousAddress };
}

function quietIntent(step: Step): Omit<JournalIntent, 'type' | 'seq' | 'at'> {
  const { change, after, throughSink } = step;
  const unread = unreadIn(step);
  return {
    address: change.address,
    action: change.action,
    ...(after === undefined ? {} : { attributes: after }),
    ...(after === undefined || unread.length === 0 ? {} : { unread }),
    ...(after === undefined || throughSink === undefined ? {} : { throughSink }),
    // Observing some fields does not settle what an earlier apply left open.
    ...(change.reason === 'refreshed' ? { ahead: true as const } : {}),
    ...(change.action === 'update' ? { stateOnly: true as const } : {}),
    ...(change.reason === 'removed' || change.reason === 'missing' ? { release: true as const } : {}),
  };
}

/** Omni never returns a password, so an adopted schedule may have one that is not declared. */
function unreadIn({ change, after, unread = [] }: Step): readonly string[] {
  const mayHaveOne = after?.['destinationType'] === 'sftp' && after['passwordUnencrypted'] === undefined;
  return change.action === 'adopt' && mayHaveOne ? [...unread, 'passwordUnencrypted'] : unread;
}

async function sendAll(run: Run, kind: Kind): Promise<void> {
  const steps = run.proposal.steps.filter(({ change }) => change.kind === kind && change.requests > 0);
  const announcer = openAnnouncer(
    run,
    steps.filter((step) => reasonToSkip(run, step) === undefined),
  );
  await inParallel(steps, run.ports.service.concurrency, (step) => sendStep(run, step, announcer));
  await announcer.close();
}

async function sendStep(run: Run, step: Step, announcer: Announcer): Promise<void> {
  const skip = reasonToSkip(run, step);
  if (skip === undefined) await executeStep(run, step, announcer);
  else recordResult(run, step, { status: 'skipped', requests: 0, error: skip });
}

function reasonToSkip(run: Run, { change, after }: Step): Halt | undefined {
  const halted = whyHalted(run);
  if (halted !== undefined) return halted;
  if (change.kind !== 'schedule' || after === undefined || !run.failedDashboards.has(dashboardOf(after)))
    return undefined;
  return {
    code: 'dependency-failed',
    message: `Not started: the filters of its dashboard ${plainText(after, 'identifier')} could not be set.`,
  };
}
