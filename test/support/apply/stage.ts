// An apply against fakes of the ports: files in memory, a store that can fail anywhere, the emulator in this process, and
// a reporter that records.

import { apply } from '../../../src/apply/apply.ts';
import type { AppliedPlan, ApplyPorts, ApplyRequest } from '../../../src/apply/apply-request.ts';
import { proposeNow } from '../../../src/commands/base/request-proposal.ts';
import { type Loaded, load } from '../../../src/declare/load/load.ts';
import type { Clock } from '../../../src/model/outside.ts';
import type { ApplyEvent, RunCost } from '../../../src/model/plan/apply-outcome.ts';
import type { Journal, JournalHeader, JournalIntent, JournalOutcome } from '../../../src/model/plan/journal.ts';
import type { PlanDocument, SavedPlan } from '../../../src/model/plan/plan.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { withoutMarks } from '../../../src/model/values/command.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import type { Service } from '../../../src/observe/service.ts';
import type { ApiSettings } from '../../../src/omni/api.ts';
import { documentOf, savedPlan } from '../../../src/plan/proposal.ts';
import type { LockedStore, StateStore, StoredState } from '../../../src/state/state-store.ts';
import { type InstantClock, makeInstantClock } from '../fake-clock.ts';
import { makeMemoryWorkspace } from '../memory-workspace.ts';
import { baseUrl, everything, randomness, requestOf, serve } from './in-memory.ts';
import { openStagedService, type StagedService } from './staged-service.ts';

type Line = JournalIntent | JournalOutcome;

export interface FakeStore extends StateStore {
  stored: StoredState;
  /** What happened to the disk, in order; a line of a journal as `intent 1 create schedules.s`. */
  readonly log: string[];
  /** Thrown before the call does anything. */
  fail: (call: 'lock' | 'begin' | 'append' | 'commit', lines: readonly Line[]) => Failure | undefined;
  /** How often the lock was made certain before a request, by the milliseconds that the request may take. */
  readonly guarded: number[];
  /** Another run takes the lock over. */
  takeOver(): void;
}

export function makeStore(state?: State, journal?: Journal): FakeStore {
  const log: string[] = [];
  let lines: Line[] = [];
  let unwritten: JournalOutcome[] = [];
  let header: JournalHeader | undefined;
  let broken = false;
  const fail = (call: Parameters<FakeStore['fail']>[0], given: readonly Line[] = []) => {
    const failure = store.fail(call, given);
    if (failure !== undefined) throw failure;
  };
  let gone = new AbortController();
  const checkHeld = () => {
    if (gone.signal.aborted) throw lockLost();
  };
  const locked = (): LockedStore => ({
    notes: [],
    journal: 'almanac.state.json.journal',
    unwritten: () => unwritten,
    read: async () => ({ ...store.stored, lockHolder: await store.lockHolder() }),
    begin: async (first) => {
      checkHeld();
      fail('begin');
      header = first;
      lines = [];
      unwritten = [];
      log.push('begin');
      store.stored = { ...store.stored, journal: { header, lines } };
    },
    append: async (given) => {
      await Promise.resolve();
      checkHeld();
      if (broken) throw unwritable();
      broken = store.fail('append', given) !== undefined;
      if (broken) throw unwritable();
      lines.push(...given);
      for (const line of given)
        log.push(line.type === 'intent' ? `intent ${line.action} ${line.address}` : `outcome ${line.status}`);
    },
    appendLater(given) {
      this.append(given).catch(() => void unwritten.push(...given));
    },
    lost: gone.signal,
    guard: async (requestMs) => {
      checkHeld();
      if (broken) throw unwritable();
      store.guarded.push(requestMs);
    },
    holds: () => !gone.signal.aborted,
    async commit(next, { release = false } = {}) {
      checkHeld();
      fail('commit');
      log.push(next === undefined ? 'commit nothing' : `commit serial ${next.serial}`);
      store.stored = { state: next, journal: undefined };
      if (release) await this.release();
    },
    release: async () => {
      if (log.at(-1) !== 'release') log.push('release');
    },
  });
  const store: FakeStore = {
    name: 'almanac.state.json',
    stored: { state, journal },
    log,
    fail: () => undefined,
    guarded: [],
    takeOver: () => gone.abort(lockLost()),
    read: async () => ({ ...store.stored, lockHolder: await store.lockHolder() }),
    lock: async () => {
      fail('lock');
      log.push('lock');
      gone = new AbortController();
      broken = false;
      return locked();
    },
    lockHolder: async () => undefined,
    unlock: async () => undefined,
    close: async () => undefined,
  };
  return store;
}

const lockLost = () => new Failure('state-lock-lost', 'Another run took the lock over.');

export const unwritable = () => new Failure('state-unwritable', 'The disk is full.');

/** What a test asks for besides the usual, of the request and of the ports. */
export type ApplyOptions = Partial<ApplyRequest & Pick<ApplyPorts, 'confirm' | 'reporter' | 'signal'>>;

