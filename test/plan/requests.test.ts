// The requests of a change of a schedule (operations full), and their order.

import { expect, it } from 'vitest';
import type { Unresolved } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { unsentFields } from '../../src/plan/requests.ts';
import { at, declare, inBrief, plan, schedule, secret, stateOf } from '../support/plan/planning.ts';

const s = 'schedules.s';
const full = { operations: 'full' } as const;
const paused = { paused: true };

function callsFor(declared: JsonObject | undefined, tracked: JsonObject | undefined, unresolved: Unresolved[] = []) {
  const state = tracked === undefined ? undefined : stateOf({ [s]: tracked }, { unresolved });
  return plan(declare(declared === undefined ? {} : { [s]: declared }), state, full).steps[0]?.calls;
}

it.each<[string, JsonObject | undefined, JsonObject | undefined, readonly string[] | undefined]>([
  ['a new schedule', schedule(), undefined, ['post']],
  ['a new schedule that is paused', schedule(paused), undefined, ['post', 'pause']],
  ['a changed schedule', schedule({ name: 'x' }), schedule(), ['put']],
  ['a schedule to pause', schedule(paused), schedule(), ['pause']],
  ['a schedule to resume', schedule(), schedule(paused), ['resume']],
  [
    'a changed schedule to pause, which is paused first',
    schedule({ name: 'x', ...paused }),
    schedule(),
    ['pause', 'put'],
  ],
  ['a changed schedule to resume, which is resumed last', schedule({ name: 'x' }), schedule(paused), ['put', 'resume']],
  ['a changed schedule that stays paused', schedule({ name: 'x', ...paused }), schedule(paused), ['put']],
  ['a schedule with an explicit pause', schedule({ paused: false }), schedule(), undefined],
  ['a schedule that is no longer declared', undefined, schedule(), ['delete']],
])('a plan has the right requests, in order, for %s', (_, declared, tracked, expected) => {
  expect(callsFor(declared, tracked)).toEqual(expected);
});

it('a replace sends the create, the pause, and then the delete of the old schedule', () => {
  const { steps, changes } = plan(declare({ [s]: schedule(paused) }), stateOf({ [s]: schedule(paused) }), {
    ...full,
    replace: [s],
  });
  expect(steps[0]?.calls).toEqual(['post', 'pause', 'delete']);
  expect(changes.map(inBrief)).toEqual([`replace ${s} (requested), 3`]);
});

it('an update with an unknown outcome sends its content and its pause again', () => {
  const open = (attributes: JsonObject): Unresolved[] => [{ address: s, action: 'update', since: at, attributes }];
  expect(callsFor(schedule(), schedule(), open(schedule({ name: 'x' })))).toEqual(['put']);
  expect(callsFor(schedule(), schedule(), open(schedule(paused)))).toEqual(['put', 'resume']);
  expect(callsFor(schedule(paused), schedule(), open(schedule(paused)))).toEqual(['pause', 'put']);
});

it('a removed field without a default causes a warning; one with a default, or one of Almanac’s own, does not', () => {
  const warned = (before: JsonObject) =>
    plan(declare({ [s]: schedule() }), stateOf({ [s]: schedule(before) }), full).findings.map(({ message }) => message);
  expect(warned({ queryIdentifierMapKey: 'x' })).toEqual([expect.stringContaining('`queryIdentifierMapKey`')]);
  expect(warned({ queryIdentifierMapKey: secret('x') })).toHaveLength(1);
  expect(warned({ textBody: 'x', filterConfig: { a: 1 } })).toEqual([]);
  expect(warned({ extra: { a: 1, b: 2 } })).toHaveLength(1);
  expect(warned({ hideTitle: true })).toEqual([]);
  expect(warned({ lifecycle: { preventDestroy: true }, paused: true })).toEqual([]);
});

const group = (text: string) => ({ text, id: `id of ${text}` });
const noWork = { declared: [], inOmni: [], onRecord: [], unmatched: [], lastApplied: [], toSink: false };
const noEntries: Parameters<typeof unsentFields>[1] = {
  diff: [{ path: '/controls', op: 'add', after: {}, sensitive: false }],
  patch: { controls: [] },
};

it.each<[string, Parameters<typeof unsentFields>, readonly string[]]>([
  [
    'a topic that a PATCH cannot hold',
    [['patch'], differing('/topicName', { topicName: false }), undefined],
    ['topicName'],
  ],
  ['a topic that a replacement holds', [['post', 'delete'], differing('/topicName'), undefined], []],
  ['an owner without a transfer', [['put'], differing('/owner'), undefined], ['owner']],
  ['a pause within a PUT', [['put'], differing('/paused'), undefined], ['paused']],
  [
    'a group that is taken for known',
    [
      [],
      differing('/userGroups/0'),
      { ...noWork, declared: ['Board'], inOmni: [group('Board')], onRecord: [group('Board')] },
    ],
    ['userGroups'],
  ],
  [
    'a group under another name',
    [
      [],
      differing('/userGroups/0'),
      { ...noWork, lastApplied: ['Board'], declared: ['id of Board'], onRecord: [named('Board')] },
    ],
    [],
  ],
  ['a map without entries in a PATCH', [['patch'], noEntries, undefined], []],
  [
    'a group that is gone from the schedule already',
    [
      ['put'],
      { diff: [{ path: '/userGroups/0', op: 'remove', sensitive: false }], patch: {} },
      { ...noWork, lastApplied: ['Board'], onRecord: [group('Board')] },
    ],
    [],
  ],
  ['what only the state holds', [[], differing('/meta/ticket'), undefined], []],
])('an update that would record %s without a request is found', (_, [sends, difference, groups], expected) => {
  expect(unsentFields(sends, difference, groups)).toEqual(expected);
});

function differing(path: string, patch: Record<string, boolean> = {}): Parameters<typeof unsentFields>[1] {
  return { diff: [{ path, op: 'add', sensitive: false }], patch };
}

/** Declared as its id by now. */
function named(text: string) {
  return { text: `id of ${text}`, id: `id of ${text}`, name: text };
}
