// Random histories of the routines of two owners: declarations change (owner, model, prompt, receivers, removal), applies are killed
// at any effect, answers are lost or name an id that is taken, the list of one owner is refused, a member leaves, with all
// that is theirs or not, and comes back, and somebody adds a recipient in Omni. At any time, the state or its journal knows
// of each routine that runs; what is refused names whom or what it is about; and nothing new is given to who was added
// unseen. After one undisturbed apply, each declared routine exists once, for its declared owner, and the next plan is empty.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import type { AppliedPlan } from '../../src/apply/apply-request.ts';
import { proposeNow } from '../../src/commands/base/request-proposal.ts';
import type { Loaded } from '../../src/declare/load/load.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { currentState } from '../../src/state/current-state.ts';
import { everything, loadedOf, randomness, requestOf, serve } from '../support/apply/in-memory.ts';
import { makeStore } from '../support/apply/stage.ts';
import { arrived, type EngineService, openService } from '../support/emulator/service.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import type { Reached } from '../support/emulator/watched-api.ts';
import { type InstantClock, makeInstantClock } from '../support/fake-clock.ts';
import { type Reach, withFaultPoints } from '../support/property/fault-points.ts';
import {
  arbitraryDisturbance,
  type Disturbance,
  expectKilled,
  keys,
  runOnce,
  seldom,
  undisturbed,
} from '../support/property/killed-runs.ts';
import { runs } from '../support/runs/runs.ts';

const start = Date.UTC(2026, 2, 1);
const people = [
  { id: ids.ana, email: 'ana@example.com' },
  { id: ids.bo, email: 'bo@example.com' },
];
/** An address or a membership id; two spellings of each person. */
const owners = ['ana@example.com', 'bo@example.com', ids.bo, 'Ana@Example.com'];
const models = ['770e8400-e29b-41d4-a716-446655440002', '770e8400-e29b-41d4-a716-446655440003'];
const receivers = [['ana@example.com'], ['ana@example.com', 'bo@example.com'], ['bo@example.com']];
const eve = 'eve@evil.example';

interface Fields {
  /** Which routine it is: two keys never have the same. */
  readonly identity: number;
  readonly owner: string;
  readonly model: number;
  readonly prompt: number;
  readonly described: boolean;
  /** Who receives it. */
  readonly to: number;
}
type Declared = Readonly<Record<string, Fields>>;

/** One apply, and what happens to it. */
interface Episode extends Disturbance {
  readonly declared: Declared;
  /** Who cannot be asked for: the list and all requests of the member are refused, or the member has left. */
  readonly refused: string | undefined;
  readonly left: string | undefined;
  /** Whether all that the member had goes with the account. */
  readonly isDeletedWithOwner: boolean;
  /** Somebody adds a recipient to all routines in Omni, before. */
  readonly isEveAdded: boolean;
  readonly refresh: boolean;
  /** Whether an undisturbed apply follows. */
  readonly mended: boolean;
}

const arbitraryDeclared: fc.Arbitrary<Declared> = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 }),
    fc.array(
      fc.record({
        there: fc.integer({ min: 0, max: 3 }),
        keeps: fc.boolean(),
        owner: fc.constantFrom(...owners),
        model: seldom(0, fc.constant(1)),
        prompt: fc.integer({ min: 0, max: 1 }),
        described: fc.boolean(),
        to: seldom(0, fc.integer({ min: 1, max: 2 })),
      }),
      { minLength: 4, maxLength: 4 },
    ),
  )
  .map(([identities, all]) => {
    const kept = new Set(all.flatMap(({ keeps }, index) => (keeps ? [index] : [])));
    const free = identities.filter((identity) => !kept.has(identity));
    return Object.fromEntries(
      all.flatMap(({ there, keeps, ...fields }, index) => {
        const identity = keeps ? index : (free.shift() ?? 0);
        return there === 0 ? [] : [[keys[index] ?? '', { identity, ...fields }]];
      }),
    );
  });

