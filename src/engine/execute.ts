// Carries out the steps of a plan: every effect journalled before and after, kinds one after the other, within a kind
// several at once. It decides what is still sent after a failure; what a request is and how it is repeated is the api's.

import type { Kind } from '../model/address.ts';
import { kindsInOrder } from '../model/address.ts';
import type { ApplyResult, ResultStatus } from '../model/apply-outcome.ts';
import { Failure } from '../model/failure.ts';
import type { JournalIntent, JournalOutcome } from '../model/journal.ts';
import { canonicalJson, type JsonObject } from '../model/json.ts';
import type { Declared, DeclaredObject } from '../model/resource.ts';
import { withIgnored } from '../plan/facts.ts';
import type { Step } from '../plan/make-plan.ts';
import { pickPatch } from '../plan/patch.ts';
import type { Api, CallOptions, Created, ServiceError } from '../ports/api.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reporter } from '../ports/reporter.ts';
import type { LockedStore } from '../ports/state-store.ts';
import { plainText } from './fold-journal.ts';

export interface ExecuteOptions {
  readonly steps: readonly Step[];
  /** The declaration of an address, with its secrets. */
  readonly declared: (address: string) => DeclaredObject | undefined;
  readonly store: LockedStore;
  readonly api: Api | undefined;
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly concurrency: number;
  readonly failFast: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface Executed {
  /** In the order of the steps. */
  readonly results: readonly ApplyResult[];
  /** The journal as it is in memory: an outcome counts even where the disk refused its line. */
  readonly lines: readonly (JournalIntent | JournalOutcome)[];
  /** The first thing that is no failure of a change: the disk, or a bug. */
  readonly broken: unknown;
}

interface Run extends ExecuteOptions {
  readonly lines: (JournalIntent | JournalOutcome)[];
  readonly results: Map<Step, ApplyResult>;
  /** Their identifiers, as canonical JSON. */
  readonly failedDashboards: Set<string>;
  seq: number;
  /** Why nothing more is sent; set through halt(). */
  stop: Halt | undefined;
  /** Aborts with `stop`, or the signal: what still waits for its turn is not sent either. */
  readonly halted: AbortController;
  broken: unknown;
}

interface Halt {
  readonly code: string;
  readonly message: string;
}

export async function execute(options: ExecuteOptions): Promise<Executed> {
  const run: Run = {
    ...options,
    lines: [],
    results: new Map(),
    failedDashboards: new Set(),
    seq: 0,
    stop: undefined,
    halted: new AbortController(),
    broken: undefined,
  };
  const interrupt = () => run.halted.abort();
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
    ...(change.reason === 'removed' ? { release: true as const } : {}),
  };
}

async function sendAll(run: Run, kind: Kind): Promise<void> {
  const waiting = run.steps.filter(({ change }) => change.kind === kind && change.requests > 0).values();
  const worker = async () => {
    for (const step of waiting) await sendStep(run, step);
  };
  await Promise.all(Array.from({ length: run.concurrency }, worker));
}

async function sendStep(run: Run, step: Step): Promise<void> {
  const skip = reasonToSkip(run, step);
  if (skip !== undefined) {
    settle(run, step, { status: 'skipped', requests: 0, error: skip });
    return;
  }
  const seq = nextSeq(run);
  const { change, after = {} } = step;
  const named =
    change.kind === 'schedule' ? { identifier: plainText(after, 'identifier'), name: plainText(after, 'name') } : {};
  const intent: JournalIntent = {
    type: 'intent',
    seq,
    address: change.address,
    action: change.action,
    attributes: after,
    ...named,
    at: instant(run),
  };
  if (!(await journal(run, [intent]))) {
    settle(run, step, { status: 'skipped', requests: 0, error: run.stop ?? interrupted });
    return;
  }
  run.reporter.emit({ type: 'change-started', change });
  const sent = await send(run, step);
  const { status, created } = sent;
  const outputs = created && Object.keys(created.outputs).length > 0 ? { outputs: created.outputs } : {};
  const id = created?.id ?? (status === 'applied' && change.action === 'update' ? change.id : undefined);
  const known = { ...(id === undefined ? {} : { id }), ...outputs };
  await journal(run, [
    { type: 'outcome', seq, status: status === 'skipped' ? 'failed' : status, ...known, at: instant(run) },
  ]);
  settle(run, step, {
    status,
    ...known,
    requests: sent.requests,
    ...(sent.error === undefined ? {} : { error: sent.error }),
  });
}

