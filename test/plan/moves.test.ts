// How a resource keeps its id when its address changes: by moved entries, and by content that left one address and
// appeared at another. No tracked id may be lost, whatever the entries say.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { match } from '../../src/plan/match.ts';
import { declare, inBrief, plan, schedule, secret, stateOf, type Tracked } from '../support/plan/planning.ts';
import { runs } from '../support/runs/runs.ts';
import { dashboard } from '../support/vocabulary.ts';

const of = (name: string) => schedule({ name });
const at = (key: string) => `schedules.${key}`;
const all = <T>(entries: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [at(key), value]));

interface Case {
  readonly declared: Readonly<Record<string, JsonObject>>;
  readonly tracked: Readonly<Record<string, Tracked>>;
  readonly moved: readonly (readonly [string, string])[];
}

function planMoves({ declared, tracked, moved }: Case) {
  const entries = { moved: moved.map(([from, to]) => [at(from), at(to)] as const) };
  const { changes, codes, steps } = plan(declare(all(declared), entries), stateOf(all(tracked)));
  const ids = Object.fromEntries(steps.map(({ change }) => [change.address.slice('schedules.'.length), change.id]));
  return { inBrief: changes.map(inBrief).map((text) => text.replaceAll('schedules.', '')), codes, ids };
}

describe('an entry of moved', () => {
  it('a chain of moved entries is followed from wherever the resource is', () => {
    const moved = [
      ['a', 'b'],
      ['b', 'c'],
    ] as const;
    expect(planMoves({ declared: { c: of('A') }, tracked: { a: of('A') }, moved }).inBrief).toEqual([
      'move c from a (moved-entry), 0',
    ]);
    expect(planMoves({ declared: { c: of('A') }, tracked: { b: of('A') }, moved }).inBrief).toEqual([
      'move c from b (moved-entry), 0',
    ]);
    expect(planMoves({ declared: { c: of('A') }, tracked: { c: of('A') }, moved })).toMatchObject({
      inBrief: [],
      codes: ['stale-moved', 'stale-moved'],
    });
  });

  it('a finished entry blocks nothing when what it moved moves on', () => {
    const moved = [
      ['b', 'c'],
      ['a', 'b'],
      ['c', 'd'],
    ] as const;
    const [a, b] = [of('A'), of('B')];
    expect(planMoves({ declared: { b: a, d: b }, tracked: { b: a, c: b }, moved })).toMatchObject({
      inBrief: ['move d from c (moved-entry), 0'],
      codes: ['stale-moved', 'stale-moved'],
    });
    expect(planMoves({ declared: { b: a, d: b }, tracked: { b: a, d: b }, moved })).toMatchObject({
      inBrief: [],
      codes: ['stale-moved', 'stale-moved', 'stale-moved'],
    });
  });

  it('an entry that names what is not tracked moves nothing, and the address that is near is named', () => {
    const entries = { moved: [[at('weakly'), at('sales')] as const] };
    const { findings } = plan(declare(all({ sales: of('A') }), entries), stateOf(all({ weekly: of('B') })));
    expect(findings.filter(({ code }) => code === 'stale-moved')).toMatchObject([
      {
        message: 'Nothing is tracked as `schedules.weakly`, so nothing becomes `schedules.sales`.',
        hint: 'Did you mean `schedules.weekly`?',
      },
    ]);
  });

  it('a moved entry to a tracked address is refused', () => {
    const { inBrief: made, codes } = planMoves({
      declared: { b: of('B') },
      tracked: { a: of('A'), b: of('B') },
      moved: [['a', 'b']],
    });
    expect(codes).toEqual(['invalid-moved']);
    expect(made).toEqual(['forget a (not-declared), 0']);
  });
});