const arbitraryEpisode: fc.Arbitrary<Episode> = fc.record({
  declared: arbitraryDeclared,
  ...arbitraryDisturbance,
  refused: seldom<string | undefined>(undefined, fc.constantFrom(ids.ana, ids.bo)),
  left: seldom<string | undefined>(undefined, fc.constantFrom(ids.ana, ids.bo)),
  isDeletedWithOwner: fc.boolean(),
  isEveAdded: seldom(false, fc.constant(true)),
  refresh: fc.boolean(),
  mended: fc.boolean(),
});

interface World {
  readonly store: ReturnType<typeof makeStore>;
  readonly service: EngineService;
  readonly clock: InstantClock;
  /** Whether something changed in Omni that only a look shows. */
  isChangedInOmni: boolean;
}

function attributesOf({ identity, owner, model, prompt, described, to }: Fields): JsonObject {
  return {
    modelId: models[model] ?? '',
    name: `Summary ${identity}`,
    prompt: `Question ${prompt}?`,
    schedule: '0 9 ? * MON *',
    timezone: 'UTC',
    destination: { type: 'email', recipientEmails: receivers[to] ?? [] },
    ...(described ? { description: `About ${identity}` } : {}),
    owner,
  };
}

function loadedFor({ declared }: Episode): Loaded {
  const all = Object.entries(declared).map(([key, fields]) => [`routines.${key}`, attributesOf(fields)]);
  return loadedOf(Object.fromEntries(all));
}

const refreshed = { refresh: { only: false, depth: 'list' } } as const;

function applyOnce(world: World, episode: Episode, isDisturbed: boolean): Promise<AppliedPlan> {
  const { store, service, clock } = world;
  const disturbance = isDisturbed ? episode : undisturbed;
  const looks = isDisturbed ? episode.refresh : world.isChangedInOmni;
  const look: Reached = (when, { kind, id, sent = {} }) => {
    if (when === 'before' && kind === 'PATCH routine')
      expectNothingForEve(routinesIn(world).find((routine) => routine.id === id)?.fields, sent as JsonObject);
  };
  const loaded = loadedFor(episode);
  const isDeclared = new Set(loaded.desired.resources.map(({ address }) => address));
  const replace = disturbance.replace.map((key) => `routines.${key}`).filter((address) => isDeclared.has(address));
  const request = requestOf(loaded, { replace, ...(looks ? refreshed : {}) });
  const open = (reach: Reach) =>
    withFaultPoints({ openState: async () => store } as never, reach).openState({} as never);
  const run = { loaded, service, clock, open, taken: () => knownIds(stateOf(world))[0], look };
  return runOnce(disturbance, run, (ports) => apply(request, { ...ports, confirm: async () => true }));
}

/** A new prompt, or any other change, goes to nobody who was added in Omni. */
function expectNothingForEve(there: JsonObject | undefined, sent: JsonObject): void {
  const after = { ...there, ...sent };
  expect(JSON.stringify(after['destination'] ?? '')).not.toContain(eve);
}

const routinesIn = ({ service: { data } }: World) => data.routines ?? [];

const stateOf = ({ store }: World) => currentState(store.stored, 'almanac.state.json');

function knownIds(state: State | undefined): readonly string[] {
  return [...Object.values(state?.resources ?? {}), ...(state?.orphans ?? [])].flatMap(({ id }) => id ?? []);
}

/** What runs and has no id in the state was sent by a request that the state has as open, with its owner and its name. */
function expectNothingUnseen(world: World): void {
  const state = stateOf(world);
  const known = new Set(knownIds(state));
  const open = [...(state?.unresolved ?? [])];
  for (const { id, ownerId, fields } of routinesIn(world)) {
    if (known.has(id)) continue;
    const found = open.findIndex(
      ({ name, madeBy, identifier }) =>
        name === fields['name'] && madeBy === ownerId && identifier === fields['modelId'],
    );
    expect(found, `${id} of ${ownerId} runs, and nothing knows of it`).not.toBe(-1);
    open.splice(found, 1);
  }
}

