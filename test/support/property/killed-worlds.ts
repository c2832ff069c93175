// Random histories of an organization in which applies are killed at any effect. There are thousands in memory, with
// the state in a file or in the log of a team; each apply runs on another machine with an empty folder. Declarations
// change, answers are lost or name an id that is taken, and requests are refused, several times in a row; clocks differ
// from the service's by up to a day, and the list lags. After one undisturbed apply, every schedule of the service is
// as declared, belongs to its declared owner, is tracked or a known orphan, and exists once, and the next plan is
// empty. Nothing is ever given to somebody who is not declared, and nothing whose delivery is in doubt is delivered
// again.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../../src/apply/apply.ts';
import type { AppliedPlan, ApplyPorts, ApplyRequest } from '../../../src/apply/apply-request.ts';
import { trigger } from '../../../src/apply/trigger.ts';
import { proposeNow } from '../../../src/commands/base/request-proposal.ts';
import type { Loaded } from '../../../src/declare/load/load.ts';
import { giveIdentifier } from '../../../src/emulator/documents.ts';
import { realFileSystem } from '../../../src/files/file-system.ts';
import type { Clock } from '../../../src/model/outside.ts';
import type { Journal } from '../../../src/model/plan/journal.ts';
import type { PlanDocument } from '../../../src/model/plan/plan.ts';
import type { State, Unresolved } from '../../../src/model/plan/state.ts';
import { kindOf } from '../../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../../src/model/values/json.ts';
import type { Operations } from '../../../src/model/workspace/config.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import { currentState } from '../../../src/state/current-state.ts';
import { resolveOpen } from '../../../src/state/repair-state.ts';
import type { StateStore, StoredState } from '../../../src/state/state-store.ts';
import { everything, loadedOf, randomness, requestOf, serve } from '../apply/in-memory.ts';
import { makeStore } from '../apply/stage.ts';
import { arrived, type EngineService, openService, unset } from '../emulator/service.ts';
import type { Change, Reached } from '../emulator/watched-api.ts';
import { type InstantClock, makeFakeClock, makeInstantClock } from '../fake-clock.ts';
import { runs } from '../runs/runs.ts';
import { makeMemoryPlace } from '../state/memory-log.ts';
import { openMachine } from '../state/team-machine.ts';
import { logWithFaultPoints, type Reach, withFaultPoints } from './fault-points.ts';
import {
  arbitraryEpisode,
  arbitraryFiltered,
  arbitraryGrouped,
  arbitraryMeddled,
  arbitraryOwned,
  arbitraryRenamed,
  type Declared,
  type Episode,
  filterOf,
  groupsOf,
  memberNamed,
  names,
  ownerOf,
  stranger,
  userGroups,
} from './killed-histories.ts';
import { type Disturbance, expectKilled, keys, runOnce, undisturbed } from './killed-runs.ts';

const start = Date.UTC(2026, 2, 1);

function meddle({ service: { data }, called }: World, { meddled = [], filtered }: Episode): void {
  const document = data.documents.find(({ identifier }) => identifier === called.inOmni);
  for (const edit of filtered?.edits ?? []) {
    const region = document?.dashboard?.filters['region'];
    if (edit === 'changes the filter') Object.assign(region ?? {}, { values: ['Asia'] });
    else if (document !== undefined) {
      called.inOmni = names[(names.indexOf(called.inOmni) + 1) % names.length] ?? '';
      giveIdentifier(document, called.inOmni, data);
    }
  }
  for (const { index, how } of meddled) {
    const schedule = data.schedules[index];
    if (schedule === undefined) continue;
    const { userGroupIds = [], fields } = schedule;
    const recipients = [fields['recipients'] ?? []].flat();
    if (how === 'adds a group') schedule.userGroupIds = [...new Set([...userGroupIds, stranger])];
    else if (how === 'takes groups away') schedule.userGroupIds = [];
    else if (how === 'adds an address') fields['recipients'] = [...recipients, 'eve@elsewhere.example'];
    else fields['recipients'] = ['eve@elsewhere.example'];
  }
}

