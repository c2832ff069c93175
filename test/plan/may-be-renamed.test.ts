// Suggestions of the moved entry that keeps a schedule with another key. A commit that renames and changes a schedule
// looks like one that goes and another that comes; with the entry, nothing goes.

import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { declare, plan, schedule, stateOf } from '../support/plan/planning.ts';

const of = (more: JsonObject = {}) => schedule({ name: 'Usage', ...more });
const later = { schedule: '0 10 ? * MON *' };

type Entries = readonly (readonly [from: string, to: string])[];

const hintsOf = (declared: Record<string, JsonObject>, tracked: Record<string, JsonObject>, moved: Entries = []) => {
  const { changes, findings } = plan(declare(declared, { moved }), stateOf(tracked));
  const hints = findings.filter(({ code }) => code === 'may-be-renamed').map(({ hint }) => hint);
  return { hints, gone: changes.filter(({ action }) => action === 'delete' || action === 'forget').length };
};
const hint = (from: string, to: string) =>
  `If \`schedules.${from}\` was renamed, this line in a source file keeps its id:\n  moved: [{ from: schedules.${from}, to: schedules.${to} }]`;
const all = (entries: Readonly<Record<string, JsonObject>>) =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [`schedules.${key}`, value]));

it.each<[string, Record<string, JsonObject>, Record<string, JsonObject>, Entries]>([
  ['for one schedule', { b: of(later) }, { a: of() }, [['a', 'b']]],
  [
    'for the whole of a loop whose instances share a name',
    { 'new.x': of(later), 'new.y': of({ ...later, timezone: 'Asia/Tokyo' }) },
    { 'old.x': of(), 'old.y': of({ timezone: 'Asia/Tokyo' }) },
    [['old', 'new']],
  ],
  [
    'for each instance where something else of the loop stays',
    { 'new.x': of(later), 'new.y': of({ ...later, timezone: 'Asia/Tokyo' }), 'old.z': of({ name: 'Z' }) },
    { 'old.x': of(), 'old.y': of({ timezone: 'Asia/Tokyo' }), 'old.z': of({ name: 'Z' }) },
    [
      ['old.x', 'new.x'],
      ['old.y', 'new.y'],
    ],
  ],
  ['for a single schedule that became an instance', { 'loop.x': of(later) }, { a: of() }, [['a', 'loop.x']]],
])('a plan says which entry of moved keeps what was renamed and changed, %s', (_, declared, tracked, moved) => {
  const { hints, gone } = hintsOf(all(declared), all(tracked));
  expect(hints).toEqual(moved.map(([from, to]) => hint(from, to)));
  expect(gone).toBeGreaterThan(0);
});

it.each<[string, Record<string, JsonObject>, Record<string, JsonObject>]>([
  ['another name', { b: of({ name: 'Other', ...later }) }, { a: of() }],
  ['another dashboard', { b: of({ identifier: '3f9c2b71', ...later }) }, { a: of() }],
  ['two that could be meant', { b: of(later), c: of({ timezone: 'Asia/Tokyo' }) }, { a: of() }],
  ['nothing that goes', { a: of(), b: of(later) }, { a: of() }],
])('a plan proposes no entry of moved where there is %s', (_, declared, tracked) => {
  expect(hintsOf(all(declared), all(tracked)).hints).toEqual([]);
});

it('with the entry that the plan proposed, nothing goes', () => {
  const tracked = { 'schedules.a': of() };
  expect(hintsOf({ 'schedules.b': of(later) }, tracked, [['schedules.a', 'schedules.b']])).toEqual({
    hints: [],
    gone: 0,
  });
});
