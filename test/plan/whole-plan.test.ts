// A plan as a whole: its order, the same bytes for the same inputs, open changes of an earlier apply, and what an apply
// refuses.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { State, Unresolved } from '../../src/model/plan/state.ts';
import { withoutMarks } from '../../src/model/values/command.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { type GuardPolicy, guardPlan } from '../../src/plan/guard-plan.ts';
import { at, declare, inBrief, plan, schedule, seen, stateOf } from '../support/plan/planning.ts';
import { arbitraryDeclarations, type Declarations } from '../support/property/arbitrary-declarations.ts';
import { runs } from '../support/runs/runs.ts';
import { aiJob, dashboard } from '../support/vocabulary.ts';

const s = 'schedules.s';
const d = 'dashboards.d';
const j = 'aiJobs.j';

describe('the order of a plan', () => {
  it('a plan lists dashboards, schedules and AI jobs in this order, and sorts each kind by address', () => {
    const desired = declare({
      'aiJobs.a': aiJob(),
      'schedules.b': schedule({ name: 'b' }),
      'schedules.B': schedule({ name: 'B' }),
      'schedules.a-1': schedule({ name: 'a' }),
      'dashboards.z': dashboard(),
      'dashboards.y': dashboard({ identifier: 'y' }),
    });
    const gone = { 'schedules.aa': schedule({ name: 'aa' }), 'dashboards.a': dashboard({ identifier: 'a' }) };
    expect(plan(desired, stateOf(gone)).changes.map(({ address }) => address)).toEqual([
      'dashboards.a',
      'dashboards.y',
      'dashboards.z',
      'schedules.B',
      'schedules.a-1',
      'schedules.aa',
      'schedules.b',
      'aiJobs.a',
    ]);
  });
});

function byAddress(declarations: Declarations): [string, JsonObject][] {
  return Object.entries(declarations).flatMap(([section, entries]) =>
    Object.entries(entries as Record<string, JsonObject>).map(([key, fields]): [string, JsonObject] => [
      `${section}.${key}`,
      fields,
    ]),
  );
}

it('the same declarations and state in any order give the same plan, byte for byte', () => {
  const shuffledKeys = (object: JsonObject): JsonObject => Object.fromEntries(Object.entries(object).reverse());
  fc.assert(
    fc.property(
      arbitraryDeclarations,
      arbitraryDeclarations,
      fc.infiniteStream(fc.nat()),
      (declared, tracked, numbers) => {
        const random = () => numbers.next().value as number;
        const shuffled = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => [random(), item] as const)
            .sort(([a], [b]) => a - b)
            .map(([, item]) => item);
        // Lines depend on the order of the files.
        const bytes = (resources: [string, JsonObject][], known: [string, JsonObject][]) => {
          const made = plan(declare(Object.fromEntries(resources)), stateOf(Object.fromEntries(known)));
          return JSON.stringify({ ...made.plan, changes: made.changes.map(({ line: _, ...change }) => change) });
        };
        const [resources, known] = [byAddress(declared), byAddress(tracked)];
        const [others, alike] = [shuffled(resources), shuffled(known)];
        expect(bytes(others, alike)).toBe(bytes(resources, known));
        const turned = others.map(([address, fields]): [string, JsonObject] => [address, shuffledKeys(fields)]);
        const diffs = (entries: [string, JsonObject][]) =>
          plan(declare(Object.fromEntries(entries)), stateOf(Object.fromEntries(known))).changes.map(
            ({ diff }) => diff,
          );
        expect(diffs(turned)).toEqual(diffs(resources));
      },
    ),
    { numRuns: runs(100), seed: 1 },
  );
});