/** Where the state is kept. */
export interface Place {
  /** The store of a new process, which dies where `reach` throws. */
  open(reach: Reach): Promise<StateStore>;
  stored(): Promise<StoredState>;
  /** What a person writes. */
  write(state: State): Promise<void>;
  /** An id that Almanac knows. */
  known?(): string | undefined;
}

interface World {
  readonly operations: Operations;
  readonly place: Place;
  readonly service: EngineService;
  /** The service's. */
  readonly clock: InstantClock;
  /** The names of what a run has heard to be delivered. */
  readonly delivered: unknown[];
  /** The dashboard that declares filters, there and in the files. */
  readonly called: { inOmni: string; inFiles: string };
  /** By the name of a schedule, whom plans have shown to receive it. */
  readonly shown: Map<unknown, Set<Json>>;
}

function filePlace(): Place {
  const store = makeStore();
  return {
    open: (reach) => withFaultPoints({ openState: async () => store } as never, reach).openState({} as never),
    stored: async () => store.stored,
    known: () => {
      const { state, journal } = store.stored;
      const outcomes = journal?.lines.flatMap((line) => (line.type === 'outcome' ? (line.id ?? []) : [])) ?? [];
      return [...Object.values(state?.resources ?? {}).flatMap(({ id }) => id ?? []), ...outcomes][0];
    },
    write: async (state) => {
      store.stored = { state: { ...state, serial: state.serial + 1 }, journal: undefined };
    },
  };
}

const refuse = () => Promise.reject(new Error('this folder is empty and read-only'));
const emptyFolder = {
  ...realFileSystem,
  open: refuse,
  readFile: refuse,
  stat: refuse,
  readlink: refuse,
  mkdir: refuse,
};

/** The machines are one host, so that a process that died is known as such. */
export function logPlace(paceMs: number): Place {
  const memory = makeMemoryPlace();
  memory.paceMs = paceMs;
  let processes = 0;
  const open = async (reach: Reach) => {
    processes += 1;
    const host = { name: 'ci', pid: processes, isAlive: () => false, bootId: async () => 'boot', fs: emptyFolder };
    // Nothing waits for this clock: a renewal would only add entries.
    const options = { host, clock: makeFakeClock(), root: '/workspace' };
    return openMachine(logWithFaultPoints(memory.open(), reach), options).store;
  };
  return {
    open,
    stored: async () => (await open(() => undefined)).read(),
    write: async (state) => {
      const locked = await (await open(() => undefined)).lock('state resolve');
      await locked.commit({ ...state, serial: state.serial + 1 }, { release: true });
    },
  };
}

/** The clock of a machine that is ahead of the service's. */
function clockOf({ clock }: World, { clockAhead }: Episode): Clock {
  return {
    now: () => clock.now() + clockAhead,
    monotonic: clock.monotonic,
    sleep: (...sleep) => clock.sleep(...sleep),
  };
}

function attributesOf(fields: Declared[string], episode: Episode, { operations, called }: World): JsonObject {
  const { identity, version, paused } = fields;
  const owner = ownerOf(fields, episode);
  const groups = groupsOf(fields, episode);
  const hook = { destinationType: 'webhook', url: `https://hooks.example.com/${version}` };
  const mail = { destinationType: 'email', recipients: ['ana@example.com'], subject: `Version ${version}` };
  return {
    identifier: identity % 2 === 0 ? called.inFiles : '3f9c2b71',
    name: `Report ${identity}`,
    schedule: '0 9 ? * MON *',
    timezone: 'UTC',
    format: 'json',
    ...(episode.grouped ? mail : hook),
    ...filterOf(fields, episode),
    ...(groups.length > 0 ? { userGroups: groups.map(({ id, name }, index) => (index === 1 ? id : name)) } : {}),
    ...(paused && operations === 'full' ? { paused } : {}),
    ...(owner !== undefined ? { owner } : {}),
  };
}

