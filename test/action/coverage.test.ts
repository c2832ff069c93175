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
    const line = firstLine(identity, { digest: digestOf('plan'), head, base: 'main', changes });
    expect(line.length).toBeLessThan(27_000);
    const read = reviewIn(`${line}\r\nthe plan`, identity);
    expect(read).toMatchObject({ digest: digestOf('plan'), head });
    const digests = read !== undefined && 'each' in read.changes ? read.changes.each.map(({ digest }) => digest) : [];
    expect(digests).toEqual(changes.map(({ digest }) => digest));
  });

  test('a marker holds one digest for the whole set of more than 500 changes', () => {
    const line = firstLine(identity, { digest: digestOf('plan'), head, base: 'main', changes: many(501) });
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
    ['no base branch', (line: string) => line.replace(/ base="[^"]*"/, '')],
    ['no head', (line: string) => line.replace(/ head="[^"]*"/, '')],
    ['more attributes', (line: string) => line.replace(' -->', ' x="y" -->')],
  ])('a marker with %s is not read', (_, damaged) => {
    const line = firstLine(identity, { digest: digestOf('plan'), head, base: 'main', changes: many(2) });
    expect(reviewIn(line, identity)).toBeDefined();
    expect(reviewIn(damaged(line), identity)).toBeUndefined();
  });
});

const [first, second, both] = ['1', '2', '1 and 2'].map((to) => change('schedules.a', to)) as Triple;
const [other, set] = [change('dashboards.d', '1'), many(501)];
type Triple = [PlannedChange, PlannedChange, PlannedChange];
type Row = readonly [string, readonly PlannedChange[], readonly ReturnType<typeof review>[], object?];

test.for<Row>([
  ['two reviews of different resources cover a plan of both', [first, other], [review(1, [first]), review(2, [other])]],
  ['a change that nobody reviewed is unknown', [first, other], [review(1, [first])], { unknown: [other] }],
  [
    'two reviews of one address are not added up',
    [both],
    [review(3, [first]), review(9, [second])],
    { disputed: [{ ...both, pulls: [3, 9] }] },
  ],
  ['the latest of two reviews of one address counts', [second], [review(1, [first]), review(2, [second])]],
  [
    'the earlier of two reviews of one address does not count',
    [first],
    [review(1, [first]), review(2, [second])],
    { disputed: [{ ...first, pulls: [1, 2] }] },
  ],
  [
    'a plan that was made before another review does not take that back, although it is merged later',
    [second, other],
    [review(3, [second], 'tuesday'), review(2, [first, other], 'monday')],
  ],
  [
    'a plan that was made before another review of an address is not what was reviewed last',
    [first],
    [review(3, [second], 'tuesday'), review(2, [first, other], 'monday')],
    { disputed: [{ ...first, pulls: [2, 3] }] },
  ],
  ['a plan without changes takes no earlier review back', [first], [review(1, [first]), review(2, [])]],
  ['a set covers its changes', set, [review(1, set)]],
  ['a set covers its changes before another review', [other, ...set], [review(1, set), review(2, [other])]],
  ['a set covers its changes after another review', [other, ...set], [review(2, [other]), review(3, set)]],
  [
    'a set covers no part of itself',
    set.slice(1),
    [review(4, set)],
    { disputed: set.slice(1).map((each) => ({ ...each, pulls: [4] })), digests: [] },
  ],
  [
    'a set covers nothing more',
    [...set, other],
    [review(4, set)],
    { disputed: [...set, other].map((each) => ({ ...each, pulls: [4] })) },
  ],
  ['a change that needs no review is covered without one', [{ address: 'schedules.a' }], [], { digests: [] }],
])('%s', ([, changes, reviews, expected = {}]) => {
  expect(coverage({ changes, reviews })).toMatchObject({ disputed: [], unknown: [], ...expected });
});
