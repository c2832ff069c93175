// An apply from the lock to the written state. What is refused is refused before the first request; what was begun is
// recorded whatever happens.

import type { ApplyDocument, ApplyResult, ResultStatus } from '../../model/plan/apply-outcome.ts';
import type { JournalHeader } from '../../model/plan/journal.ts';
import type { Change, PlanDocument, Refresh, SavedPlan } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import type { Api, ConnectApi } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { Reporter } from '../../ports/reporter.ts';
import type { LockedStore, StateStore } from '../../ports/state-store.ts';
import type { Loaded } from '../load/load.ts';
import type { Environment } from '../load/load-config.ts';
import { type Proposal, standingOf, unplanned } from '../propose/propose.ts';
import { proposeAgain } from '../propose/saved-plan.ts';
import { selectMatches } from '../propose/selection.ts';
import { type Connection, connectionOf, noBaseUrl } from '../service/connect.ts';
import { observeForPlan } from '../service/observe-for-plan.ts';
import { checkSameOrganization, currentState } from '../state/current-state.ts';
import { foldJournal } from '../state/fold-journal.ts';
import { waitForLock } from '../state/wait-for-lock.ts';
import {
  type ApplyFlags,
  checkDuration,
  checkGuards,
  checkSecrets,
  type Expected,
  userIdNotes,
} from './check-apply.ts';
import { checkDuplicates, createsSchedules, dashboardsToList } from './create-guard.ts';
import { execute } from './execute-plan.ts';
import { needsRecovery, recover } from './recover.ts';
import { makeTally, type Tally } from './tally.ts';

export interface ApplyOptions extends ApplyFlags {
  readonly loaded: Loaded;
  readonly store: StateStore;
  readonly connect: ConnectApi;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly reporter: Reporter;
  readonly toolVersion: string;
  /** What to call this run in the lock. */
  readonly command: string;
  /** Asked with the plan, and what its requests come to; nothing is done where the answer is no. */
  readonly confirm: (document: PlanDocument, expected: Expected | undefined) => Promise<boolean>;
  readonly saved: SavedPlan | undefined;
  /** The digest that the plan must have. */
  readonly expect: string | undefined;
  /** Undefined for everything. */
  readonly targets: readonly string[] | undefined;
  readonly replace: readonly string[];
  readonly allowEmpty: boolean;
  /** How the service is looked at first; a saved plan says so itself. */
  readonly refresh: Refresh | undefined;
  /** Create schedules though there are untracked ones of the same name on the same dashboard. */
  readonly allowDuplicates: boolean;
  readonly allowHttp: boolean;
  readonly failFast: boolean;
  readonly maxAttempts: number;
  readonly maxWait: number;
  /** Seconds to wait for a lock that is held. */
  readonly lockTimeout: number;
  readonly signal: AbortSignal | undefined;
}

export interface Applied {
  readonly plan: PlanDocument;
  /** Undefined where the plan was declined. */
  readonly document?: ApplyDocument;
  readonly state: State | undefined;
}

export async function apply(options: ApplyOptions): Promise<Applied> {
  const { store, reporter, clock, signal } = options;
  const locked = await waitForLock(store, {
    command: options.command,
    timeout: options.lockTimeout,
    clock,
    signal,
    onWait: (message) => reporter.emit({ type: 'waiting', seconds: options.lockTimeout, why: message }),
  });
  try {
    for (const message of locked.notes) reporter.emit({ type: 'note', message });
    return await applyLocked(options, locked);
  } finally {
    await locked.release();
  }
}

async function applyLocked(options: ApplyOptions, locked: LockedStore): Promise<Applied> {
  const { loaded, store } = options;
  const { config } = loaded;
  if (config === undefined) throw unplanned(loaded);
  const sources = new Map(loaded.desired.resources.map((resource) => [resource.address, resource.attributes]));
  const declared = (address: string) => sources.get(address);
  let connection: Connection | undefined;
  const tally = makeTally(options.clock);
  const connected = () => {
    connection ??= connectionOf({ ...options, config, onRequest: tally.onRequest });
    return connection;
  };
  try {
    const before = await readState(options, locked, config);
    await checkDeclared(options, before);
    const state = await recoverState(options, locked, before, { config, declared, connected });
    const salt = state?.salt ?? options.randomness.bytes(16);
    const refresh = options.saved === undefined ? options.refresh : options.saved.refresh;
    const observation = await observeForPlan({ ...options, refresh, state, connected });
    const proposal = await proposeAgain({ ...options, refresh, observation, stateName: store.name, state, salt });
    const { document } = proposal;
    checkGuards(document, standingOf(state, observation), config, options);
    if (document.baseUrl === null) throw noBaseUrl();
    const work = { proposal, state, salt, declared };
    const { api, expected } = await openApi(options, { ...work, config, tally }, connected);
    if (document.changes.length === 0) return { plan: document, document: outcomeOf(document, [], state), state };
    if (!(await options.confirm(document, expected))) return { plan: document, state };
    return await executePlan(options, locked, { ...work, api });
  } finally {
    await connection?.close();
  }
}