function loadedFor(episode: Episode, world: World): Loaded {
  const { declared, dashboard } = episode;
  const sales: JsonObject = { identifier: world.called.inFiles, filters: { region: { values: [String(dashboard)] } } };
  const schedules = Object.entries(declared).map(([key, fields]) => [
    `schedules.${key}`,
    attributesOf(fields, episode, world),
  ]);
  return loadedOf({ 'dashboards.sales': sales, ...Object.fromEntries(schedules) }, world.operations);
}

/** With what must be true of each request. */
function runIn<T>(
  world: World,
  episode: Episode,
  disturbance: Disturbance,
  work: (loaded: Loaded, ports: Omit<ApplyPorts, 'confirm'>) => Promise<T>,
): Promise<T> {
  const { place, service } = world;
  const loaded = loadedFor(episode, world);
  const look: Reached = (when, change) => {
    if (when === 'before') expectNoOtherGroup(service, change, episode);
    if (when === 'before' && change.kind === 'PATCH filters' && episode.filtered) expectShownFollowers(world);
    if (change.kind === 'PUT owner') expectDeclaredOwner(service, change, episode);
    if (when === 'after' && change.kind === 'POST trigger')
      world.delivered.push(found(service, change.id)?.fields['name']);
  };
  const run = { loaded, service, clock: clockOf(world, episode), open: place.open, taken: () => place.known?.(), look };
  return runOnce(disturbance, run, (ports) => work(loaded, ports));
}

function applyOnce(
  world: World,
  episode: Episode,
  disturbance: Disturbance,
  given?: Pick<ApplyRequest, 'refresh' | 'autoApprove'>,
): Promise<AppliedPlan> {
  return runIn(world, episode, disturbance, (loaded, ports) => {
    const isDeclared = new Set(loaded.desired.resources.map(({ address }) => address));
    const addresses = disturbance.replace.map((key) => `schedules.${key}`).filter((address) => isDeclared.has(address));
    const confirm: ApplyPorts['confirm'] = async ({ document }) => {
      remember(world, document);
      return true;
    };
    return apply(requestOf(loaded, { replace: addresses, ...given }), { ...ports, confirm });
  });
}

function remember({ shown }: World, { changes }: PlanDocument): void {
  for (const { kind, after } of changes) {
    if (kind !== 'schedule' || after === null) continue;
    const { name, recipients = [], userGroups: named = [] } = after;
    const known = shown.get(name) ?? new Set();
    const groups = userGroups.flatMap((each) =>
      [named].flat().some((a) => a === each.id || a === each.name) ? each.id : [],
    );
    shown.set(name, new Set([...known, ...[recipients].flat(), ...groups]));
  }
}

/** A change of the dashboard's filter shows other rows to nobody whom no plan has shown. */
function expectShownFollowers({ service, called, shown }: World): void {
  for (const { fields, userGroupIds = [], disabledAt } of service.data.schedules) {
    if (fields['identifier'] !== called.inOmni || disabledAt !== undefined) continue;
    if (Object.hasOwn((fields['filterConfig'] ?? {}) as JsonObject, 'region')) continue;
    const receivers = [fields['recipients'] ?? [], userGroupIds].flat(2);
    expect(receivers.filter((each) => !shown.get(fields['name'])?.has(each as Json))).toEqual([]);
  }
}

/** The names of what was carried out. */
function notedIn({ lines }: Journal): readonly unknown[] {
  const seqs = lines.flatMap((line) => (line.type === 'outcome' && line.status === 'applied' ? [line.seq] : []));
  return lines.flatMap((line) => (line.type === 'intent' && seqs.includes(line.seq) ? [line.name] : []));
}

