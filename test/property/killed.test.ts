// Thousands of random histories of one organization in memory: declarations change, applies are killed at any effect,
// answers are lost or name an id that is taken, and requests are refused, several times in a row, on machines whose
// clocks differ from the service's by up to a day and against a list that lags. The state is in a file, or in a log that
// a team shares, where each run is on a machine of its own with an empty folder. After one undisturbed apply, every
// schedule of the service is as declared, belongs to its declared owner, is tracked or a known orphan, and exists once,
// the lock is free, and the next plan is empty. Nothing is ever given to somebody who is not declared.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import type { Applied } from '../../src/apply/apply-request.ts';
import { proposeNow } from '../../src/apply/propose/propose.ts';
import type { Loaded } from '../../src/declare/load/load.ts';
import { realFileSystem } from '../../src/files/file-system.ts';
import type { Clock } from '../../src/model/outside.ts';
import type { State, Unresolved } from '../../src/model/plan/state.ts';
import { kindOf } from '../../src/model/values/address.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Operations } from '../../src/model/workspace/config.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { Service } from '../../src/service/service.ts';
import { currentState } from '../../src/state/current-state.ts';
import { resolveOpen } from '../../src/state/repair-state.ts';
import type { StateStore, StoredState } from '../../src/state/state-store.ts';
import { everything, loadedOf, randomness, requestOf, serve } from '../support/apply/in-memory.ts';
import { makeStore } from '../support/apply/stage.ts';
import { type InstantClock, makeFakeClock, makeInstantClock } from '../support/fake-clock.ts';
import { answerLost, type MemoryService, makeMemoryService, refusal } from '../support/memory-service.ts';
import { logWithFaultPoints, type Reach, withFaultPoints } from '../support/property/fault-points.ts';
import { runs } from '../support/runs/runs.ts';
import { makeMemoryPlace } from '../support/state/memory-log.ts';
import { openMachine } from '../support/state/team-machine.ts';

const start = Date.UTC(2026, 2, 1);

/** What is declared, by key; two never have one name on one dashboard. */
type Declared = Readonly<
  Record<string, { readonly identity: number; readonly version: number; readonly paused: boolean }>
>;

const people = [
  { id: 'ana-id', email: 'ana@example.com', active: true },
  { id: 'bo-id', email: 'bo@example.com', active: true },
];
/** An address or a membership id; undefined: none is declared. */
const owners = [undefined, 'ana@example.com', 'bo@example.com', 'bo-id', undefined];
/** Changes with the content, or with the dashboard alone. */
const ownerOf = ({ identity, version }: Declared[string], { dashboard, owned }: Episode) =>
  owned ? owners[(identity + version + 2 * dashboard) % owners.length] : undefined;

/** same-id: it is carried out, and answered with an id that is taken, if there is one. */
type Trouble = 'lost-before' | 'lost-after' | 'refused' | 'same-id';

/** One apply, and what happens to it. */
interface Episode {
  readonly declared: Declared;
  readonly dashboard: number;
  /** Keys of --replace. */
  readonly replace: readonly string[];
  /** The effect at which it is killed, from 1; 0: it lives. */
  readonly killAt: number;
  /** What the nth request meets. */
  readonly trouble: Readonly<Record<number, Trouble>>;
  /** The effect at which it is interrupted, as by Ctrl-C; 0: it is not. */
  readonly interruptAt: number;
  /** By how many milliseconds the clock of this run's machine is ahead of the service's. */
  readonly clockAhead: number;
  /** Whether owners are declared. */
  readonly owned?: true;
  /** What an AI job is asked; 0: none is declared. */
  readonly job: number;
  /** Whether an undisturbed apply follows. */
  readonly mended: boolean;
}

const dayMs = 24 * 3_600_000;
const keys = ['a', 'b', 'c', 'd'];
const arbitraryDeclared: fc.Arbitrary<Declared> = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 4, maxLength: 4 }),
    fc.array(
      fc.record({
        there: fc.integer({ min: 0, max: 3 }),
        version: fc.integer({ min: 0, max: 1 }),
        paused: fc.boolean(),
        keeps: fc.boolean(),
      }),
      { minLength: 4, maxLength: 4 },
    ),
  )
  .map(([identities, fields]) => {
    const taken = new Set(fields.flatMap(({ keeps }, index) => (keeps ? [index] : [])));
    const free = identities.filter((identity) => !taken.has(identity)).concat([6, 7, 8, 9]);
    return Object.fromEntries(
      fields.flatMap(({ there, version, paused, keeps }, index) => {
        const identity = keeps ? index : (free.shift() ?? 0);
        return there === 0 ? [] : [[keys[index] ?? '', { identity, version, paused }]];
      }),
    );
  });