export interface Stage {
  readonly store: FakeStore;
  readonly service: StagedService;
  readonly clock: InstantClock;
  readonly events: ApplyEvent[];
  readonly asked: PlanDocument[];
  /** The announced number of requests and seconds. */
  readonly expected: RunCost[];
  readonly connections: ApiSettings[];
  environment: Record<string, string>;
  files: Record<string, unknown>;
  plan(): Promise<PlanDocument>;
  save(): Promise<SavedPlan>;
  apply(options?: ApplyOptions): Promise<AppliedPlan>;
}

export { baseUrl } from './in-memory.ts';

/** Of almanac.yaml; with operations full unless told otherwise. */
export const apiWith = (api: object = {}) => ({ api: { baseUrl, rateLimit: 0, operations: 'full', ...api } });
export const core = apiWith({ operations: 'core' });

/** Sections of declarations, applied to what the store holds. */
export function stage(
  declared: Record<string, unknown>,
  {
    state,
    journal,
    almanac = apiWith(),
    serviceAhead = 0,
    instead,
  }: {
    state?: State | undefined;
    journal?: Journal;
    almanac?: object;
    /** By how many milliseconds the service's clock is ahead. */
    serviceAhead?: number;
    /** In place of the fakes of that name, which are not used then. */
    instead?: Partial<{ readonly store: StateStore; readonly clock: Clock }>;
  } = {},
): Stage {
  const store = makeStore(state, journal);
  const clock = makeInstantClock(Date.UTC(2026, 2, 1));
  const service = openStagedService({ now: () => clock.now() + serviceAhead });
  const outside = { store, clock, ...instead };
  const environment = (name: string) => made.environment[name];
  const loadAll = async () => {
    const texts = Object.entries(made.files).map(([path, value]) => [path, JSON.stringify(value)]);
    const workspace = makeMemoryWorkspace(Object.fromEntries(texts));
    const loaded = await load({ workspace, environment, clock: outside.clock });
    for (const { attributes } of loaded.desired.resources) service.addDashboard(attributes);
    return loaded;
  };
  const toolVersion = '0.1.0';
  const withService = <T>(
    signal: AbortSignal | undefined,
    work: (service: Service) => Promise<T>,
    { config }: Loaded,
  ): Promise<T> => {
    const connect = async (settings: ApiSettings) => {
      made.connections.push(settings);
      return service.connect(outside.clock, settings);
    };
    const onWait = (seconds: number, why: string) => made.events.push({ type: 'waiting', seconds, why });
    return serve({ config, connect, environment, clock: outside.clock, signal, onWait }, work);
  };
  const proposal = async () => {
    const loaded = await loadAll();
    const asked = { ...everything, allow: {} };
    const work = (service: Service) => proposeNow(loaded, asked, { ...outside, service, randomness, toolVersion });
    return withService(undefined, work, loaded);
  };
  const made: Stage = {
    store,
    service,
    clock,
    events: [],
    asked: [],
    expected: [],
    connections: [],
    environment: { OMNI_API_TOKEN: 'omni_osk_token' },
    files: { 'almanac.yaml': almanac, 'schedules/all.yaml': declared },
    plan: async () => documentOf(await proposal()),
    save: async () => {
      const made = await proposal();
      return savedPlan(await documentOf(made), made.selection);
    },
    apply: async (options = {}) => {
      const careful = { allow: {}, force: false };
      const request = requestOf(await loadAll(), { ...careful, ...options });
      const ports: Omit<ApplyPorts, 'service'> = {
        store: outside.store,
        environment,
        clock: outside.clock,
        randomness,
        reporter: { emit: (event) => made.events.push(event) },
        toolVersion,
        confirm: async ({ document, cost }) => {
          made.asked.push(document);
          if (cost !== undefined) made.expected.push(cost);
          return true;
        },
        signal: undefined,
        ...options,
      };
      return withService(ports.signal, (service) => apply(request, { ...ports, service }), request.loaded);
    },
  };
  return made;
}

/** What it told. */
export const notesOf = ({ events }: Stage) =>
  events.flatMap((event) => (event.type === 'note' ? [withoutMarks(event.message)] : []));

/** What happened to each change, by address: `applied`, `failed api-rejected`. */
export const outcomesOf = ({ document }: Pick<AppliedPlan, 'document'>) =>
  Object.fromEntries(
    document?.results.map(({ address, status, error }) => [address, `${status} ${error?.code ?? ''}`.trim()]) ?? [],
  );

/** Every request that comes to one of these points fails, or loses its answer; `times` of them. */
export function breakAt(
  { service }: Stage,
  points: string | readonly string[],
  failure: () => Error,
  times = Number.POSITIVE_INFINITY,
): void {
  let left = times;
  service.reach = (reached) => {
    if (left === 0 || ![points].flat().some((point) => reached.startsWith(point))) return;
    left -= 1;
    throw failure();
  };
}
