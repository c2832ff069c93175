// The requests that a change of a schedule takes with operations full, and their order.

import { expect, it } from 'vitest';
import type { Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { at, declare, plan, schedule, secret, stateOf, told } from './planning.ts';

const s = 'schedules.s';
const full = { operations: 'full' } as const;
const paused = { paused: true };

function callsFor(declared: JsonObject | undefined, tracked: JsonObject | undefined, unresolved: Unresolved[] = []) {
  const state = tracked === undefined ? undefined : stateOf({ [s]: tracked }, { unresolved });
  return plan(declare(declared === undefined ? {} : { [s]: declared }), state, full).steps[0]?.calls;
}

it.each<[string, JsonObject | undefined, JsonObject | undefined, readonly string[] | undefined]>([
  ['a new one', schedule(), undefined, ['post']],
  ['a new one that is paused', schedule(paused), undefined, ['post', 'pause']],
  ['a changed one', schedule({ name: 'x' }), schedule(), ['put']],
  ['one to pause', schedule(paused), schedule(), ['pause']],
  ['one to resume', schedule(), schedule(paused), ['resume']],
  ['one to pause that changed: paused first', schedule({ name: 'x', ...paused }), schedule(), ['pause', 'put']],
  ['one to resume that changed: resumed last', schedule({ name: 'x' }), schedule(paused), ['put', 'resume']],
  ['one that changed and stays paused', schedule({ name: 'x', ...paused }), schedule(paused), ['put']],
  ['one whose pause is spelt out', schedule({ paused: false }), schedule(), undefined],
  ['one that is gone', undefined, schedule(), ['delete']],
])('%s', (_, declared, tracked, expected) => {
  expect(callsFor(declared, tracked)).toEqual(expected);
});

it('a replacement is deleted once the new one is there, and paused', () => {
  const { steps, changes } = plan(declare({ [s]: schedule(paused) }), stateOf({ [s]: schedule(paused) }), {
    ...full,
    replace: [s],
  });
  expect(steps[0]?.calls).toEqual(['post', 'pause', 'delete']);
  expect(changes.map(told)).toEqual([`replace ${s} (requested), 3`]);
});

it('an update that may have been carried out is sent again, whole, and its pause too', () => {
  const open = (attributes: JsonObject): Unresolved[] => [{ address: s, action: 'update', since: at, attributes }];
  expect(callsFor(schedule(), schedule(), open(schedule({ name: 'x' })))).toEqual(['put']);
  expect(callsFor(schedule(), schedule(), open(schedule(paused)))).toEqual(['put', 'resume']);
  expect(callsFor(schedule(paused), schedule(), open(schedule(paused)))).toEqual(['pause', 'put']);
});

it('a field that is taken out and has no default is warned of; one with a default is not, nor what is Almanac’s', () => {
  const warned = (before: JsonObject) =>
    plan(declare({ [s]: schedule() }), stateOf({ [s]: schedule(before) }), full).findings.map(({ message }) => message);
  expect(warned({ textBody: 'x' })).toEqual([expect.stringContaining('`textBody`')]);
  expect(warned({ textBody: secret('x') })).toEqual([expect.stringContaining('`textBody`')]);
  expect(warned({ extra: { a: 1, b: 2 } })).toHaveLength(1);
  expect(warned({ hideTitle: true })).toEqual([]);
  expect(warned({ lifecycle: { preventDestroy: true }, paused: true })).toEqual([]);
});
