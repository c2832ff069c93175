// Random weeks of a repository that applies what was reviewed: pull requests are opened, planned, updated and merged, one
// by one, in quick succession or as a group; plans fail; commits are pushed directly; secrets are rotated; runs are
// cancelled or killed, and requests fail or lose their answers. Nothing reaches the service that no merged pull request has shown,
// and where pull requests touch different resources, all of it arrives without a person.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import type { AppliedPlan } from '../../src/apply/apply-request.ts';
import { proposeNow } from '../../src/commands/base/request-proposal.ts';
import { silence } from '../../src/commands/ci/commands/plan.ts';
import { decodeChanges, encodeChanges, keyOf } from '../../src/commands/ci/reviews/changes.ts';
import { coverage, type Merge } from '../../src/commands/ci/reviews/coverage.ts';
import type { Loaded } from '../../src/declare/load/load.ts';
import { openChanges } from '../../src/model/plan/open-change.ts';
import type { Change, PlanDocument } from '../../src/model/plan/plan.ts';
import type { State } from '../../src/model/plan/state.ts';
import { Secret } from '../../src/model/values/secret.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { DeclaredObject } from '../../src/model/workspace/resource.ts';
import type { Service } from '../../src/observe/service.ts';
import { documentOf } from '../../src/plan/proposal.ts';
import { currentState } from '../../src/state/current-state.ts';
import { everything, loadedOf, randomness, requestOf, serve } from '../support/apply/in-memory.ts';
import { type FakeStore, makeStore } from '../support/apply/stage.ts';
import { answerLost, arrived, type EngineService, openService, refusal, unset } from '../support/emulator/service.ts';
import type { Reached } from '../support/emulator/watched-api.ts';
import { type InstantClock, makeInstantClock } from '../support/fake-clock.ts';
import { runs } from '../support/runs/runs.ts';
import { hook } from '../support/vocabulary.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
const fields = ['name', 'path', 'paused'] as const;

/** What is declared, by key. Two pull requests can change different fields of one schedule without a conflict. */
type Declared = Readonly<Record<string, Readonly<Record<(typeof fields)[number], number>>>>;

/** To another value of one field; null removes the schedule. */
type Edit = { readonly key: string; readonly field: (typeof fields)[number]; readonly to: number | null };

type Event =
  | { readonly type: 'open'; readonly edits: readonly Edit[]; readonly planned: boolean; readonly secrets: boolean }
  | { readonly type: 'plan'; readonly which: number; readonly secrets: boolean }
  | { readonly type: 'fail-plan'; readonly which: number }
  | { readonly type: 'update'; readonly which: number; readonly edit: Edit; readonly planned: boolean }
  | { readonly type: 'merge'; readonly which: readonly number[] }
  | { readonly type: 'push'; readonly edit: Edit }
  | { readonly type: 'rotate' }
  | { readonly type: 'apply'; readonly trouble: Readonly<Record<number, Trouble>> };

type Trouble = 'lost-before' | 'lost-after' | 'refused' | 'killed-before' | 'killed-after';

const killed = new Error('killed');

interface Review {
  readonly head: number;
  readonly at: string;
  /** The commit of main that it was planned on. */
  readonly onto: string;
  /** Of the comment's first line. */
  readonly text: string;
  readonly document: PlanDocument;
}

interface Pull {
  readonly number: number;
  readonly base: Declared;
  edits: readonly Edit[];
  head: number;
  /** What its comment holds; undefined where there is none, or its plan failed. */
  review?: Review | undefined;
}

interface Commit {
  readonly sha: string;
  /** The pull requests that were merged by it. */
  readonly pulls: readonly Pull[];
  /** What was pushed without one. */
  readonly edits?: readonly Edit[];
}

interface World {
  readonly service: EngineService;
  readonly clock: InstantClock;
  readonly commits: Commit[];
  readonly open: Pull[];
  main: Declared;
  /** As it was pushed last. */
  state: State | undefined;
  secret: number;
  pulls: number;
  planned: number;
}

/** A secret is in the URL of every schedule; undefined where it is not known. Odd ones are paused. */
function attributesOf(
  key: string,
  { name, path, paused }: Declared[string] & object,
  secret: number | undefined,
): DeclaredObject {
  const [value, shown] = [`secret-${secret}`, `https://hooks.example.com/${path}/\${env.HOOK}`];
  const text = secret === undefined ? undefined : shown.replace('${env.HOOK}', value);
  return {
    ...hook({ name: `Report ${key}${name}`, paused: paused % 2 === 1 || undefined }),
    url: new Secret(text, ['HOOK'], secret === undefined ? [] : [value], shown),
  };
}