const arbitraryEpisode: fc.Arbitrary<Episode> = fc.record({
  declared: arbitraryDeclared,
  dashboard: fc.integer({ min: 0, max: 1 }),
  replace: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray(keys, { maxLength: 2 }) },
  ),
  killAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
  trouble: fc.oneof(
    fc.constant({}),
    fc.dictionary(
      fc.integer({ min: 1, max: 8 }).map(String),
      fc.constantFrom<Trouble[]>('lost-before', 'lost-after', 'refused', 'same-id'),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  ),
  interruptAt: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
  ),
  clockAhead: fc.oneof(fc.constant(0), fc.integer({ min: -dayMs, max: dayMs })),
  job: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) }),
  mended: fc.boolean(),
});

/** Where the state is. */
interface Place {
  /** The store of a new process; `reach` is called around what it does to a log. */
  open(reach: Reach): StateStore;
  read(): Promise<StoredState>;
  /** What a run that is under way knows; of a log, nothing is told. */
  known(): StoredState;
  /** As a person who repairs it. */
  write(state: State): Promise<void>;
}

function openFile(): Place {
  const store = makeStore();
  return {
    open: () => store,
    read: async () => store.stored,
    known: () => store.stored,
    write: async (state) => {
      store.stored = { state, journal: undefined };
    },
  };
}

/** `paceMs`: how long a write of the log waits for the one before it. */
function openLog(paceMs: number): Place {
  const place = Object.assign(makeMemoryPlace(), { paceMs });
  // All processes are on one host, so that a dead one is known as such.
  let pid = 0;
  const refuse = () => Promise.reject(new Error('this folder is empty and read-only'));
  const fs = { ...realFileSystem, open: refuse, readFile: refuse, stat: refuse, readlink: refuse, mkdir: refuse };
  const open: Place['open'] = (reach) => {
    pid += 1;
    const host = { name: 'ci', pid, isAlive: () => false, bootId: async () => 'boot', fs };
    // Nothing waits for this clock: a renewal would only add entries.
    return openMachine(logWithFaultPoints(place.open(), reach), { host, clock: makeFakeClock(), root: '/workspace' })
      .store;
  };
  return {
    open,
    read: () => open(() => undefined).read(),
    known: () => ({ state: undefined, journal: undefined }),
    write: async (state) => {
      const locked = await open(() => undefined).lock('state resolve');
      await locked.commit(state, { release: true });
    },
  };
}

interface World {
  readonly operations: Operations;
  readonly place: Place;
  readonly service: MemoryService;
  /** The service's. */
  readonly clock: InstantClock;
}

/** The clock of a machine that is ahead of the service's. */
function clockOf({ clock }: World, { clockAhead }: Episode): Clock {
  return {
    now: () => clock.now() + clockAhead,
    monotonic: clock.monotonic,
    sleep: (...sleep) => clock.sleep(...sleep),
  };
}

function attributesOf(fields: Declared[string], episode: Episode, operations: Operations): JsonObject {
  const { identity, version, paused } = fields;
  const owner = ownerOf(fields, episode);
  return {
    identifier: identity % 2 === 0 ? '12db1a0a' : '3f9c2b71',
    name: `Report ${identity}`,
    schedule: '0 9 ? * MON *',
    timezone: 'UTC',
    format: 'json',
    destinationType: 'webhook',
    url: `https://hooks.example.com/${version}`,
    ...(paused && operations === 'full' ? { paused } : {}),
    ...(owner !== undefined ? { owner } : {}),
  };
}

function declaredIn(episode: Episode, operations: Operations): Loaded {
  const { declared, dashboard, job } = episode;
  const attributes: Record<string, JsonObject> = {
    'dashboards.sales': { identifier: '12db1a0a', filters: { region: { values: [String(dashboard)] } } },
  };
  if (job > 0) attributes['aiJobs.j'] = { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: `Say ${job}` };
  for (const [key, fields] of Object.entries(declared))
    attributes[`schedules.${key}`] = attributesOf(fields, episode, operations);
  return loadedOf(attributes, operations);
}

type Disturbance = Pick<Episode, 'killAt' | 'trouble' | 'interruptAt' | 'replace'>;
const undisturbed: Disturbance = { killAt: 0, trouble: {}, interruptAt: 0, replace: [] };