/** Deliveries that are asked for twice: where it is not known that the first one was sent, nothing is sent again. */
async function triggerTwice(world: World, episode: Episode): Promise<void> {
  const { place, service } = world;
  const { deliveries } = service.data;
  const applied = currentState(await place.stored(), 'the state')?.resources ?? {};
  const selectors = episode.triggered.map((key) => `schedules.${key}`).filter((address) => address in applied);
  const running = selectors.filter((address) => applied[address]?.attributes?.['paused'] !== true);
  if (running.length === 0) return;
  const triggerOnce = async (disturbance: Disturbance) => {
    const before = deliveries.length;
    await runIn(world, episode, disturbance, (loaded, ports) =>
      trigger(
        { loaded, selectors, onlyWhole: false, max: keys.length },
        { ...ports, isAsked: true, confirm: async () => undefined },
      ),
    ).catch(expectKilled);
    await arrived();
    return deliveries.slice(before).map(({ name }) => name);
  };
  world.delivered.length = 0;
  // A delivery has fewer effects than an apply.
  const first = await triggerOnce({ ...episode, killAt: episode.killAt % 12 });
  const { journal } = await place.stored();
  // A run that has written the state has noted what it heard.
  const noted = journal === undefined ? [...world.delivered] : notedIn(journal);
  const unknown = first.filter((name) => !noted.includes(name));
  const second = await triggerOnce(undisturbed);
  expect(second.filter((name) => unknown.includes(name))).toEqual([]);
  const left = currentState(await place.stored(), 'the state') as State;
  expect(left.unresolved.map(({ name }) => name)).toEqual(expect.arrayContaining(unknown));
  const open = new Set(left.unresolved.map(({ address }) => address));
  expect(second).toHaveLength(running.filter((address) => !open.has(address)).length);
  const resolve = (resolved: State, open: Unresolved) => resolveOpen(resolved, open, { by: 'done' }, open.since);
  if (left.unresolved.length > 0) await place.write(left.unresolved.reduce(resolve, left));
}

const found = ({ data }: EngineService, id: string | undefined) => data.schedules.find((each) => each.id === id);

/** What is declared for a schedule of this name. */
const declaredAs = (name: unknown, { declared }: Episode) =>
  Object.values(declared).find(({ identity }) => `Report ${identity}` === name);

/** Nobody is given a schedule who is not declared as its owner: the content is sent first, so its name is as declared. */
function expectDeclaredOwner(service: EngineService, { id, owner }: Change, episode: Episode): void {
  const fields = declaredAs(found(service, id)?.fields['name'], episode);
  expect(fields && memberNamed(ownerOf(fields, episode))).toBe(owner);
}

/** No group gets new content, or a schedule that runs again, that is not declared to receive it. */
function expectNoOtherGroup(service: EngineService, { kind, id, sent }: Change, episode: Episode): void {
  if (kind !== 'PUT schedule' && kind !== 'PUT resume') return;
  const { fields, userGroupIds = [] } = found(service, id) ?? {};
  const named = declaredAs((sent ?? fields)?.['name'], episode);
  const declared = new Set(named && groupsOf(named, episode).map((group) => group.id));
  expect(userGroupIds.filter((group) => !declared.has(group))).toEqual([]);
}

/** An update is sent again, so nobody has to find out what became of it. */
const isForPerson = ({ address, action }: Unresolved) => kindOf(address) === 'schedule' && action !== 'update';

/** Checks in Omni and resolves by hand. */
async function resolveAsAPerson({ place, service }: World): Promise<void> {
  let state = currentState(await place.stored(), 'almanac.state.json');
  for (const open of state?.unresolved.filter(isForPerson) ?? []) {
    if (state !== undefined) state = resolveOpen(state, open, seen(state, open, service), open.since);
  }
  if (state !== undefined) await place.write(state);
}

/** One of its names, or the dashboard that keeps its only one. */
const isSame = (a: unknown, b: unknown) => a === b || [a, b].every((each) => names.includes(String(each)));

function seen(state: State, { identifier, name }: Unresolved, service: EngineService) {
  const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
  const there = service.data.schedules.filter(
    ({ id, fields }) => !known.has(id) && fields['name'] === name && isSame(fields['identifier'], identifier),
  );
  expect(there.length).toBeLessThan(2);
  return there[0] === undefined ? ({ by: 'retry' } as const) : ({ by: 'id', id: there[0].id } as const);
}