function declaredAs(declared: Declared, secret: number | undefined): Loaded {
  const entries = Object.entries(declared);
  return loadedOf(
    Object.fromEntries(entries.map(([key, values]) => [`schedules.${key}`, attributesOf(key, values, secret)])),
  );
}

function edited(declared: Declared, edits: readonly Edit[]): Declared {
  const result: Record<string, Declared[string]> = { ...declared };
  for (const { key, field, to } of edits) {
    if (to === null) delete result[key];
    else result[key] = { name: 0, path: 0, paused: 0, ...result[key], [field]: to };
  }
  return result;
}

/** Whether git merges it: nobody else has changed the lines that it changes. */
function isMergeable({ base, edits }: Pull, main: Declared): boolean {
  return edits.every(({ key, field, to }) => {
    const [was, is] = [base[key], main[key]];
    if (was === undefined || to === null) return JSON.stringify(was) === JSON.stringify(is);
    return is !== undefined && is[field] === was[field];
  });
}

const environment = (sha: string, secret: number) => (name: string) =>
  ({ OMNI_API_TOKEN: 'omni_osk_token', GITHUB_SHA: sha, HOOK: `secret-${secret}` })[name];
function ask<T>(
  { service, clock, secret }: World,
  work: (service: Service) => Promise<T>,
  reach?: Reached,
): Promise<T> {
  const connect = service.connect(clock, { reach });
  return serve({ environment: environment('', secret), connect, clock, maxAttempts: 1 }, work);
}

async function planOf(world: World, declared: Declared, withSecrets: boolean): Promise<PlanDocument> {
  const loaded = declaredAs(declared, withSecrets ? world.secret : undefined);
  const { clock } = world;
  const ports = { store: makeStore(world.state), clock, randomness, toolVersion: '0.1.0' };
  return documentOf(await ask(world, (service) => proposeNow(loaded, everything, { ...ports, service })));
}

/** A plan a minute. */
function timeOf({ planned }: World): string {
  return new Date(Date.UTC(2026, 2, 1, 0, planned)).toISOString();
}

async function review(world: World, pull: Pull, withSecrets: boolean): Promise<void> {
  if (!isMergeable(pull, world.main)) return;
  const document = await planOf(world, edited(world.main, pull.edits), withSecrets);
  world.planned += 1;
  const [at, onto] = [timeOf(world), world.commits.at(-1)?.sha ?? ''];
  pull.review = { head: pull.head, at, onto, text: encodeChanges(document.changes), document };
}

/** What was merged and pushed since the state's commit. A schedule has a file of its own. */
function mergesSince({ commits }: World, commit: string | undefined): readonly Merge[] {
  const since = commits.slice(commits.findIndex(({ sha }) => sha === commit) + 1);
  return since.flatMap(({ sha, pulls, edits: pushed }) => [
    ...pulls.map((pull) => ({ commit: sha, ...mergeOf(pull) })),
    ...(pushed === undefined ? [] : [{ commit: sha, files: filesOf(pushed), gap: 'pushed' }]),
  ]);
}

const filesOf = (edits: readonly Edit[]) => new Set(edits.map(({ key }) => key));

/** Only the plan of what was merged counts. */
function mergeOf({ number: pull, head, edits: own, review: found }: Pull): Omit<Merge, 'commit'> {
  const files = filesOf(own);
  const changes = found?.head === head ? decodeChanges(found.text) : undefined;
  if (found === undefined || changes === undefined) return { pull, files, gap: 'has no plan comment' };
  const { isWhole, named } = silence(found.document, []);
  const { at, onto } = found;
  return { pull, files, review: { at, onto, isWhole, named: new Set(named.map(keyOf)), changes } };
}

/** Main is one line of commits. */
const contains = (commit: string, other: string) => (commit === '' ? undefined : other <= commit);

interface Run {
  readonly applied?: AppliedPlan;
  readonly refused?: Failure;
  readonly covered: ReturnType<typeof coverage>;
}