describe('what an earlier apply left open', () => {
  const open = (address: string, action: Unresolved['action']): Unresolved => ({
    address,
    action,
    since: at,
    identifier: '12db1a0a',
    name: 'Weekly sales',
  });

  it.each([
    ['a create', declare({ [s]: schedule() }), {}, open(s, 'create'), `create ${s} (not-in-state), 1, blocked`],
    ['a create that is no longer declared', declare({}), {}, open(s, 'create'), `create ${s} (unresolved), 0, blocked`],
    [
      'a replace',
      declare({ [s]: schedule({ name: 'x' }) }),
      { [s]: schedule() },
      open(s, 'replace'),
      `replace ${s} (cannot-update), 1, blocked`,
    ],
    [
      'a replace that was taken back',
      declare({ [s]: schedule() }),
      { [s]: schedule() },
      open(s, 'replace'),
      `replace ${s} (unresolved), 0, blocked`,
    ],
    [
      'a replace of what is declared no longer',
      declare({}),
      { [s]: schedule() },
      open(s, 'replace'),
      `forget ${s} (not-declared), 0, blocked`,
    ],
    ['a run', declare({ [j]: aiJob() }), {}, open(j, 'run'), `run ${j} (new-content), 1, blocked`],
  ] as const)('%s with an unknown outcome blocks the plan', (_, desired, tracked, unresolved, expected) => {
    const { changes, plan: made } = plan(desired, stateOf(tracked, { unresolved: [unresolved] }));
    expect(changes.map(inBrief)).toEqual([expected]);
    expect(changes[0]?.blocked).toContain(`almanac state resolve ${unresolved.address} --retry`);
    expect(changes[0]?.blocked).toContain(at);
    expect(made.unresolved).toEqual([{ address: unresolved.address, action: unresolved.action, since: at }]);
  });

  it('with operations full a lost create is left to the next apply, and a lost run to a person', () => {
    const unresolved = [open(s, 'create'), open(j, 'run')];
    const desired = declare({ [s]: schedule(), [j]: aiJob() });
    const full = plan(desired, stateOf({}, { unresolved }), { operations: 'full' });
    const core = plan(desired, stateOf({}, { unresolved }), { operations: 'core' });
    const lookedFor = ({ changes }: typeof full) => changes.map((change) => [change.address, change.lookedFor]);
    expect(lookedFor(full)).toEqual([
      [s, true],
      [j, undefined],
    ]);
    expect(full.plan.unresolved.map((each) => each.lookedFor)).toEqual([true, undefined]);
    expect(withoutMarks(full.changes[0]?.blocked ?? '')).toMatch(
      /`almanac apply` looks in Omni .* and goes on\. Only if that is refused/,
    );
    expect(full.changes[1]?.blocked).toContain('Check in Omni for');
    expect(lookedFor(core).map(([, each]) => each)).toEqual([undefined, undefined]);
  });

  it('an update or a delete of a schedule with an unknown outcome is planned again if the operations allow it', () => {
    const state = (action: Unresolved['action']) => stateOf({ [s]: schedule() }, { unresolved: [open(s, action)] });
    const full = { operations: 'full' } as const;
    expect(plan(declare({ [s]: schedule() }), state('update'), full).changes.map(inBrief)).toEqual([
      `update ${s} (unresolved), 1`,
    ]);
    expect(plan(declare({ [s]: schedule({ name: 'x' }) }), state('update'), full).changes.map(inBrief)).toEqual([
      `update ${s} (unresolved), 1`,
    ]);
    expect(plan(declare({}), state('delete'), full).changes.map(inBrief)).toEqual([`delete ${s} (not-declared), 1`]);
    // Core can't repeat it; what it would replace needs no repeating.
    expect(plan(declare({ [s]: schedule() }), state('update')).changes).toMatchObject([
      { action: 'update', requests: 0, blocked: expect.stringContaining('--done') },
    ]);
    expect(plan(declare({ [s]: schedule({ name: 'x' }) }), state('update')).changes.map(inBrief)).toEqual([
      `replace ${s} (cannot-update), 1`,
    ]);
  });

  it('an open change moves with its resource', () => {
    const t = 'schedules.t';
    const state = stateOf({ [s]: schedule() }, { unresolved: [open(s, 'replace')] });
    for (const desired of [
      declare({ [t]: schedule() }),
      declare({ [t]: schedule() }, { moved: [[s, t]] }),
      declare({ [t]: schedule({ subject: 'x' }) }, { moved: [[s, t]] }),
    ]) {
      for (const targets of [undefined, [t]]) {
        const { changes } = plan(desired, state, { targets });
        expect(changes).toMatchObject([{ address: t, previousAddress: s }]);
        expect(changes[0]?.blocked).toContain(`almanac state resolve ${s} --id ID`);
      }
    }
    const patched = stateOf({ [d]: dashboard() }, { unresolved: [open(d, 'update')] });
    const moved = declare({ 'dashboards.e': dashboard() }, { moved: [[d, 'dashboards.e']] });
    expect(plan(moved, patched).changes.map(inBrief)).toEqual([`update dashboards.e from ${d} (unresolved), 1`]);
  });

  it('an open change blocks sending the same request under another address, also as a target', () => {
    const t = 'schedules.t';
    for (const targets of [undefined, [t]]) {
      const state = stateOf({}, { unresolved: [open(s, 'create')] });
      const renamed = plan(declare({ [t]: schedule({ subject: 'x' }) }), state, { targets }).changes;
      expect(renamed.find(({ address }) => address === t)?.blocked).toContain(`almanac state resolve ${s}`);
      const other = plan(declare({ [t]: schedule({ name: 'Another' }) }), state, { targets: [t] }).changes;
      expect(other[0]?.blocked).toBeUndefined();
    }
    const job = stateOf({}, { unresolved: [{ address: j, action: 'run', since: at, attributes: aiJob() }] });
    const again = plan(declare({ 'aiJobs.k': aiJob() }), job, { targets: ['aiJobs.k'] }).changes;
    expect(again[0]?.blocked).toContain(`almanac state resolve ${j}`);
  });
});

