// An apply from the lock to the written state. What is refused is refused before the first request; what was begun is
// recorded whatever happens.

import type { ApplyDocument, ApplyResult, ResultStatus } from '../model/apply-outcome.ts';
import { Failure } from '../model/failure.ts';
import type { JournalHeader } from '../model/journal.ts';
import type { PlanDocument, SavedPlan } from '../model/plan.ts';
import type { State } from '../model/state.ts';
import type { Api, ConnectApi } from '../ports/api.ts';
import type { Clock } from '../ports/clock.ts';
import type { Randomness } from '../ports/randomness.ts';
import type { Reporter } from '../ports/reporter.ts';
import type { LockedStore, StateStore } from '../ports/state-store.ts';
import { type ApplyFlags, checkDuration, checkGuards, checkSecrets, tokensOf, userIdNotes } from './check-apply.ts';
import { currentState } from './current-state.ts';
import { execute } from './execute.ts';
import { foldJournal } from './fold-journal.ts';
import type { Loaded } from './load.ts';
import type { Environment } from './load-config.ts';
import { type Proposal, propose } from './propose.ts';
import { checkExpected, checkSavedPlan } from './saved-plan.ts';
import { waitForLock } from './wait-for-lock.ts';

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
  /** Asked with the plan; nothing is done where the answer is no. */
  readonly confirm: (document: PlanDocument) => Promise<boolean>;
  readonly saved: SavedPlan | undefined;
  /** The digest that the plan must have. */
  readonly expect: string | undefined;
  /** Undefined for everything. */
  readonly targets: readonly string[] | undefined;
  readonly replace: readonly string[];
  readonly allowEmpty: boolean;
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
  const { loaded, store, environment } = options;
  const state = await recoverState(locked, store.name);
  const salt = state?.salt ?? options.randomness.bytes(16);
  const proposal = await proposeFor(options, state, salt);
  const { document } = proposal;
  const { config } = loaded;
  if (config === undefined) throw new Error('a proposal without a configuration');
  checkGuards(document, state, config, options);
  checkSecrets(loaded, environment, options.saved || options.targets ? changed(document, options) : undefined);
  if (document.baseUrl === null) throw noBaseUrl();
  const requests = document.changes.reduce((sum, change) => sum + change.requests, 0);
  const api = requests === 0 ? undefined : await connectFor(options, document, requests);
  try {
    if (document.changes.length === 0) return { plan: document, document: outcomeOf(document, [], state), state };
    if (!(await options.confirm(document))) return { plan: document, state };
    return await carryOut(options, locked, { proposal, state, salt, api });
  } finally {
    await api?.close();
  }
}

/** What was asked for, and what it comes to: a target may be the address that a resource moved from. */
function changed({ changes }: PlanDocument, { targets = [] }: ApplyOptions): readonly string[] {
  return [...targets, ...changes.map(({ address }) => address)];
}

/** The state, with what a dead apply left folded into it. */
async function recoverState(locked: LockedStore, name: string): Promise<State | undefined> {
  const stored = await locked.read();
  const state = currentState(stored, name);
  if (stored.journal !== undefined && state !== undefined) await locked.commit(state);
  return state;
}

/** A saved plan is planned again, for the same resources, and must come out the same. */
async function proposeFor(options: ApplyOptions, state: State | undefined, salt: string): Promise<Proposal> {
  const { saved, loaded, store, toolVersion } = options;
  const common = { loaded, state, stateName: store.name, salt, toolVersion };
  if (saved === undefined) {
    const proposal = await propose({
      ...common,
      targets: options.targets,
      replace: options.replace,
      allowEmpty: options.allowEmpty,
    });
    if (options.expect !== undefined) checkExpected(options.expect, proposal.document);
    return proposal;
  }
  const known = knownAddresses(loaded, state);
  const addresses = saved.changes.map(({ address }) => address).filter((address) => known.has(address));
  const replace = saved.changes
    .filter(({ address, reason }) => reason === 'requested' && known.has(address))
    .map(({ address }) => address);
  const proposal = await propose({ ...common, targets: addresses, replace, allowEmpty: true });
  if (options.expect !== undefined) checkExpected(options.expect, proposal.document);
  checkSavedPlan(saved, proposal);
  return proposal;
}

/** A saved plan may be about resources that nothing knows any more; what else differs then says that it is stale. */
function knownAddresses({ desired }: Loaded, state: State | undefined): ReadonlySet<string> {
  const given = [...desired.resources, ...(state?.unresolved ?? [])].map(({ address }) => address);
  return new Set([...given, ...Object.keys(state?.resources ?? {})]);
}

async function connectFor(options: ApplyOptions, document: PlanDocument, requests: number): Promise<Api> {
  const { loaded, environment, reporter } = options;
  const { config } = loaded;
  const baseUrl = config?.api.baseUrl;
  if (config === undefined || baseUrl === undefined) throw noBaseUrl();
  if (
    config.api.operations === 'full' &&
    document.changes.some(({ kind, action }) => kind === 'schedule' && (action === 'update' || action === 'delete'))
  ) {
    throw new Failure(
      'refused',
      'This version of almanac plans with operations full, and can not yet update or delete schedules in place.',
      {
        hint: 'Use operations core for now. Nothing was sent.',
      },
    );
  }
  const tokens = tokensOf(config, environment);
  const seconds = checkDuration(requests, config, tokens.length, options.maxDuration);
  const api = await options.connect({
    baseUrl,
    tokens,
    rateLimit: config.api.rateLimit,
    concurrency: config.api.concurrency,
    timeout: config.api.timeout,
    allowHttp: options.allowHttp,
    maxAttempts: options.maxAttempts,
    maxWait: options.maxWait,
    onWait: (wait, why) => reporter.emit({ type: 'waiting', seconds: wait, why }),
  });
  for (const message of userIdNotes(document, tokens)) {
    reporter.emit({ type: 'note', code: 'user-id-needs-organization-key', message });
  }
  reporter.emit({ type: 'expected', requests, seconds });
  return api;
}

function noBaseUrl(): Failure {
  return new Failure(
    'missing-base-url',
    'Neither almanac.yaml nor OMNI_BASE_URL says which organization to apply to.',
    {
      hint: 'Set `api: { baseUrl: … }` in almanac.yaml. Nothing was sent.',
    },
  );
}

interface Work {
  readonly proposal: Proposal;
  readonly state: State | undefined;
  readonly salt: string;
  readonly api: Api | undefined;
}

async function carryOut(
  options: ApplyOptions,
  locked: LockedStore,
  { proposal, state, salt, api }: Work,
): Promise<Applied> {
  const { loaded, clock, reporter, store } = options;
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
  const attributes = new Map(loaded.desired.resources.map((resource) => [resource.address, resource.attributes]));
  const { results, lines, broken } = await execute({
    steps,
    declared: (address) => attributes.get(address),
    store: locked,
    api,
    clock,
    reporter,
    concurrency: loaded.config?.api.concurrency ?? 1,
    failFast: options.failFast,
    signal: options.signal,
  });
  const after = foldJournal(state, { header, lines }, store.name);
  if (after !== undefined) await locked.commit(after);
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
