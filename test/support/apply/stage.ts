// An apply against fakes of the ports: files in memory, a store that can fail anywhere, a service whose answers the
// test defines, and a reporter that records.

import { apply } from '../../../src/apply/apply.ts';
import type { Applied, ApplyPorts, ApplyRequest } from '../../../src/apply/apply-request.ts';
import { proposeNow, savedPlan } from '../../../src/apply/propose/propose.ts';
import { type Loaded, load } from '../../../src/declare/load/load.ts';
import type { Workspace } from '../../../src/declare/workspace.ts';
import type { Clock } from '../../../src/model/outside.ts';
import type { ApplyEvent, RunCost } from '../../../src/model/plan/apply-outcome.ts';
import type { Journal, JournalHeader, JournalIntent, JournalOutcome } from '../../../src/model/plan/journal.ts';
import type { PlanDocument, SavedPlan } from '../../../src/model/plan/plan.ts';
import type { State } from '../../../src/model/plan/state.ts';
import type { ListedSchedule } from '../../../src/model/service/remote.ts';
import { Failure, type ServiceError } from '../../../src/model/workspace/failure.ts';
import type { DeclaredObject } from '../../../src/model/workspace/resource.ts';
import type { Api, ApiSettings, CallOptions, Created } from '../../../src/service/api.ts';
import { type Service, withService } from '../../../src/service/service.ts';
import type { LockedStore, StateStore, StoredState } from '../../../src/state/state-store.ts';
import { type InstantClock, makeInstantClock } from '../fake-clock.ts';
import type { MemoryService } from '../memory-service.ts';
import { goOut, refusingApi } from './refusing-api.ts';

export const baseUrl = 'https://acme.omniapp.co/api';
type Line = JournalIntent | JournalOutcome;

export interface FakeStore extends StateStore {
  stored: StoredState;
  /** What happened to the disk, in order; a line of a journal as `intent 1 create schedules.s`. */
  readonly log: string[];
  /** Thrown before the call does anything. */
  fail: (call: 'lock' | 'begin' | 'append' | 'commit', lines: readonly Line[]) => Failure | undefined;
  /** How many intents it lets be announced ahead. */
  window: number;
  /** How often the lock was made certain before a request, by the milliseconds that the request may take. */
  readonly guarded: number[];
  /** Another run takes the lock over. */
  takeOver(): void;
}