const isBlocked = (error: unknown): error is Failure => error instanceof Failure && error.code === 'blocked';

/** What became of a create on a dashboard that was renamed since, only a person can tell. */
const isLostOnRenamed = ({ document }: AppliedPlan, { filtered }: Episode) =>
  filtered !== undefined && document?.results.some(({ error }) => error?.message.includes('answer was lost'));

/** Where the state has nothing on a dashboard, nothing shows that it was renamed: there is none of that name. */
const isUnknownName = (error: unknown, { called: { inFiles, inOmni } }: World) =>
  inFiles !== inOmni &&
  error instanceof Failure &&
  error.message.includes(`Document with id ${inFiles} does not exist`);

async function mend(world: World, episode: Episode): Promise<void> {
  const { place, service, operations } = world;
  if (operations === 'core') await resolveAsAPerson(world);
  world.called.inFiles = world.called.inOmni;
  // What others have done is undone by who has looked.
  const refresh = episode.meddled === undefined ? undefined : ({ depth: 'deep', only: false } as const);
  let applied = await applyOnce(world, episode, undisturbed, { refresh });
  if (isLostOnRenamed(applied, episode)) {
    await resolveAsAPerson(world);
    applied = await applyOnce(world, episode, undisturbed, { refresh });
  }
  expect(applied.document?.results.filter(({ status }) => status !== 'applied')).toEqual([]);
  const loaded = loadedFor(episode, world);
  const { journal, ...stored } = await place.stored();
  expect(journal).toBeUndefined();
  const state = stored.state as State;
  const store = await place.open(() => undefined);
  expect(await store.lockHolder()).toBeUndefined();
  const clock = clockOf(world, episode);
  const again = await serve({ config: loaded.config, clock, connect: service.connect(clock) }, (each) =>
    proposeNow(loaded, everything, { store, service: each, clock, randomness, toolVersion: '0.1.0' }),
  );
  expect(again.document).toMatchObject({ changes: [], unresolved: [] });

  const tracked = Object.values(state.resources).flatMap(({ id }) => id ?? []);
  const orphans = state.orphans.map(({ id }) => id);
  expect(new Set([...tracked, ...orphans]).size).toBe(tracked.length + orphans.length);
  const stray = service.data.schedules.filter(({ id }) => !tracked.includes(id) && !orphans.includes(id));
  expect(stray).toEqual([]);
  expectFilter(world, episode);
  for (const { address, attributes } of loaded.desired.resources.filter(({ kind }) => kind === 'schedule')) {
    const { paused = false, owner, userGroups: named, ...content } = attributes;
    const there = found(service, state.resources[address]?.id);
    const ids = userGroups.flatMap(({ id, name }) =>
      [named].flat().some((each) => each === id || each === name) ? id : [],
    );
    expect([...(there?.userGroupIds ?? [])].sort()).toEqual(ids);
    expect(there?.disabledAt !== undefined).toBe(paused);
    // After a look, a PUT says that it has no filters of its own.
    expect({ ...unset, filterConfig: {}, ...there?.fields }).toEqual({ ...unset, filterConfig: {}, ...content });
    if (owner !== undefined) expect(there?.ownerId).toBe(memberNamed(owner));
  }
}

function expectFilter({ service, called }: World, { dashboard }: Episode): void {
  const document = service.data.documents.find(({ identifier }) => identifier === called.inOmni);
  expect(document?.dashboard?.filters['region']).toMatchObject({ values: [String(dashboard)] });
}

interface Kind {
  readonly operations: Operations;
  readonly most: number;
  /** Where its state is kept, and what is declared. */
  readonly kept: string;
  readonly arbitrary: fc.Arbitrary<Episode>;
  readonly openPlace: (paceMs: number) => Place;
}

const inFile = { operations: 'full', openPlace: filePlace } as const;
const inLog = { kept: 'in the log of a team', most: 200, arbitrary: arbitraryEpisode, openPlace: logPlace } as const;