async function applyOnce(world: World, episode: Episode, disturbance: Disturbance): Promise<Applied> {
  const { place, service, operations } = world;
  const clock = clockOf(world, episode);
  const { killAt, trouble, interruptAt, replace } = disturbance;
  const stop = new AbortController();
  let [effects, requests] = [0, 0];
  const reach = () => {
    effects += 1;
    if (effects === interruptAt) stop.abort();
    if (killAt > 0 && effects >= killAt) throw new Error('killed');
  };
  service.reach = (point) => {
    const isBefore = point.startsWith('before');
    if (isBefore) requests += 1;
    const met = trouble[requests];
    if (isBefore && met === 'refused') throw refusal(403, 'api-unauthorized');
    if (met === (isBefore ? 'lost-before' : 'lost-after')) throw answerLost();
  };
  service.answeredId = (id) => (trouble[requests] === 'same-id' ? (takenBefore(place.known()) ?? id) : id);
  const outside = { openState: async () => place.open(reach), connect: async () => service.api };
  const ports = withFaultPoints(outside as never, reach);
  const loaded = declaredIn(episode, operations);
  const isDeclared = new Set(loaded.desired.resources.map(({ address }) => address));
  const addresses = replace.map((key) => `schedules.${key}`).filter((address) => isDeclared.has(address));
  const request = requestOf(loaded, { replace: addresses });
  const lockable = await ports.openState({} as never);
  const sentBefore = service.sent.length;
  return serve({ config: loaded.config, connect: ports.connect, clock, signal: stop.signal }, (service) =>
    apply(request, {
      store: lockable,
      service,
      environment,
      clock,
      randomness,
      reporter: { emit: () => undefined },
      toolVersion: '0.1.0',
      confirm: async () => true,
      signal: stop.signal,
    }),
  ).finally(() => expectDeclaredOwners(service, service.sent.slice(sentBefore), episode));
}

/** Nobody is given a schedule who is not declared as its owner: the content is sent first, so its name is as declared. */
function expectDeclaredOwners({ schedules }: MemoryService, sent: readonly string[], episode: Episode): void {
  for (const [verb, id = '', member] of sent.map((line) => line.split(' '))) {
    if (verb !== 'TRANSFER') continue;
    const name = schedules.get(id)?.attributes['name'];
    const fields = Object.values(episode.declared).find(({ identity }) => `Report ${identity}` === name);
    expect(fields && memberNamed(ownerOf(fields, episode))).toBe(member);
  }
}

/** An id that Almanac knows: where it has not heard of an id, nothing shows that an answer names the wrong one. */
function takenBefore({ state, journal }: StoredState): string | undefined {
  const outcomes = journal?.lines.flatMap((line) => (line.type === 'outcome' ? (line.id ?? []) : [])) ?? [];
  const ofSchedules = Object.entries(state?.resources ?? {}).filter(([address]) => kindOf(address) === 'schedule');
  return [...ofSchedules.flatMap(([, { id }]) => id ?? []), ...outcomes][0];
}

const environment = (name: string) => (name.startsWith('OMNI') ? 'omni_osk_token' : undefined);
/** Lets AI jobs run again and, with operations core, checks in Omni what became of schedules. */
async function resolveAsAPerson({ place, service, operations }: World): Promise<void> {
  const before = currentState(await place.read(), 'the place');
  let state = before;
  for (const open of before?.unresolved ?? []) {
    const kind = kindOf(open.address);
    if (state === undefined || (kind !== 'aiJob' && (kind !== 'schedule' || operations === 'full'))) continue;
    const by = kind === 'aiJob' ? ({ by: 'retry' } as const) : seen(state, open, service);
    state = resolveOpen(open.address, by, open.since)(state);
  }
  if (state !== undefined && state !== before) await place.write({ ...state, serial: state.serial + 1 });
}

/** What kinds of resources have a request of which nobody knows what became. */
async function openKinds({ place }: World) {
  return currentState(await place.read(), 'the place')?.unresolved.map(({ address }) => kindOf(address)) ?? [];
}

function seen(state: State, { identifier, name }: Unresolved, service: MemoryService) {
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const there = [...service.schedules.values()].filter(
    ({ id, attributes }) => !known.has(id) && attributes['name'] === name && attributes['identifier'] === identifier,
  );
  expect(there.length).toBeLessThan(2);
  return there[0] === undefined ? ({ by: 'retry' } as const) : ({ by: 'id', id: there[0].id } as const);
}

