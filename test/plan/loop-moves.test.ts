// Entries of `moved` and `removed` about loops: of one instance, of all of them, into a loop and out of it.

import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/model/workspace/diagnostic.ts';
import { followMoves } from '../../src/plan/entries.ts';
import { match } from '../../src/plan/match.ts';
import { loadFiles } from '../support/apply/loading.ts';
import { stateOf } from '../support/plan/planning.ts';

const fields = (name: string) =>
  `identifier: 12db1a0a, name: "${name}", schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email, recipients: [ana@example.com], subject: x`;
const loop = (key: string, items: readonly string[]) =>
  `  ${key}: { forEach: { ${items.map((item) => `${item}: Region ${item}`).join(', ')} }, ${fields('Sales, ${each.value}')} }\n`;
const single = (key: string, name = key) => `  ${key}: { ${fields(name)} }\n`;

async function follow(declared: string, moved: readonly (readonly [string, string])[], tracked: readonly string[]) {
  const entries = moved.map(([from, to]) => `  - { from: schedules.${from}, to: schedules.${to} }\n`).join('');
  const { desired, findings } = await loadFiles({ 'schedules/a.yaml': `schedules:\n${declared}moved:\n${entries}` });
  // Another content each, so that only the entries tell what moved.
  const state = stateOf(Object.fromEntries(tracked.map((key) => [`schedules.${key}`, { name: `old ${key}` }])));
  const followed = followMoves(desired as never, new Map(Object.entries(state.resources)));
  const short = (address: string) => address.replace('schedules.', '');
  const said = (found: readonly Finding[]) => found.map(({ code, message }) => `${code}: ${message}`);
  return {
    moves: [...followed.value].map(([from, to]) => `${short(from)} -> ${short(to)}`).sort(),
    finished: followed.finished.length,
    invalid: said(findings),
    planned: said(followed.findings),
  };
}

describe('moved', () => {
  test('an entry renames a whole loop, and a new item is not part of it', async () => {
    const followed = await follow(loop('b', ['emea', 'asia', 'new']), [['a', 'b']], ['a.emea', 'a.asia']);
    expect(followed).toEqual({
      moves: ['a.asia -> b.asia', 'a.emea -> b.emea'],
      finished: 0,
      invalid: [],
      planned: [],
    });
  });

  test('a loop can be renamed twice, and one of its items in between', async () => {
    const entries = [
      ['a', 'b'],
      ['b.emea', 'b.europe'],
      ['b', 'c'],
    ] as const;
    const followed = await follow(loop('c', ['europe', 'asia']), entries, ['a.emea', 'b.asia']);
    expect(followed).toMatchObject({ moves: ['a.emea -> c.europe', 'b.asia -> c.asia'], invalid: [], planned: [] });
  });

  test('a loop in the state cannot become a single resource, although nothing of it is declared', async () => {
    const { planned } = await follow(single('plain'), [['a', 'plain']], ['a.emea', 'a.asia']);
    expect(planned).toEqual([
      'invalid-moved: `schedules.a` is a loop in the state, so it can become only another loop, and `schedules.plain` is a single resource.',
    ]);
    // The instances have entries of their own, or stay in the declarations.
    const entries = [
      ['a', 'plain'],
      ['a.emea', 'plain2'],
    ] as const;
    expect((await follow(single('plain') + single('plain2'), entries, ['plain', 'a.emea'])).planned).toHaveLength(1);
  });

  test('where an instance is to become another one of the loop that moves, that one is deleted', async () => {
    const entries = [
      ['l', 'n'],
      ['l.b', 'n.a'],
    ] as const;
    const { moves, planned } = await follow(loop('n', ['a', 'c']), entries, ['l.a', 'l.b']);
    expect(moves).toEqual(['l.b -> n.a']);
    expect(planned).toEqual([]);
    // The loop moves, and its only item gets another name.
    expect(await follow(loop('n', ['a']), entries, ['l.b'])).toMatchObject({ moves: ['l.b -> n.a'], invalid: [] });
  });

  test('an entry about a loop is finished once all of its instances have moved, and is noted once', async () => {
    const followed = await follow(loop('b', ['emea', 'asia']), [['a', 'b']], ['b.emea', 'b.asia']);
    expect(followed).toEqual({
      moves: [],
      finished: 1,
      invalid: [],
      planned: ['stale-moved: `schedules.a` no longer has to be moved to `schedules.b`.'],
    });
    expect(await follow(loop('b', ['emea', 'asia']), [['a', 'b']], ['b.emea', 'a.asia'])).toMatchObject({
      moves: ['a.asia -> b.asia'],
      finished: 0,
      planned: [],
    });
  });

  test.each([
    [
      'an instance cannot become a whole loop',
      loop('b', ['emea']),
      ['a.emea', 'b'],
      /can become only one of its instances/,
    ],
    ['a loop that is still declared cannot move', loop('a', ['x']) + loop('b', ['y']), ['a', 'b'], /still declared/],
  ] as const)('%s', async (_, declared, entry, words) => {
    const { invalid } = await follow(declared, [entry], []);
    expect(invalid).toEqual([expect.stringMatching(words)]);
  });

  test('a single schedule cannot become a whole loop', async () => {
    const { planned, moves } = await follow(loop('b', ['emea', 'asia']), [['a', 'b']], ['a']);
    expect(planned.filter((each) => each.startsWith('invalid-moved'))).toEqual([
      expect.stringContaining('`schedules.a` is a single resource, and `schedules.b` is a loop'),
    ]);
    expect(moves).toEqual([]);
  });
});

describe('removed', () => {
  const releasing = (declared: string) =>
    loadFiles({ 'schedules/a.yaml': `schedules:\n${declared}removed:\n  - { from: schedules.a, keep: true }\n` });

  test('the address of a loop releases all of its instances', async () => {
    const { desired, findings } = await releasing(single('b'));
    const state = stateOf({ 'schedules.a.emea': { name: '1' }, 'schedules.a.asia': { name: '2' }, 'schedules.c': {} });
    const matched = match(desired as never, state);
    expect(findings).toEqual([]);
    expect(matched.value.flatMap(({ address, released }) => (released ? address : []))).toEqual([
      'schedules.a.emea',
      'schedules.a.asia',
    ]);
    expect(matched.finished).toEqual([]);
  });
});