export function makeStore(state?: State, journal?: Journal): FakeStore {
  const log: string[] = [];
  let lines: Line[] = [];
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
    read: async () => ({ ...store.stored, held: await store.lockHolder() }),
    begin: async (first) => {
      checkHeld();
      fail('begin');
      header = first;
      lines = [];
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
      this.append(given).catch(() => undefined);
    },
    lost: gone.signal,
    window: store.window,
    guard: async (requestMs) => {
      checkHeld();
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
    window: 1,
    guarded: [],
    takeOver: () => gone.abort(lockLost()),
    read: async () => ({ ...store.stored, held: await store.lockHolder() }),
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

export function serviceFailure(code: Failure['code'], status: number): Failure {
  const cause: ServiceError = Object.assign(new Error(`HTTP ${status}`), { code: `HTTP_${status}`, status });
  return new Failure(code, `The service answered ${status}.`, { cause });
}

/** What the service does about a request; the id it gives is `id N` unless told otherwise. */
export type Answer = (
  attributes: DeclaredObject,
  options: CallOptions,
) => Promise<Partial<Created> | undefined> | Partial<Created> | undefined;

export interface FakeApi {
  readonly api: Api;
  /** `POST Weekly`, in the order in which they were sent. */
  readonly sent: string[];
  readonly bodies: DeclaredObject[];
  /** How many were under way at once, at most. */
  most: number;
  closed: boolean;
  /** The schedules that the service lists. */
  listed: readonly (ListedSchedule & { readonly createdAt: string })[];
}

export function makeApi(answer: Answer = () => ({})): FakeApi {
  let [count, running] = [0, 0];
  const call = async (verb: string, attributes: DeclaredObject, options: CallOptions = {}): Promise<Created> => {
    await goOut(options);
    fake.sent.push(`${verb} ${String(attributes['name'] ?? attributes['prompt'] ?? attributes['identifier'])}`);
    fake.bodies.push(attributes);
    count += 1;
    const id = `id ${count}`;
    running += 1;
    fake.most = Math.max(fake.most, running);
    try {
      await Promise.resolve();
      const created = await answer(attributes, options);
      return { id, outputs: {}, ...created };
    } finally {
      running -= 1;
    }
  };
  const fake: FakeApi = {
    sent: [],
    bodies: [],
    most: 0,
    closed: false,
    listed: [],
    api: {
      ...refusingApi,
      updateFilters: async (attributes, options) => {
        await call('PATCH', attributes, options);
      },
      createSchedule: (attributes, options) => call('POST', attributes, options),
      createAiJob: (attributes, options) => call('RUN', attributes, options),
      updateSchedule: async (_id, attributes, options) => {
        await call('PUT', attributes, options);
      },
      deleteSchedule: async (id, options) => {
        await call('DELETE', { name: id }, options);
      },
      pauseSchedule: async (id, options) => {
        await call('PAUSE', { name: id }, options);
      },
      resumeSchedule: async (id, options) => {
        await call('RESUME', { name: id }, options);
      },
      listSchedules: async () => fake.listed,
      getSchedule: async (id) => {
        const found = fake.listed.find((row) => row.id === id);
        if (found === undefined) throw serviceFailure('api-rejected', 404);
        return { ...found, createdAt: found.createdAt, updatedAt: found.createdAt, metadata: {}, destinations: [] };
      },
      close: async () => {
        fake.closed = true;
      },
    },
  };
  return fake;
}

/** What a test asks for besides the usual, of the request and of the ports. */
export type ApplyOptions = Partial<ApplyRequest & Pick<ApplyPorts, 'confirm' | 'reporter' | 'signal'>>;

export interface Stage {
  readonly store: FakeStore;
  readonly fake: FakeApi;
  readonly service: MemoryService;
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
  apply(options?: ApplyOptions): Promise<Applied>;
}

/** Guards and counts the reading requests, as the real adapter does with all. */
function counting(api: Api, { onRequest }: ApiSettings): Api {
  const readOnce = async (options: CallOptions | undefined) => {
    await options?.beforeRequest?.();
    onRequest?.();
  };
  return {
    ...api,
    listSchedules: async (only, options) => {
      await readOnce(options);
      return api.listSchedules(only, options);
    },
    getSchedule: async (id, options) => {
      await readOnce(options);
      return api.getSchedule(id, options);
    },
  };
}

const config = { api: { baseUrl, rateLimit: 0 } };

/** Sections of declarations, applied to what the store holds. */
export function stage(
  declared: Record<string, unknown>,
  {
    state,
    journal,
    answer,
    almanac = config,
    service,
    instead,
  }: {
    state?: State;
    journal?: Journal;
    answer?: Answer;
    almanac?: object;
    /** In place of the fake. */
    service?: (clock: Clock) => MemoryService;
    /** In place of the fakes of that name, which are not used then. */
    instead?: Partial<{ readonly store: StateStore; readonly clock: Clock; readonly api: Api }>;
  } = {},
): Stage {
  const store = makeStore(state, journal);
  const fake = makeApi(answer);
  const clock = makeInstantClock(Date.UTC(2026, 2, 1));
  const memory = service?.(clock);
  const outside = { store, clock, api: memory?.api ?? fake.api, ...instead };
  const workspace: Workspace = {
    root: '/workspace',
    configFile: 'almanac.yaml',
    list: async () =>
      Object.keys(made.files)
        .filter((name) => name.startsWith('schedules/'))
        .sort(),
    resolve: async () => ({ files: [], findings: [] }),
    read: (path) => ({ text: JSON.stringify(made.files[path]) }),
    readReference: (path) => ({ text: JSON.stringify(made.files[path]) }),
    exists: () => false,
    write: async () => undefined,
    whyFixed: () => undefined,
    replace: async () => undefined,
    prepare: () => Promise.reject(new Error('not here')),
    locate: (path) => path,
    inRepository: () => '',
    isTracked: () => false,
    repository: () => undefined,
    readOutside: async () => '',
    findWritable: async (path) => path,
    writeOutside: async () => undefined,
  };
  const environment = (name: string) => made.environment[name];
  const loadAll = () => load({ workspace, environment, clock: outside.clock });
  const randomness = { uuid: () => 'a-new-lineage', bytes: () => 'c2FsdA==' };
  const toolVersion = '0.1.0';
  const everything = { targets: undefined, replace: [], allowEmpty: false, refresh: undefined };
  const serve = async <T>(signal: AbortSignal | undefined, work: (service: Service) => Promise<T>, loaded: Loaded) =>
    withService(
      {
        config: loaded.config,
        secrets: [],
        connect: async (settings) => {
          made.connections.push(settings);
          return counting(outside.api, settings);
        },
        environment,
        clock: outside.clock,
        signal,
        onWait: (seconds, why) => made.events.push({ type: 'waiting', seconds, why }),
        allowHttp: false,
        maxAttempts: 5,
        maxWait: 120,
      },
      work,
    );
  const proposal = async () => {
    const loaded = await loadAll();
    const work = (service: Service) => proposeNow(loaded, everything, { ...outside, service, randomness, toolVersion });
    return serve(undefined, work, loaded);
  };
  const made: Stage = {
    store,
    fake,
    clock,
    get service() {
      if (memory === undefined) throw new Error('this stage has none');
      return memory;
    },
    events: [],
    asked: [],
    expected: [],
    connections: [],
    environment: { OMNI_API_TOKEN: 'omni_osk_token' },
    files: { 'almanac.yaml': almanac, 'schedules/all.yaml': declared },
    plan: async () => (await proposal()).document,
    save: async () => savedPlan(await proposal(), undefined),
    apply: async (options = {}) => {
      const request: ApplyRequest = {
        ...everything,
        loaded: await loadAll(),
        saved: undefined,
        expect: undefined,
        expectChanges: undefined,
        allowDuplicates: false,
        allowOrphans: false,
        force: false,
        failFast: false,
        lockTimeout: 0,
        ...options,
      };
      const ports: Omit<ApplyPorts, 'service'> = {
        store: outside.store,
        environment,
        clock: outside.clock,
        randomness,
        reporter: { emit: (event) => made.events.push(event) },
        toolVersion,
        confirm: async (document, cost) => {
          made.asked.push(document);
          if (cost !== undefined) made.expected.push(cost);
          return true;
        },
        signal: undefined,
        ...options,
      };
      return serve(ports.signal, (service) => apply(request, { ...ports, service }), request.loaded);
    },
  };
  return made;
}
