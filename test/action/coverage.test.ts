// What a comment's first line holds, and which changes of a plan the reviews of merged pull requests cover.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  coverage,
  decodeChanges,
  encodeChanges,
  firstLine,
  markerOf,
  type PlannedChange,
  reviewIn,
} from '../support/action/modules.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const change = (address: string, to: string) => ({ address, digest: digestOf(`${address} ${to}`) });
const many = (count: number) => Array.from({ length: count }, (_, at) => change(`schedules.s${at}`, 'new'));
const identity = markerOf({ environment: 'prod', directory: 'teams/sales' });
const head = 'a'.repeat(40);

/** Plans are made in the order of the numbers, unless it says otherwise. */
function review(pull: number, changes: readonly PlannedChange[], at = String(pull)) {
  const decoded = decodeChanges(encodeChanges(changes));
  if (decoded === undefined) throw new Error('unreadable');
  return { pull, at, changes: decoded };
}

describe("a comment's first line", () => {
  test.each([0, 1, 500])('a marker holds the digest of each of %i changes', (count) => {
    const changes = many(count);
    const line = firstLine(identity, { digest: digestOf('plan'), head, changes });
    expect(line.length).toBeLessThan(27_000);
    const read = reviewIn(`${line}\r\nthe plan`, identity);
    expect(read).toMatchObject({ digest: digestOf('plan'), head });
    const digests = read !== undefined && 'each' in read.changes ? read.changes.each.map(({ digest }) => digest) : [];
    expect(digests).toEqual(changes.map(({ digest }) => digest));
  });

  test('a marker holds one digest for the whole set of more than 500 changes', () => {
    const line = firstLine(identity, { digest: digestOf('plan'), head, changes: many(501) });
    expect(line).toMatch(/ changes="set:[0-9a-f]{64}" -->$/);
    expect(reviewIn(line, identity)?.changes).toEqual(decodeChanges(encodeChanges([...many(501)].reverse())));
  });

  test('a marker leaves out the changes that need no review', () => {
    expect(encodeChanges([{ address: 'schedules.a' }])).toBe('');
  });

  test.each([
    ['another environment', (line: string) => line.replace('prod', 'production')],
    ['another folder', (line: string) => line.replace('sales', 'sale')],
    ['a line above it', (line: string) => `x\n${line}`],
    ['a shortened change', (line: string) => line.replace(/.{3}" -->$/, '" -->')],
    ['an unknown change', (line: string) => line.replace(/changes="[^"]*"/, 'changes="all"')],
    ['no head', (line: string) => line.replace(/ head="[^"]*"/, '')],
    ['more attributes', (line: string) => line.replace(' -->', ' x="y" -->')],
  ])('a marker with %s is not read', (_, damaged) => {
    const line = firstLine(identity, { digest: digestOf('plan'), head, changes: many(2) });
    expect(reviewIn(line, identity)).toBeDefined();
    expect(reviewIn(damaged(line), identity)).toBeUndefined();
  });
});

describe('the reviews of merged pull requests', () => {
  test('two reviews of different resources cover a plan of both', () => {
    const [a, b] = [change('schedules.a', '1'), change('schedules.b', '1')];
    const found = coverage({ changes: [a, b], reviews: [review(1, [a]), review(2, [b])] });
    expect(found).toEqual({ digests: [a.digest, b.digest], disputed: [], unknown: [] });
  });

  test('a change that nobody reviewed is unknown', () => {
    const [a, b] = [change('schedules.a', '1'), change('schedules.b', '1')];
    expect(coverage({ changes: [a, b], reviews: [review(1, [a])] })).toMatchObject({ disputed: [], unknown: [b] });
  });

  test('two reviews of one address are not added up', () => {
    const both = change('schedules.a', '1 and 2');
    const reviews = [review(3, [change('schedules.a', '1')]), review(9, [change('schedules.a', '2')])];
    expect(coverage({ changes: [both], reviews })).toMatchObject({
      disputed: [{ ...both, pulls: [3, 9] }],
      unknown: [],
    });
  });

  test('only the latest of two reviews of one address counts', () => {
    const [first, second] = [change('schedules.a', '1'), change('schedules.a', '2')];
    const reviews = [review(1, [first]), review(2, [second])];
    expect(coverage({ changes: [second], reviews }).disputed).toEqual([]);
    expect(coverage({ changes: [first], reviews }).disputed).toEqual([{ ...first, pulls: [1, 2] }]);
  });

  test('a plan that was made before another review of an address does not take that back, although it is merged later', () => {
    const [open, next, own] = [change('schedules.a', '1'), change('schedules.a', '2'), change('schedules.b', '1')];
    const reviews = [review(3, [next], 'tuesday'), review(2, [open, own], 'monday')];
    expect(coverage({ changes: [next, own], reviews })).toMatchObject({ disputed: [], unknown: [] });
    expect(coverage({ changes: [open], reviews }).disputed).toMatchObject([{ address: 'schedules.a' }]);
  });

  test('a plan without changes takes no earlier review back', () => {
    const a = change('schedules.a', '1');
    expect(coverage({ changes: [a], reviews: [review(1, [a]), review(2, [])] }).unknown).toEqual([]);
  });

  test('a set covers exactly its changes, alone and beside other reviews', () => {
    const [set, other] = [many(501), change('dashboards.d', '1')];
    for (const reviews of [
      [review(1, set)],
      [review(1, set), review(2, [other])],
      [review(2, [other]), review(1, set)],
    ])
      expect(coverage({ changes: reviews.length === 1 ? set : [other, ...set], reviews })).toMatchObject({
        disputed: [],
        unknown: [],
      });
  });

  test('a set covers no part of itself and nothing more', () => {
    const set = many(501);
    const more = change('dashboards.d', '1');
    const reviews = [review(4, set)];
    expect(coverage({ changes: [...set, more], reviews }).disputed).toHaveLength(502);
    expect(coverage({ changes: set.slice(1), reviews }).disputed[0]).toMatchObject({ pulls: [4] });
    expect(coverage({ changes: set.slice(1), reviews }).digests).toEqual([]);
  });

  test('a change that needs no review is covered without one', () => {
    expect(coverage({ changes: [{ address: 'schedules.a' }], reviews: [] })).toEqual({
      digests: [],
      disputed: [],
      unknown: [],
    });
  });
});