describe('content that went from one address and came at another', () => {
  it('content that appears at another address in another spelling is a move', () => {
    const after = schedule({
      schedule: '00 9 ? * 2 *',
      timezone: 'GB',
      hideTitle: false,
      recipients: ['bo@example.com', 'ana@example.com'],
    });
    expect(planMoves({ declared: { b: after }, tracked: { a: schedule() }, moved: [] }).inBrief).toEqual([
      'move b from a (equal-content), 0',
    ]);
  });

  it('resources that differ only in a secret are matched by that secret', () => {
    const hook = (fingerprint: string | null) => schedule({ textBody: secret(fingerprint) });
    const before = stateOf(all({ a: hook('one'), b: hook('two') }));
    expect(plan(declare(all({ y: hook('two'), x: hook('one') })), before).changes.map(inBrief)).toEqual([
      `move ${at('x')} from ${at('a')} (equal-content), 0`,
      `move ${at('y')} from ${at('b')} (equal-content), 0`,
    ]);
    // Known and unknown: what is left over when the known are paired.
    expect(plan(declare(all({ x: hook('one'), y: hook(null) })), before).changes.map(inBrief)).toEqual([
      `move ${at('x')} from ${at('a')} (equal-content), 0`,
      `move ${at('y')} from ${at('b')} (equal-content), 0`,
    ]);
  });

  it('content with an unknown secret is a move, and content with a changed secret is not', () => {
    const hook = (fingerprint: string | null) => schedule({ textBody: secret(fingerprint) });
    const tracked = { a: hook('one') };
    expect(planMoves({ declared: { b: hook('one') }, tracked, moved: [] }).inBrief).toEqual([
      'move b from a (equal-content), 0',
    ]);
    expect(planMoves({ declared: { b: hook(null) }, tracked, moved: [] }).inBrief).toEqual([
      'move b from a (equal-content), 0',
    ]);
    expect(planMoves({ declared: { b: hook('two') }, tracked, moved: [] }).inBrief).toEqual([
      'forget a (not-declared), 0',
      'create b (not-in-state), 1',
    ]);
  });

  it('a move is not guessed if two resources left, two appeared, or the kinds differ', () => {
    const two = { a: of('A'), c: of('A') };
    expect(planMoves({ declared: { b: of('A') }, tracked: two, moved: [] }).inBrief).toHaveLength(3);
    expect(
      planMoves({ declared: { b: of('A'), d: of('A') }, tracked: { a: of('A') }, moved: [] }).inBrief,
    ).toHaveLength(3);
    const other = plan(
      declare({ 'dashboards.b': dashboard() }),
      stateOf({ 'aiJobs.b': { id: 'x', attributes: dashboard() } }),
    );
    expect(other.changes.map(({ action }) => action)).toEqual(['create', 'forget']);
  });

  it('content is not a move if an entry releases the old resource or adopts the new one', () => {
    const state = stateOf({ [at('a')]: of('A') });
    expect(plan(declare({ [at('b')]: of('A') }, { removed: [at('a')] }), state).changes.map(inBrief)).toEqual([
      'forget schedules.a (removed), 0',
      'create schedules.b (not-in-state), 1',
    ]);
    expect(
      plan(declare({ [at('b')]: of('A') }, { adopt: [[at('b'), 'x']] }), state).changes.map(({ action }) => action),
    ).toEqual(['forget', 'adopt']);
  });
});

describe('whatever moves', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const some = fc.dictionary(key, fc.constantFrom('A', 'B', 'C').map(of), { noNullPrototype: true });
  // Validation refuses entries that name an address twice, or that lead in a circle.
  const moved = fc
    .uniqueArray(fc.tuple(key, key), {
      comparator: (one, other) => one[0] === other[0] || one[1] === other[1],
      maxLength: 5,
    })
    .filter((entries) => {
      const next = new Map<string, string>(entries);
      const end = (from: string, steps: number): string => (steps === 0 ? from : end(next.get(from) ?? '', steps - 1));
      return entries.every(([from]) => end(from, entries.length + 1) === '');
    });

  it('every tracked id appears exactly once in a plan with moves', () => {
    fc.assert(
      fc.property(some, some, moved, (declared, tracked, entries) => {
        const desired = declare(all(declared), { moved: entries.map(([from, to]) => [at(from), at(to)]) });
        const state = stateOf(all(tracked));
        const ids = match(desired, state).value.flatMap(({ prior }) => prior?.id ?? []);
        expect(ids.sort()).toEqual(
          Object.values(state.resources)
            .flatMap(({ id }) => id ?? [])
            .sort(),
        );
      }),
      { numRuns: runs(1000), seed: 1 },
    );
  });

  it('a target includes the moves that make room for it, so that no move goes to an occupied address', () => {
    fc.assert(
      fc.property(some, some, moved, key, (declared, tracked, entries, target) => {
        const desired = declare(all(declared), { moved: entries.map(([from, to]) => [at(from), at(to)]) });
        const { changes } = plan(desired, stateOf(all(tracked)), { targets: [at(target)] });
        const left = new Set(changes.flatMap(({ previousAddress }) => previousAddress ?? []));
        for (const { address, previousAddress } of changes) {
          if (previousAddress !== undefined && Object.hasOwn(all(tracked), address)) expect(left).toContain(address);
        }
      }),
      { numRuns: runs(1000), seed: 4 },
    );
  });

  it('a second plan after the moves were applied moves nothing, unless a move was refused', () => {
    fc.assert(
      fc.property(some, some, moved, (declared, tracked, entries) => {
        const desired = declare(all(declared), { moved: entries.map(([from, to]) => [at(from), at(to)]) });
        const first = plan(desired, stateOf(all(tracked)));
        fc.pre(!first.codes.includes('invalid-moved'));
        const applied = stateOf(all(declared));
        expect(plan(desired, applied)).toMatchObject({ changes: [] });
      }),
      { numRuns: runs(1000), seed: 2 },
    );
  });

  it('the order of the moved entries makes no difference', () => {
    fc.assert(
      fc.property(some, some, moved, (declared, tracked, entries) => {
        const planned = (order: typeof entries) => {
          const made = plan(
            declare(all(declared), { moved: order.map(([from, to]) => [at(from), at(to)]) }),
            stateOf(all(tracked)),
          );
          return { changes: made.changes, codes: [...made.codes].sort() };
        };
        expect(planned([...entries].reverse())).toEqual(planned(entries));
      }),
      { numRuns: runs(1000), seed: 3 },
    );
  });
});
