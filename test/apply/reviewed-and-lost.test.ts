// A reviewed change that did not come to its end: its answer was lost, a request of it was refused, or the run was
// killed. It is planned again as it was reviewed, so the same list of reviewed changes carries it out, and until then the
// state keeps its commit.

import { expect, it } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { at, schedule } from '../support/apply/declared.ts';
import { baseUrl, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost, refusal } from '../support/memory-service.ts';

type Declared = Record<string, unknown>;

const almanac = { api: { baseUrl, rateLimit: 0, concurrency: 1, operations: 'full' } };
const [first, second] = ['1'.repeat(40), '2'.repeat(40)];
const users = ['ana', 'bo'].map((name) => ({ id: `${name}-id`, email: `${name}@example.com`, active: true }));
const [ana, bo] = [{ owner: 'ana@example.com' }, { owner: 'bo@example.com' }];
const dashboards = (value: string) => ({
  d: { identifier: '12db1a0a', filters: { f1: { kind: 'EQUALS', type: 'string', values: [value] } } },
});
const hooked = (name: string) => schedule(name, { url: 'https://hooks.example.com/${env.HOOK}' });

/** `before` was applied at the first commit; `after` is declared at the second, and its changes are reviewed. */
async function reviewed(before: Declared, after: Declared) {
  const made = stage(before, { almanac });
  made.service.users = users;
  made.environment = { ...made.environment, GITHUB_SHA: first, HOOK: 'one' };
  await made.apply();
  made.environment['GITHUB_SHA'] = second;
  made.files['schedules/all.yaml'] = after;
  made.service.sent.length = 0;
  const changes = await shownIn(made);
  return { made, changes, digests: new Set(changes.map(({ digest }) => digest ?? '')) };
}

/** What a reviewer sees of each change. */
async function shownIn(made: Stage) {
  return (await made.plan()).changes.map(shown);
}

const shown = ({ address, action, id, before, after, diff, digest }: Change) => ({
  address,
  action,
  id,
  before,
  after,
  diff,
  digest,
});

const commitOf = ({ store }: Stage) => store.stored.state?.commit;
const applyReviewed = (made: Stage, expectChanges: ReadonlySet<string>) => made.apply({ expectChanges, force: true });

/** The state and the service as they are at a moment: what a run that is killed then leaves. */
function leftBy({ store, service }: Stage) {
  const stored = structuredClone(store.stored);
  const schedules = [...service.schedules].map(([id, each]) => [id, { ...each }] as const);
  return () => {
    store.stored = stored;
    service.schedules.clear();
    for (const [id, each] of schedules) service.schedules.set(id, each);
  };
}

/** Throws, or returns what to do once the run is over. */
const troubles: readonly [string, (made: Stage) => () => void][] = [
  ['the answer was lost', () => fail(answerLost())],
  ['the service refused it', () => fail(refusal(422))],
  ['the run was killed', leftBy],
];

function fail(failure: Failure): never {
  throw failure;
}

const a = schedule('A');
it.each<[string, Declared, Declared]>([
  ['an update', { schedules: { a } }, { schedules: { a: schedule('A2') } }],
  ['a pause', { schedules: { a } }, { schedules: { a: schedule('A', { paused: true }) } }],
  ['a resume', { schedules: { a: schedule('A', { paused: true }) } }, { schedules: { a } }],
  ['an update with a pause', { schedules: { a } }, { schedules: { a: schedule('A2', { paused: true }) } }],
  [
    'an update with a resume and a transfer',
    { schedules: { a: schedule('A', { paused: true, ...ana }) } },
    { schedules: { a: schedule('A2', bo) } },
  ],
  ['a transfer', { schedules: { a: schedule('A', ana) } }, { schedules: { a: schedule('A', bo) } }],
  [
    'a transfer with a pause',
    { schedules: { a: schedule('A', ana) } },
    { schedules: { a: schedule('A', { paused: true, ...bo }) } },
  ],
  ['a delete', { schedules: { a, b: schedule('B') } }, { schedules: { b: schedule('B') } }],
  ['a create', { schedules: { a } }, { schedules: { a, b: schedule('B') } }],
  ['the filters of a dashboard', { dashboards: dashboards('x') }, { dashboards: dashboards('y') }],
  ['the first filters of a dashboard', { schedules: { a } }, { schedules: { a }, dashboards: dashboards('x') }],
  ['an update of what has a secret', { schedules: { a: hooked('A') } }, { schedules: { a: hooked('A2') } }],
  [
    'an update of what is moved',
    { schedules: { a } },
    { schedules: { b: schedule('A2') }, moved: [{ from: 'schedules.a', to: 'schedules.b' }] },
  ],
])(
  'a reviewed change that did not come to its end is carried out by the same list of reviewed changes: %s',
  async (_, before, after) => {
    const { made: undisturbed, digests: list } = await reviewed(before, after);
    const points: string[] = [];
    undisturbed.service.reach = (point) => void points.push(point);
    await applyReviewed(undisturbed, list);
    expect(points.length).toBeGreaterThan(1);
    for (const point of points) {
      for (const [trouble, meet] of troubles) {
        if (point.startsWith('after') && trouble === 'the service refused it') continue;
        const { made, changes, digests } = await reviewed(before, after);
        const where = `${point}: ${trouble}`;
        let die = () => {};
        made.service.reach = (reached) => {
          if (reached !== point) return;
          made.service.reach = () => undefined;
          die = meet(made);
        };
        await applyReviewed(made, digests);
        die();
        if (commitOf(made) === second) expect(await shownIn(made), where).toEqual([]);
        const open = await shownIn(made);
        if (open.length > 0)
          expect(
            open.map(({ digest }) => digest),
            where,
          ).toEqual(changes.map(({ digest }) => digest));
        if (!('moved' in after) && open.length > 0) expect(open, where).toEqual(changes);
        made.service.sent.length = 0;
        const { document } = await applyReviewed(made, digests);
        expect(
          document?.results.filter(({ status }) => status !== 'applied'),
          where,
        ).toEqual([]);
        expect(await shownIn(made), where).toEqual([]);
        expect(made.store.stored.state?.unresolved, where).toEqual([]);
      }
    }
  },
);

it('the state keeps its commit while a change is unresolved, although everything else was applied', async () => {
  const { made } = await reviewed({ schedules: { a } }, { schedules: { a: schedule('A2') } });
  const { state } = made.store.stored;
  if (state === undefined) throw new Error('nothing was applied');
  const lost = {
    address: 'dashboards.d',
    action: 'create',
    since: at,
    attributes: { identifier: '12db1a0a' },
  } as const;
  made.store.stored = { state: { ...state, unresolved: [lost] }, journal: undefined };
  expect((await made.apply()).document?.summary).toMatchObject({ applied: 1, failed: 0 });
  expect(commitOf(made)).toBe(first);
});

it('a rotated secret whose update broke off before it resumed the schedule needs no review', async () => {
  const resumed = { schedules: { a: hooked('A') } };
  const { made, digests } = await reviewed({ schedules: { a: { ...hooked('A'), paused: true } } }, resumed);
  made.environment['HOOK'] = 'two';
  made.service.reach = (point) => {
    if (point.startsWith('before RESUME')) throw refusal(422);
  };
  await applyReviewed(made, digests);
  made.service.reach = () => undefined;
  expect((await applyReviewed(made, digests)).document?.summary).toMatchObject({ applied: 1 });
  expect(await shownIn(made)).toEqual([]);
});