/** Who leaves may come back, with what they had, or without. */
function change(world: World, { refused, left, isDeletedWithOwner, isEveAdded }: Episode): void {
  const { data } = world.service;
  for (const member of data.members)
    Object.assign(member, { canUseAi: member.id !== refused, active: member.id !== left });
  for (const { fields } of isEveAdded ? routinesIn(world) : [])
    fields['destination'] = { type: 'email', recipientEmails: ['ana@example.com', eve] };
  const kept = routinesIn(world).filter(({ ownerId }) => ownerId !== left || !isDeletedWithOwner);
  if (isEveAdded || kept.length < routinesIn(world).length) world.isChangedInOmni = true;
  data.routines = kept;
}

async function mend(world: World, episode: Episode): Promise<void> {
  const { store, service, clock } = world;
  for (const member of service.data.members) Object.assign(member, { canUseAi: true, active: true });
  const { document } = await applyOnce(world, episode, false);
  expect(document?.results.filter(({ status }) => status !== 'applied')).toEqual([]);
  expect(store.stored.journal).toBeUndefined();
  const { state } = store.stored;
  const loaded = loadedFor(episode);
  for (const looks of [{}, refreshed]) {
    const again = await serve({ config: loaded.config, clock, connect: service.connect(clock) }, (each) =>
      proposeNow(
        loaded,
        { ...everything, ...looks },
        { store, service: each, clock, randomness, toolVersion: '0.1.0' },
      ),
    );
    expect(again.document).toMatchObject({ changes: [], unresolved: [] });
  }
  world.isChangedInOmni = false;
  expect(state?.orphans ?? []).toEqual([]);
  const tracked = knownIds(state);
  expect(
    routinesIn(world)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...tracked].sort());
  for (const { address, attributes } of loaded.desired.resources) {
    const { owner, ...content } = attributes;
    const { id = '', madeBy } = state?.resources[address] ?? {};
    const there = routinesIn(world).find((routine) => routine.id === id);
    const { description, ...found } = there?.fields ?? {};
    expect({ ...found, ...(description ? { description } : {}) }).toEqual(content);
    const member = people.find(({ id, email }) => id === owner || email === String(owner).toLowerCase())?.id;
    expect([there?.ownerId, madeBy]).toEqual([member, member]);
  }
}

/** What ended an apply early says what it is about. */
function expectSaid(error: unknown): void {
  if (error instanceof Failure && error.code === 'blocked') expect(error.message).toMatch(/routines\.[a-d]/);
  else expectKilled(error);
}

it(`${runs(250)} histories of killed runs about routines of two owners all converge`, {
  timeout: 240_000,
}, async () => {
  let disturbed = 0;
  const numRuns = runs(250);
  const history = fc.tuple(
    fc.array(arbitraryEpisode, { minLength: 1, maxLength: 5 }),
    fc.constantFrom(0, 0, 4000, 20_000),
  );
  await fc.assert(
    fc.asyncProperty(history, async ([episodes, listLagMs]) => {
      const clock = makeInstantClock(start);
      const service = openService(clock);
      const [commerce] = service.data.models;
      service.data.models = models.map((id) => ({ ...commerce, id, name: id, branches: [], topics: [] }));
      service.listLagMs = listLagMs;
      const world: World = { store: makeStore(), service, clock, isChangedInOmni: false };
      for (const [index, episode] of episodes.entries()) {
        change(world, episode);
        await applyOnce(world, episode, true).catch(async (error: unknown) => {
          disturbed += 1;
          await arrived();
          expectSaid(error);
        });
        expectNothingUnseen(world);
        // What was just made is listed a moment later.
        await clock.sleep(listLagMs);
        if (episode.mended || index === episodes.length - 1) await mend(world, episode);
      }
    }),
    { numRuns },
  );
  expect(disturbed).toBeGreaterThan(numRuns / 4);
});