const kinds = {
  plain: { ...inFile, kept: 'in a file', most: 400, arbitrary: arbitraryEpisode },
  core: { ...inFile, operations: 'core', kept: 'in a file', most: 150, arbitrary: arbitraryEpisode },
  owners: { ...inFile, kept: 'in a file, with owners', most: 150, arbitrary: arbitraryOwned },
  groups: { ...inFile, kept: 'in a file, with user groups', most: 250, arbitrary: arbitraryGrouped },
  meddled: {
    ...inFile,
    kept: 'in a file, with user groups and people who change them in Omni',
    most: 250,
    arbitrary: arbitraryMeddled,
  },
  filters: {
    ...inFile,
    kept: 'in a file, with filters and people who change that of the dashboard in Omni',
    most: 250,
    arbitrary: arbitraryFiltered,
  },
  renames: {
    ...inFile,
    kept: 'in a file, with filters and people who change them, rename the dashboard and send reports to others in Omni',
    most: 250,
    arbitrary: arbitraryRenamed,
  },
  log: { ...inLog, operations: 'full' },
  'core-log': { ...inLog, operations: 'core' },
} satisfies Readonly<Record<string, Kind>>;

/** The test of one of several equal parts of the histories of a kind; all parts together try what one alone would. */
export function itConverges(kind: keyof typeof kinds, part = 1, parts = 1): void {
  const { operations, most, kept, arbitrary, openPlace }: Kind = kinds[kind];
  const [first = 0, end = 0] = [part - 1, part].map((each) => Math.floor((runs(most) * each) / parts));
  const numRuns = end - first;
  const title = `with operations ${operations}, histories ${first} to ${end - 1} of killed runs all converge, with a state ${kept}`;
  it(title, { timeout: 240_000 }, async () => {
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
        const service = openService(clock, {
          eventualConsistencyMs: lags.consistencyMs,
          faults: paceMs > 0 ? [{ fault: 'drop-groups', on: 'PUT /v1/schedules' }] : [],
        });
        const { data } = service;
        Object.assign(data, { userGroups: [...userGroups, { name: 'Strangers', id: stranger, memberIds: [] }] });
        for (const document of data.documents)
          Object.assign(document, { scope: 'organization', sharedWithGroups: userGroups.map(({ id }) => id) });
        service.listLagMs = lags.listLagMs;
        const called = { inOmni: '12db1a0a', inFiles: '12db1a0a' };
        const ofWorld = { delivered: [], called, shown: new Map() };
        const world: World = { operations, place: openPlace(paceMs), service, clock, ...ofWorld };
        let replaced = false;
        for (const [index, episode] of episodes.entries()) {
          // On a machine whose clock differs, nothing tells that a schedule is so new that it is not found yet.
          if (episode.clockAhead !== episodes[index - 1]?.clockAhead) await clock.sleep(lags.consistencyMs);
          replaced ||= episode.replace.length > 0;
          meddle(world, episode);
          if (episode.filtered?.noticed) called.inFiles = called.inOmni;
          await applyOnce(world, episode, episode, { autoApprove: episode.filtered?.unattended }).catch(
            async (error: unknown) => {
              disturbed += 1;
              await arrived();
              if (!isUnknownName(error, world) && (operations === 'full' || !isBlocked(error))) expectKilled(error);
            },
          );
          const isWhole = episode.mended || index === episodes.length - 1;
          if (isWhole) await mend(world, episode);
          if (operations === 'full' && (isWhole || !replaced))
            expect((await world.place.stored()).state?.orphans ?? []).toEqual([]);
          if (operations === 'full' && isWhole) {
            await clock.sleep(Math.max(lags.listLagMs, lags.consistencyMs));
            await triggerTwice(world, episode);
          }
        }
      }),
      { numRuns, path: String(first) },
    );
    expect(disturbed).toBeGreaterThan(numRuns / 4);
  });
}