async function mend(world: World, episode: Episode): Promise<void> {
  const { place, service, operations } = world;
  await resolveAsAPerson(world);
  const { document } = await applyOnce(world, episode, undisturbed);
  expect(document?.results.filter(({ status }) => status !== 'applied')).toEqual([]);
  const loaded = declaredIn(episode, operations);
  const { state: stored, journal, held } = await place.read();
  expect({ journal, held }).toEqual({ journal: undefined, held: undefined });
  const state = stored as State;
  const planAgain = (askedService: Service) =>
    proposeNow(loaded, everything, {
      store: place.open(() => undefined),
      service: askedService,
      clock: clockOf(world, episode),
      randomness,
      toolVersion: '0.1.0',
    });
  const connect = async () => service.api;
  const again = await serve({ config: loaded.config, connect, clock: clockOf(world, episode) }, planAgain);
  expect(again.document).toMatchObject({ changes: [], unresolved: [] });

  const tracked = Object.values(state.resources).flatMap(({ id }) => id ?? []);
  const orphans = state.orphans.map(({ id }) => id);
  expect(new Set([...tracked, ...orphans]).size).toBe(tracked.length + orphans.length);
  const stray = [...service.schedules.keys()].filter((id) => !tracked.includes(id) && !orphans.includes(id));
  expect(stray).toEqual([]);
  for (const { address, attributes } of loaded.desired.resources.filter(({ kind }) => kind === 'schedule')) {
    const { paused = false, owner, ...content } = attributes;
    const there = service.schedules.get(state.resources[address]?.id ?? '');
    const { paused: _, owner: __, userId: ___, ...sent } = there?.attributes ?? {};
    expect({ paused: there?.paused, ...sent }).toEqual({ paused, ...content });
    if (owner !== undefined) expect(there?.ownerId).toBe(memberNamed(owner));
  }
}

function memberNamed(owner: unknown): string | undefined {
  return people.find(({ id, email }) => id === owner || email === owner)?.id;
}

it.each<[string, Operations, number, string, fc.Arbitrary<Episode>]>([
  ['a file', 'full', runs(4000), '', arbitraryEpisode],
  ['a file', 'core', runs(1000), '', arbitraryEpisode],
  ['a file', 'full', runs(300), ' with owners', arbitraryEpisode.map((each) => ({ ...each, owned: true }))],
  ['a log', 'full', runs(1000), '', arbitraryEpisode],
])(
  'with a state in %s and operations %s, %i histories of killed runs all converge%s',
  { timeout: 240_000 },
  async (where, operations, numRuns, _, arbitrary) => {
    let disturbed = 0;
    const lags = fc.record({
      consistencyMs: fc.constantFrom(0, 0, 3000),
      listLagMs: fc.constantFrom(0, 0, 4000, 20_000),
    });
    const paces = fc.constantFrom(0, 1000, 10_000);
    const history = fc.tuple(fc.array(arbitrary, { minLength: 1, maxLength: 5 }), lags, paces);
    await fc.assert(
      fc.asyncProperty(history, async ([episodes, lags, paceMs]) => {
        const clock = makeInstantClock(start);
        const place = where === 'a log' ? openLog(paceMs) : openFile();
        const world: World = { operations, place, service: makeMemoryService(clock), clock };
        Object.assign(world.service, { ...lags, users: people });
        let replaced = false;
        for (const [index, episode] of episodes.entries()) {
          // On a machine whose clock differs, nothing tells that a schedule is so new that it is not found yet.
          if (episode.clockAhead !== episodes[index - 1]?.clockAhead) await clock.sleep(lags.consistencyMs);
          replaced ||= episode.replace.length > 0;
          await applyOnce(world, episode, episode).catch(async (error: unknown) => {
            disturbed += 1;
            const isKilled = error instanceof Error && error.message === 'killed';
            if (!isKilled && !(error instanceof Failure && (error.code === 'blocked' || error.code === 'interrupted')))
              throw error;
            if (operations === 'full' && !isKilled && (error as Failure).code === 'blocked')
              expect(await openKinds(world)).toContain('aiJob');
          });
          if (episode.mended || index === episodes.length - 1) await mend(world, episode);
          const isWhole = episode.mended || index === episodes.length - 1;
          if (operations === 'full' && (isWhole || !replaced))
            expect((await place.read()).state?.orphans ?? []).toEqual([]);
        }
      }),
      { numRuns },
    );
    expect(disturbed).toBeGreaterThan(numRuns / 4);
  },
);