/** What the files alone refuse: errors in them, and secrets that are not set of what may be sent. */
async function checkDeclared(options: ApplyOptions, state: State | undefined): Promise<void> {
  const { loaded, environment, saved, targets } = options;
  if (hasErrors(loaded.findings)) throw unplanned(loaded);
  const refresh = saved === undefined ? options.refresh : saved.refresh;
  if (refresh?.only) return;
  const chosen = saved?.changes ?? (targets && (await selectMatches(loaded, state, targets)));
  checkSecrets(
    loaded,
    environment,
    chosen?.map(({ address }) => address),
  );
}

interface Means {
  readonly config: Config;
  readonly declared: (address: string) => DeclaredObject | undefined;
  readonly connected: () => Connection;
}

/** The state, with what a dead apply left folded into it. */
async function readState({ store }: ApplyOptions, locked: LockedStore, { api }: Config): Promise<State | undefined> {
  const stored = await locked.read();
  const state = currentState(stored, store.name);
  if (stored.journal !== undefined) await locked.commit(state);
  checkSameOrganization(state, api.baseUrl, store.name);
  return state;
}

/** With operations full, what became of what the state left open. */
async function recoverState(
  { clock, signal, reporter }: ApplyOptions,
  locked: LockedStore,
  state: State | undefined,
  { config, declared, connected }: Means,
): Promise<State | undefined> {
  if (state === undefined || config.api.operations !== 'full' || !needsRecovery(state)) return state;
  const note = (message: string) => reporter.emit({ type: 'note', message });
  const recovered = await recover(state, { api: await connected().open(), clock, declared, signal, note });
  const next = { ...recovered, serial: state.serial + 1 };
  await locked.commit(next);
  return next;
}

interface Sending extends Omit<Work, 'api'> {
  readonly config: Config;
  readonly tally: Tally;
}

/** The connection for what the plan sends; undefined where it sends nothing. What is refused is refused here. */
async function openApi(
  options: ApplyOptions,
  { proposal, state, declared, config, tally }: Sending,
  connected: () => Connection,
): Promise<{ readonly api: Api | undefined; readonly expected: Expected | undefined }> {
  const { document } = proposal;
  const requests = document.changes.reduce((sum, change) => sum + change.requests, 0);
  if (requests === 0) return { api: undefined, expected: undefined };
  const { reporter, signal, maxDuration } = options;
  const guard = { document, state, declared };
  const isGuarded = config.api.operations === 'full' && !options.allowDuplicates && createsSchedules(guard);
  const { tokens, open } = connected();
  const limits = { rateLimit: config.api.rateLimit, tokens: tokens.length, maxDuration };
  checkDuration(requests + (isGuarded ? (dashboardsToList(guard)?.length ?? 1) : 0), tally, limits);
  const api = await open();
  for (const message of userIdNotes(document, tokens)) {
    reporter.emit({ type: 'note', code: 'user-id-needs-organization-key', message });
  }
  if (isGuarded) await checkDuplicates(guard, api, signal === undefined ? {} : { signal });
  // The list may have had more pages than it was taken to have.
  return { api, expected: checkDuration(requests, tally, limits) };
}

interface Work {
  readonly proposal: Proposal;
  readonly state: State | undefined;
  readonly salt: string;
  readonly declared: (address: string) => DeclaredObject | undefined;
  readonly api: Api | undefined;
}

async function executePlan(
  options: ApplyOptions,
  locked: LockedStore,
  { proposal, state, salt, declared, api }: Work,
): Promise<Applied> {
  const { loaded, clock, reporter, store, failFast, signal } = options;
  const { document, steps } = proposal;
  const header: JournalHeader = {
    type: 'header',
    version: 1,
    lineage: state?.lineage ?? options.randomness.uuid(),
    serial: state?.serial ?? 0,
    baseUrl: document.baseUrl ?? '',
    salt,
    toolVersion: options.toolVersion,
  };
  await locked.begin(header);
  reporter.emit({ type: 'started', changes: steps.length });
  const concurrency = loaded.config?.api.concurrency ?? 1;
  const createdAt = ({ id, reason, address, previousAddress = address }: Change) =>
    reason === 'replaced'
      ? state?.orphans.find((orphan) => orphan.id === id)?.since
      : state?.resources[previousAddress]?.createdAt;
  const { operations } = document;
  const run = {
    steps,
    operations,
    declared,
    createdAt,
    store: locked,
    api,
    clock,
    reporter,
    concurrency,
    failFast,
    signal,
  };
  const { results, lines, broken } = await execute(run);
  const after = foldJournal(state, { header, lines }, store.name);
  await locked.commit(after);
  if (broken !== undefined) throw broken;
  return { plan: document, document: outcomeOf(document, results, after), state: after };
}

function outcomeOf(plan: PlanDocument, results: readonly ApplyResult[], state: State | undefined): ApplyDocument {
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