const interrupted = { code: 'interrupted', message: 'Not begun: the run was interrupted.' };

function reasonToSkip(run: Run, { change, after }: Step): ApplyResult['error'] {
  if (run.signal?.aborted) return interrupted;
  if (run.stop !== undefined) return run.stop;
  if (change.kind === 'schedule' && after !== undefined && run.failedDashboards.has(dashboardOf(after))) {
    return {
      code: 'dependency-failed',
      message: `Not begun: the filters of its dashboard ${plainText(after, 'identifier')} could not be set.`,
    };
  }
  return undefined;
}

/** An identifier from the environment is a fingerprint, the same for the same text. */
function dashboardOf(attributes: JsonObject): string {
  return canonicalJson(attributes['identifier'] ?? null);
}

interface Sent {
  readonly status: ResultStatus;
  readonly created?: Created | undefined;
  readonly requests: number;
  readonly error?: ApplyResult['error'];
}

async function send(run: Run, step: Step): Promise<Sent> {
  let requests = 0;
  const options: CallOptions = {
    onRequest: () => {
      requests += 1;
    },
    signal: run.halted.signal,
  };
  try {
    return { status: 'applied', created: await request(run, step, options), requests };
  } catch (error) {
    return { ...failed(run, step, error), requests };
  }
}

async function request(run: Run, step: Step, options: CallOptions): Promise<Created | undefined> {
  const { change, ignored, patch } = step;
  const declared = run.declared(change.address);
  if (run.api === undefined || declared === undefined) throw new Error(`nothing to send for ${change.address}`);
  const attributes = withIgnored<Declared>(declared, ignored) as DeclaredObject;
  switch (change.kind) {
    case 'dashboard':
      await run.api.updateFilters(patch === undefined ? attributes : pickPatch<Declared>(attributes, patch), options);
      return undefined;
    case 'schedule':
      return run.api.createSchedule(attributes, options);
    case 'aiJob':
      return run.api.createAiJob(attributes, options);
  }
}

/** A failed change, and what it means for the others. */
function failed(run: Run, { change, after }: Step, error: unknown): Omit<Sent, 'requests'> {
  if (change.kind === 'dashboard' && after !== undefined) run.failedDashboards.add(dashboardOf(after));
  if (!(error instanceof Failure)) {
    run.broken ??= error;
    halt(run, { code: 'bug', message: 'Not begun: an earlier change ended in a bug of almanac.' });
    return {
      status: 'unknown',
      error: { code: 'bug', message: 'It ended in a bug of almanac; whether the service did it is not known.' },
    };
  }
  if ((error.cause as ServiceError | undefined)?.status === 401) {
    halt(run, { code: 'api-unauthorized', message: 'Not begun: the service does not accept the token.' });
  } else if (error.code === 'interrupted') {
    // It waited its turn, and the signal or the end of everything came first.
    return { status: 'skipped', error: run.stop ?? interrupted };
  } else if (run.failFast) {
    halt(run, { code: 'fail-fast', message: 'Not begun: an earlier change failed, and --fail-fast is set.' });
  }
  const status = error.code === 'api-answer-lost' ? 'unknown' : 'failed';
  return {
    status,
    error: { code: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) },
  };
}

/** False where the disk refused: then nothing more is begun. */
async function journal(run: Run, lines: readonly (JournalIntent | JournalOutcome)[]): Promise<boolean> {
  try {
    await run.store.append(lines);
    run.lines.push(...lines);
    return true;
  } catch (error) {
    // An outcome is kept in memory all the same: the state can still be written from it.
    if (lines.every(({ type }) => type === 'outcome')) run.lines.push(...lines);
    run.broken ??= error;
    halt(run, { code: 'state-unwritable', message: 'Not begun: the journal can not be written.' });
    return false;
  }
}

/** The first reason counts. */
function halt(run: Run, reason: Halt): void {
  run.stop ??= reason;
  run.halted.abort();
}

function settle(run: Run, step: Step, result: Omit<ApplyResult, 'address' | 'action'>): void {
  const { change } = step;
  const whole: ApplyResult = { address: change.address, action: change.action, ...result };
  run.results.set(step, whole);
  run.reporter.emit({ type: 'change-ended', change, result: whole });
}

function nextSeq(run: Run): number {
  run.seq += 1;
  return run.seq;
}

function instant(run: Run): string {
  return new Date(run.clock.now()).toISOString();
}
