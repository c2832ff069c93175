// A plan as a whole: its order, the same bytes for the same inputs, open changes of an earlier apply, and what an apply
// refuses.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { type GuardPolicy, guardPlan } from '../../src/plan/block.ts';
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
    expect(full.changes[0]?.blocked).toMatch(/`almanac apply` looks in Omni .* and goes on\. Only if that is refused/);
    expect(full.changes[1]?.blocked).toContain('Check in Omni for');
    expect(lookedFor(core).map(([, each]) => each)).toEqual([undefined, undefined]);
  });

  it('an update or a delete of a schedule with an unknown outcome is planned again if the operations allow it', () => {
    const state = (action: Unresolved['action']) => stateOf({ [s]: schedule() }, { unresolved: [open(s, action)] });
    const full = { operations: 'full' } as const;
    expect(plan(declare({ [s]: schedule() }), state('update'), full).changes.map(inBrief)).toEqual([
      `update ${s} (unresolved), 2`,
    ]);
    expect(plan(declare({ [s]: schedule({ name: 'x' }) }), state('update'), full).changes.map(inBrief)).toEqual([
      `update ${s} (unresolved), 2`,
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
  const strict: GuardPolicy = { allowOrphans: false, force: false, maxDeletePercent: 30 };
  const allowing: GuardPolicy = { ...strict, allowOrphans: true };
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`schedules.s${index}`, schedule({ name: `s${index}` })]),
    );
  const refusals = (made: Plan, policy: GuardPolicy, tracked: number) =>
    guardPlan(made, policy, { tracked, foundNone: false }).map(({ message, hint }) => `${message} ${hint}`);

  it('an apply refuses a plan that leaves orphans, and names each id and both ways out', () => {
    const { plan: made } = plan(
      declare({ [s]: schedule({ name: 'x' }) }),
      stateOf({ [s]: schedule(), 'schedules.t': schedule({ name: 't' }) }),
    );
    const [refusal, ...others] = refusals(made, strict, 2);
    expect(others).toEqual([]);
    for (const words of [
      '2 schedules',
      `${s} (id of ${s})`,
      'schedules.t (id of schedules.t)',
      '--allow-orphans',
      'almanac state orphans --clear',
    ])
      expect(refusal).toContain(words);
    expect(refusals(made, allowing, 2)).toEqual([]);
  });

  it('a plan with operations full, or one that releases on purpose, is not refused for orphans', () => {
    const changed = plan(declare({ [s]: schedule({ name: 'x' }) }), stateOf({ [s]: schedule() }), {
      operations: 'full',
    });
    expect(refusals(changed.plan, strict, 1)).toEqual([]);
    const released = plan(declare({}, { removed: [s] }), stateOf({ [s]: schedule() }));
    expect(refusals(released.plan, strict, 1)).toEqual([]);
  });

  it('a plan that forgets only what ran once is not refused for orphans', () => {
    const { plan: made } = plan(
      declare({}),
      stateOf({ [s]: { id: undefined, attributes: schedule({ testNow: true }) }, [j]: aiJob(), [d]: dashboard() }),
    );
    expect(refusals(made, strict, 3)).toEqual([]);
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
      const found = refusals(made, allowing, tracked);
      expect(found).toHaveLength(expected.length);
      for (const words of expected) expect(found[0]).toContain(words);
      if (expected.length > 0) expect(found[0]).toContain('--force');
      expect(refusals(made, { ...allowing, force: true }, tracked)).toEqual([]);
    },
  );

  it('an apply refuses a plan that replaces too many resources', () => {
    const others = Object.entries(many(10)).map(([address, fields]) => [address, { ...fields, subject: 'x' }]);
    const { plan: made } = plan(declare(Object.fromEntries(others)), stateOf(many(10)));
    expect(refusals(made, allowing, 10)).toMatchObject([expect.stringContaining('10 of 10 tracked resources')]);
  });

  it('an apply refuses a plan that finds too many resources missing, although it would create them again', () => {
    const gone = Object.keys(many(4)).map((address) => [address, undefined]);
    const { plan: made } = plan(
      declare(many(10)),
      stateOf(many(10)),
      { operations: 'full' },
      seen(Object.fromEntries(gone)),
    );
    expect(refusals(made, allowing, 10)).toMatchObject([
      expect.stringContaining('4 of 10 tracked resources, 40 percent'),
    ]);
  });
});