/** What the action does: plan, collect, apply, push the state. */
async function runApply(world: World, trouble: Readonly<Record<number, Trouble>> = {}): Promise<Run> {
  const { clock, main, secret, commits } = world;
  const sha = commits.at(-1)?.sha ?? '';
  const { changes, state } = await planOf(world, main, true);
  const covered = coverage({ changes, merges: mergesSince(world, state.commit), contains });
  const store = makeStore(world.state);
  let requests = 0;
  let left: FakeStore['stored'] | undefined;
  const reach: Reached = (when) => {
    if (left !== undefined) throw killed;
    const isBefore = when === 'before';
    if (isBefore) requests += 1;
    const met = trouble[requests];
    if (isBefore && met === 'refused') throw refusal(400);
    if (met === (isBefore ? 'lost-before' : 'lost-after')) throw answerLost();
    if (met !== (isBefore ? 'killed-before' : 'killed-after')) return;
    left = structuredClone(store.stored);
    throw killed;
  };
  const request = requestOf(declaredAs(main, secret), { expectChanges: new Set(covered.digests) });
  const ports = { store, environment: environment(sha, secret), clock, randomness, toolVersion: '0.1.0' };
  const others = { reporter: { emit: () => undefined }, confirm: async () => true, signal: undefined };
  try {
    const applied = await ask(world, (each) => apply(request, { ...ports, ...others, service: each }), reach);
    return { applied, covered };
  } catch (error) {
    if (error === killed) return { covered };
    if (!(error instanceof Failure) || error.code !== 'not-reviewed') throw error;
    return { refused: error, covered };
  } finally {
    await arrived();
    world.state = currentState(left ?? store.stored, store.name);
    await clock.sleep(60_000);
  }
}

/** As people see it, with the names of variables. */
function shown(attributes: DeclaredObject | undefined): string | undefined {
  if (attributes === undefined) return undefined;
  const entries = Object.entries(attributes).map(([name, value]) => [
    name,
    value instanceof Secret ? value.shown : value,
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

interface Effect {
  readonly id: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What changed in the service. */
function effectsBetween(before: Snapshot, after: Snapshot): readonly Effect[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    return was === is ? [] : [{ id, before: was, after: is }];
  });
}

type Snapshot = ReadonlyMap<string, string | undefined>;

function snapshot({ service }: World): Snapshot {
  return new Map(
    service.data.schedules.map(({ id, fields, disabledAt }) => {
      const content = Object.entries(fields).filter(([name]) => !(name in unset));
      const url = String(fields['url']).replace(/secret-\d+$/, '${env.HOOK}');
      const paused = disabledAt === undefined ? {} : { paused: true };
      return [id, shown(Object.fromEntries(Object.entries({ ...Object.fromEntries(content), url, ...paused }).sort()))];
    }),
  );
}

/** Whether the plan of a pull request that was merged has shown this, or more: a change may break off between its requests. */
function wasShown({ commits }: World, effect: Effect): boolean {
  const pulls = commits.flatMap((commit) => commit.pulls);
  const changes = pulls.flatMap((pull) => (pull.review?.head === pull.head ? pull.review.document.changes : []));
  return changes.some((change) => says(change, effect));
}

function says({ action, reason, id, before, after }: Change, effect: Effect): boolean {
  const [from, to] = [shown(before ?? undefined), shown(after ?? undefined)];
  const made = differences(effect.before, effect.after);
  if (action === 'create') return effect.before === undefined && made.every(isIn(differences(undefined, to)));
  if (action === 'delete') return effect.after === undefined && effect.id === id;
  if (effect.id !== id || effect.after === undefined) return false;
  // Whether the lost request was carried out is not known, so the plan shows only what is there afterwards.
  const isFrom = reason === 'unresolved' ? effect.before : from;
  return made.every(isIn(differences(isFrom, to)));
}

type Difference = readonly [field: string, before: unknown, after: unknown];

/** The fields that differ, with both values: what others have changed meanwhile was shown by others. */
function differences(before = '{}', after = '{}'): readonly Difference[] {
  const [from, to] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])].sort();
  return names.flatMap((name): Difference[] => (from?.[name] === to?.[name] ? [] : [[name, from?.[name], to?.[name]]]));
}

function isIn(all: readonly Difference[]): (difference: Difference) => boolean {
  const known = new Set(all.map((each) => JSON.stringify(each)));
  return (difference) => known.has(JSON.stringify(difference));
}

