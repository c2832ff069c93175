// Filters that nobody changed are as applied, and changed ones are not. That holds however the service lays and spells
// them, and whenever somebody edits the dashboard.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { meaningOf } from '../../src/model/fields/conditions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { type FilterLook, isDoubtful, judgeFilters } from '../../src/observe/filters.ts';
import { runs } from '../support/runs/runs.ts';

const value = fc.constantFrom<Json>('EU', 'US', '', 7, '7', 2026);
const written = {
  values: fc.array(value, { maxLength: 3 }),
  kind: fc.constantFrom('EQUALS', 'CONTAINS'),
  is_negative: fc.boolean(),
  left_side: fc.constantFrom<Json>('7 days ago', 5, null),
};
const ofDashboard = fc.record({ ...written, type: fc.constant('string'), label: fc.constantFrom('Region', 'Land') });
const own = fc.record(written, { requiredKeys: ['values'] });
const ids = ['a', 'b', 'c'];
const dashboard = fc.record({ a: ofDashboard, b: ofDashboard, c: ofDashboard });
const filters = fc.dictionary(fc.constantFrom(...ids), own, { maxKeys: 3 });

type Merge = (ours: JsonObject, theirs: JsonObject) => JsonObject;
const merges: readonly Merge[] = [
  (ours, theirs) => ({ ...theirs, ...ours }),
  (ours, theirs) => mapped(theirs, (filter, id) => ({ ...filter, ...(ours[id] as JsonObject) })),
];
const spellings: readonly ((filter: JsonObject) => JsonObject)[] = [
  (filter) => filter,
  ({ values, ...rest }) => ({ ...rest, values: (values as readonly Json[]).map(String).toReversed() }),
  (filter) => ({ ...filter, ...('kind' in filter ? { kind: String(filter['kind']).toLowerCase() } : {}) }),
  (filter) => ({ ...filter, label: 'As shown', viewName: 'orders', required: true }),
  (filter) => Object.fromEntries(Object.entries(filter).filter(([key, each]) => meaningOf(key, each) !== undefined)),
];
function mapped(given: JsonObject, change: (filter: JsonObject, id: string) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).map(([id, filter]) => [id, change(filter as JsonObject, id)]));
}

const world = fc.record({
  applied: fc.option(filters, { nil: undefined }),
  first: dashboard,
  then: dashboard,
  isEdited: fc.boolean(),
  isReadLate: fc.boolean(),
  merge: fc.constantFrom(...merges),
  spelling: fc.constantFrom(...spellings),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** With what the schedule has in Omni. */
function judge({ applied, first, then, isEdited, isReadLate, merge, spelling }: World, stored: JsonObject) {
  const [before, after] = [first, isEdited ? then : first].map((each) => ({
    identifier: 'd',
    filters: each as JsonObject,
    controls: {},
    filterOrder: [],
  })) as [never, never];
  const answer = mapped(merge(stored, (isEdited && isReadLate ? then : first) as JsonObject), spelling);
  const look: FilterLook = {
    applied: applied as JsonObject | undefined,
    knownValues: [],
    notCompared: new Set(),
    answer,
  };
  return judgeFilters([look], before, isDoubtful(look, before) ? after : 'not-asked').filtersSeen[0];
}

it('what nobody changed is as it was applied', () => {
  fc.assert(
    fc.property(world, (each) => {
      expect(judge(each, (each.applied ?? {}) as JsonObject)).toEqual({
        filterConfig: each.applied,
        isIncomplete: false,
      });
    }),
    { numRuns: runs(3000) },
  );
});

const meant = (filter: Json | undefined, key: string) =>
  JSON.stringify(meaningOf(key, isJsonObject(filter ?? null) ? (filter as JsonObject)[key] : undefined));

it('an applied key that means something else by now is found', () => {
  fc.assert(
    fc.property(world, fc.constantFrom(...ids), own, (each, id, changed) => {
      const applied = (each.applied ?? {}) as JsonObject;
      fc.pre(Object.hasOwn(applied, id));
      const now = judge(each, { ...applied, [id]: changed as JsonObject })?.filterConfig?.[id];
      // What the schedule has no more may be the dashboard's.
      for (const key of Object.keys(applied[id] as JsonObject).filter((name) => Object.hasOwn(changed, name)))
        expect(meant(now, key)).toBe(meant(changed as JsonObject, key));
    }),
    { numRuns: runs(3000) },
  );
});

it('a filter that somebody gave the schedule is found if its values are not those of the dashboard', () => {
  fc.assert(
    fc.property(world, fc.constantFrom(...ids), own, (each, id, given) => {
      const applied = (each.applied ?? {}) as JsonObject;
      const dashboards = (each.isEdited ? [each.first, each.then] : [each.first]) as readonly JsonObject[];
      const values = meant(given as JsonObject, 'values');
      fc.pre(!Object.hasOwn(applied, id) && values !== undefined);
      fc.pre(dashboards.every((of) => meant(of[id], 'values') !== values));
      const now = judge(each, { ...applied, [id]: given as JsonObject })?.filterConfig?.[id];
      expect(meant(now, 'values')).toBe(values);
    }),
    { numRuns: runs(3000) },
  );
});