describe('an apply refuses', () => {
  const strict: GuardPolicy = {
    allow: {},
    isUnattended: true,
    force: false,
    maxDeletePercent: 30,
  };
  const allowing: GuardPolicy = { ...strict, allow: { orphans: true } };
  const many = (count: number, prefix = 'schedules.s') =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${prefix}${index}`, schedule({ name: `${prefix}${index}` })]),
    );
  const refusals = (made: Plan, policy: GuardPolicy, { resources }: State) =>
    guardPlan(made, policy, { tracked: Object.keys(resources), foundNone: false, standing: {} }).map(
      ({ message, hint }) => `${message} ${hint}`,
    );

  it('an apply refuses a plan that leaves orphans, and names each id and both ways out', () => {
    const state = stateOf({ [s]: schedule(), 'schedules.t': schedule({ name: 't' }) });
    const { plan: made } = plan(declare({ [s]: schedule({ name: 'x' }) }), state);
    const [refusal, ...others] = refusals(made, strict, state);
    expect(others).toEqual([]);
    for (const words of [
      '2 schedules',
      `${s} (id of ${s})`,
      'schedules.t (id of schedules.t)',
      '--allow orphans',
      'almanac state orphans --clear',
    ])
      expect(refusal).toContain(words);
    expect(refusals(made, allowing, state)).toEqual([]);
  });

  it('an apply that nobody is asked about refuses a plan of a submodule at another commit, if it sends anything', () => {
    const at = { recordedCommit: '1'.repeat(40), commitHere: '2'.repeat(40) };
    const moved = ['a', 'b'].map((path) => ({ ...at, path, update: '`git submodule update`' }));
    const made = plan(declare({ [s]: schedule() }), undefined).plan;
    const refusedBy = (policy: Partial<GuardPolicy>, of = made) =>
      guardPlan(of, { ...strict, ...policy }, { tracked: [], foundNone: false, standing: { moved } }).length;
    expect(refusedBy({})).toBe(2);
    expect(refusedBy({ isUnattended: false })).toBe(0);
    expect(refusedBy({ allow: { behind: true } })).toBe(0);
    expect(refusedBy({}, plan(declare({ [s]: schedule() }), stateOf({ [s]: schedule() })).plan)).toBe(0);
  });

  it('a plan with operations full, or one that releases on purpose, is not refused for orphans', () => {
    const state = stateOf({ [s]: schedule() });
    const changed = plan(declare({ [s]: schedule({ name: 'x' }) }), state, { operations: 'full' });
    expect(refusals(changed.plan, strict, state)).toEqual([]);
    const released = plan(declare({}, { removed: [s] }), state);
    expect(refusals(released.plan, strict, state)).toEqual([]);
  });

  it('a plan that forgets only what ran once is not refused for orphans', () => {
    const ran = { id: undefined, attributes: schedule({ testNow: true }) };
    const state = stateOf({ [s]: ran, [j]: aiJob(), [d]: dashboard() });
    expect(refusals(plan(declare({}), state).plan, strict, state)).toEqual([]);
  });

  it.each([
    [9, 9, []],
    [10, 3, []],
    [10, 4, ['4 of 10']],
  ])(
    'the guard against removals decides for %i tracked resources of which %i are removed: %j',
    (tracked, lost, expected) => {
      const state = stateOf(many(tracked));
      const kept = Object.fromEntries(Object.entries(many(tracked)).slice(lost));
      const { plan: made } = plan(declare(kept), state);
      const found = refusals(made, allowing, state);
      expect(found).toHaveLength(expected.length);
      for (const words of expected) expect(found[0]).toContain(words);
      if (expected.length > 0) expect(found[0]).toContain('--force');
      expect(refusals(made, { ...allowing, force: true }, state)).toEqual([]);
    },
  );

  const loop = 'schedules.alert';
  it.each([
    ['all of a loop of nine', 9, 9, undefined],
    ['three of ten', 10, 3, undefined],
    ['four of ten', 10, 4, `4 of the 10 instances of ${loop}, 40 percent; safety`],
    ['half of a loop of 40', 40, 20, `20 of the 40 instances of ${loop}, 50 percent; safety`],
  ] as const)(
    'the guard against removals judges a loop by itself: %s instances removed among a hundred others',
    (_, tracked, lost, expected) => {
      const state = stateOf({ ...many(100), ...many(tracked, `${loop}.`) });
      const kept = Object.entries(many(tracked, `${loop}.`)).slice(lost);
      const { plan: made } = plan(declare({ ...many(100), ...Object.fromEntries(kept) }), state);
      const said = `The plan deletes, replaces, forgets or finds missing ${expected}`;
      expect(refusals(made, allowing, state)).toEqual(expected === undefined ? [] : [expect.stringContaining(said)]);
      expect(refusals(made, { ...allowing, force: true }, state)).toEqual([]);
    },
  );

  it('instances that are replaced or missing count for their loop, as the state names it', () => {
    const state = stateOf({ ...many(100), ...many(10, `${loop}.`) });
    const others = Object.entries(many(10, `${loop}.`)).map(([address, fields], index) => [
      address.replace('alert', 'notice'),
      index === 0 ? fields : { ...fields, subject: 'x' },
    ]);
    const moved = Object.keys(many(10, `${loop}.`)).map((from) => [from, from.replace('alert', 'notice')] as const);
    const replaced = plan(declare({ ...many(100), ...Object.fromEntries(others) }, { moved }), state);
    expect(refusals(replaced.plan, allowing, state)).toEqual([
      expect.stringContaining(`9 of the 10 instances of ${loop}, 90 percent`),
    ]);
    const gone = Object.keys(many(4, `${loop}.`)).map((address) => [address, undefined]);
    const missing = plan(
      declare({ ...many(100), ...many(10, `${loop}.`) }),
      state,
      { operations: 'full' },
      seen(Object.fromEntries(gone)),
    );
    expect(refusals(missing.plan, allowing, state)).toEqual([
      expect.stringContaining(`4 of the 10 instances of ${loop}, 40 percent`),
    ]);
  });

  it('a share of everything and one of a loop are one refusal', () => {
    const state = stateOf(many(20, `${loop}.`));
    expect(refusals(plan(declare(many(10, `${loop}.`)), state).plan, allowing, state)).toEqual([
      expect.stringContaining(
        `10 of 20 tracked resources, 50 percent, and 10 of the 20 instances of ${loop}, 50 percent;`,
      ),
    ]);
  });

  it('an apply refuses a plan that replaces too many resources', () => {
    const others = Object.entries(many(10)).map(([address, fields]) => [address, { ...fields, subject: 'x' }]);
    const state = stateOf(many(10));
    const { plan: made } = plan(declare(Object.fromEntries(others)), state);
    expect(refusals(made, allowing, state)).toMatchObject([expect.stringContaining('10 of 10 tracked resources')]);
  });

  it('an apply refuses a plan that finds too many resources missing, although it would create them again', () => {
    const gone = Object.keys(many(4)).map((address) => [address, undefined]);
    const state = stateOf(many(10));
    const { plan: made } = plan(declare(many(10)), state, { operations: 'full' }, seen(Object.fromEntries(gone)));
    expect(refusals(made, allowing, state)).toMatchObject([
      expect.stringContaining('4 of 10 tracked resources, 40 percent'),
    ]);
  });
});