const arbitraryEdit: fc.Arbitrary<Edit> = fc.record({
  key: fc.constantFrom(...keys),
  field: fc.constantFrom(...fields),
  to: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 2 }) }, { weight: 1, arbitrary: fc.constant(null) }),
});
const which = fc.nat({ max: 5 });
const type = <const T extends Event['type']>(name: T) => fc.constant(name);
const value = fc.integer({ min: 0, max: 2 });
/** Of one schedule, so that its update takes two requests. */
const ofTwoRequests = fc.tuple(fc.constantFrom(...keys), value, value).map(([key, name, paused]): Edit[] => [
  { key, field: 'name', to: name },
  { key, field: 'paused', to: paused },
]);
const edits = fc.oneof(
  { weight: 2, arbitrary: fc.array(arbitraryEdit, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: ofTwoRequests },
);
const mostly = fc.integer({ min: 0, max: 5 }).map((roll) => roll > 0);
const arbitraryEvents: readonly fc.WeightedArbitrary<Event>[] = [
  { weight: 6, arbitrary: fc.record({ type: type('open'), edits, planned: mostly, secrets: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: type('plan'), which, secrets: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: type('merge'), which: fc.uniqueArray(which, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: type('rotate') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: type('apply'),
      trouble: fc.dictionary(
        fc.integer({ min: 1, max: 4 }).map(String),
        fc.constantFrom<Trouble[]>('lost-before', 'lost-after', 'refused', 'killed-before', 'killed-after'),
        { maxKeys: 2, noNullPrototype: true },
      ),
    }),
  },
];
const arbitraryDisorder: readonly fc.WeightedArbitrary<Event>[] = [
  { weight: 1, arbitrary: fc.record({ type: type('fail-plan'), which }) },
  { weight: 2, arbitrary: fc.record({ type: type('update'), which, edit: arbitraryEdit, planned: mostly }) },
  { weight: 1, arbitrary: fc.record({ type: type('push'), edit: arbitraryEdit }) },
];
const week = (...events: readonly fc.WeightedArbitrary<Event>[]) =>
  fc.array(fc.oneof(...events), { minLength: 4, maxLength: 24 });

function makeWorld(): World {
  const clock = makeInstantClock(Date.UTC(2026, 2, 1));
  const service = openService(clock);
  const main = { a: { name: 0, path: 0, paused: 0 }, b: { name: 0, path: 0, paused: 0 } };
  return { service, clock, commits: [], open: [], main, state: undefined, secret: 0, pulls: 0, planned: 0 };
}

/** The first two schedules were applied by hand. */
async function begin(world: World): Promise<void> {
  commit(world, world.main, { pulls: [{ number: 0, base: {}, edits: [], head: 0 }] });
  const [first] = world.commits;
  const document = await planOf(world, world.main, true);
  const pull = first?.pulls[0];
  if (pull !== undefined)
    pull.review = { head: 0, at: timeOf(world), onto: '', text: encodeChanges(document.changes), document };
  expect((await runApply(world)).applied?.document?.summary).toMatchObject({ applied: 2 });
}

function commit(world: World, main: Declared, more: Omit<Commit, 'sha'>): void {
  world.main = main;
  world.commits.push({ sha: String(world.commits.length + 1).padStart(40, '0'), ...more });
}

/** `isFree`: whether a new pull request may change a resource. */
async function play(world: World, event: Event, isFree: (key: string) => boolean): Promise<Run | undefined> {
  const { open } = world;
  const named = (index: number) => open[index % Math.max(open.length, 1)];
  switch (event.type) {
    case 'open': {
      const createsToo = ({ field, to }: Edit) => to !== null && field !== 'paused';
      const own = event.edits.filter((edit) => isFree(edit.key) && (createsToo(edit) || edit.key in world.main));
      if (own.length === 0) return undefined;
      world.pulls += 1;
      const pull: Pull = { number: world.pulls, base: world.main, edits: own, head: 1 };
      open.push(pull);
      if (event.planned) await review(world, pull, event.secrets);
      return undefined;
    }
    case 'plan': {
      const pull = named(event.which);
      if (pull !== undefined) await review(world, pull, event.secrets);
      return undefined;
    }
    case 'fail-plan': {
      const pull = named(event.which);
      if (pull !== undefined) pull.review = undefined;
      return undefined;
    }
    case 'update': {
      const pull = named(event.which);
      if (pull === undefined) return undefined;
      pull.edits = [...pull.edits, event.edit];
      pull.head += 1;
      if (event.planned) await review(world, pull, false);
      return undefined;
    }
    case 'merge':
      for (const pull of new Set(event.which.flatMap((index) => named(index) ?? []))) {
        if (!isMergeable(pull, world.main)) continue;
        open.splice(open.indexOf(pull), 1);
        commit(world, edited(world.main, pull.edits), { pulls: [pull] });
      }
      return undefined;
    case 'push':
      commit(world, edited(world.main, [event.edit]), { pulls: [], edits: [event.edit] });
      return undefined;
    case 'rotate':
      world.secret += 1;
      return undefined;
    case 'apply':
      return runApply(world, event.trouble);
    default:
      return event satisfies never;
  }
}

it('nothing reaches the service that no merged pull request has shown, whatever else happens in a week', {
  timeout: 120_000,
}, async () => {
  let [effects, refusals] = [0, 0];
  await fc.assert(
    fc.asyncProperty(week(...arbitraryEvents, ...arbitraryDisorder), async (events) => {
      const world = makeWorld();
      await begin(world);
      for (const event of events) {
        const before = snapshot(world);
        const run = await play(world, event, () => true);
        const made = effectsBetween(before, snapshot(world));
        for (const effect of made) expect(wasShown(world, effect), JSON.stringify(effect)).toBe(true);
        effects += made.length;
        if (run?.refused === undefined) continue;
        refusals += 1;
        expect(made).toEqual([]);
      }
    }),
    { numRuns: runs(250) },
  );
  expect(effects).toBeGreaterThan(runs(50));
  expect(refusals).toBeGreaterThan(runs(20));
});

/** The plan of a pull request shows what was open when it was made. It is merged after that was applied, and changed again. */
const planOfAnEarlierDay: Event[] = [
  { type: 'open', edits: [{ key: 'a', field: 'name', to: 1 }], planned: true, secrets: false },
  { type: 'merge', which: [0] },
  { type: 'open', edits: [{ key: 'b', field: 'name', to: 1 }], planned: true, secrets: false },
  { type: 'apply', trouble: {} },
  { type: 'open', edits: [{ key: 'a', field: 'name', to: 2 }], planned: true, secrets: false },
  { type: 'merge', which: [1, 0] },
  { type: 'apply', trouble: {} },
];

it('what was reviewed for different resources arrives without a person, after failed and cancelled runs too', {
  timeout: 120_000,
}, async () => {
  let together = 0;
  await fc.assert(
    fc.asyncProperty(week(...arbitraryEvents), async (events) => {
      const world = makeWorld();
      await begin(world);
      let done = world.main;
      // Every plan shows what is unresolved, so another change of it would have two reviews.
      const isOpen = (key: string) => openChanges(world.state).some(({ address }) => address === `schedules.${key}`);
      const settled = (key: string) => !isOpen(key) && JSON.stringify(done[key]) === JSON.stringify(world.main[key]);
      const isFree = (key: string) =>
        settled(key) && !world.open.some((pull) => pull.edits.some((edit) => edit.key === key));
      const check = ({ refused, covered, applied }: Run) => {
        expect(refused, JSON.stringify(covered)).toBeUndefined();
        if (applied?.document?.results.every(({ status }) => status === 'applied')) done = world.main;
        together += Number((applied?.document?.results.length ?? 0) > 1);
      };
      for (const event of events) {
        const reviewed = event.type === 'open' ? { ...event, planned: true } : event;
        const run = await play(world, reviewed, isFree);
        if (run !== undefined) check(run);
      }
      check(await runApply(world));
      expect(done).toBe(world.main);
      expect((await planOf(world, world.main, true)).changes).toEqual([]);
      expect(world.service.data.schedules).toHaveLength(Object.keys(world.main).length);
    }),
    { numRuns: runs(200), examples: [[planOfAnEarlierDay]] },
  );
  expect(together).toBeGreaterThan(runs(50));
});

it('two reviews of one schedule that nobody saw together are refused with both pull requests until a plan shows the sum', async () => {
  const value = fc.integer({ min: 1, max: 2 });
  const order = fc.constantFrom([0, 1], [1, 0]);
  await fc.assert(
    fc.asyncProperty(value, value, order, fc.boolean(), async (name, path, which, secrets) => {
      const world = makeWorld();
      await begin(world);
      const opened = (edit: Edit): Event => ({ type: 'open', edits: [edit], planned: true, secrets });
      const next = async (...events: readonly Event[]) => {
        for (const event of events) await play(world, event, () => true);
      };
      await next(opened({ key: 'a', field: 'name', to: name }), opened({ key: 'a', field: 'path', to: path }), {
        type: 'merge',
        which,
      });
      const before = snapshot(world);
      const { refused, covered } = await runApply(world);
      expect(refused?.addresses).toEqual(['schedules.a']);
      expect(covered.open).toMatchObject([{ address: 'schedules.a', pulls: [1, 2] }]);
      expect(effectsBetween(before, snapshot(world))).toEqual([]);
      await next(opened({ key: 'b', field: 'name', to: 1 }), { type: 'merge', which: [0] });
      expect((await runApply(world)).applied?.document?.summary).toMatchObject({ applied: 2 });
      expect((await planOf(world, world.main, true)).changes).toEqual([]);
    }),
    { numRuns: runs(16) },
  );
});
