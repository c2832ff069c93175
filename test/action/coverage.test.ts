// What a comment's first line holds, which comments of a merged pull request are its review, and which changes of a plan
// the reviews cover.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bot, type Comment, mergedPull, openGithub, type Pull } from '../support/action/fake-github.ts';
import {
  connectGithub,
  coverage,
  decodeChanges,
  encodeChanges,
  type FoundReview,
  firstLine,
  markerOf,
  type PlannedChange,
  partLine,
  reviewIn,
  reviewsOf,
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

describe('the review of a merged pull request', () => {
  const [a, b] = [change('schedules.a', 'new'), change('schedules.b', 'new')];
  const [digest, later, commit] = [digestOf('plan'), 'c'.repeat(40), 'd'.repeat(40)];
  const line = (changes: readonly PlannedChange[], of = head) =>
    firstLine(identity, { digest, head: of, base: 'main', changes });
  const shown = (changes: readonly PlannedChange[], more: Partial<Comment> = {}): Comment => ({
    ...{ id: 4, pull: 4, body: `${line(changes)}\r\nplan`, user: bot },
    ...more,
  });
  const part = (number: number, changes: readonly PlannedChange[], more: Partial<Comment> = {}, parts = 2) =>
    shown([], { body: `${partLine(line([]), encodeChanges(changes), { part: number, parts })}\nplan`, ...more });

  /** What the action reads from GitHub about one pull request that these commits brought. */
  async function readOf(
    comments: readonly Comment[],
    pull: Partial<Pull> = {},
    commits = [commit],
    others: readonly Pull[] = [],
  ) {
    const github = await openGithub();
    github.pulls.push(mergedPull({ number: 4, head: { sha: head }, merge_commit_sha: commit, ...pull }), ...others);
    github.comments.push(...comments);
    const env = { GITHUB_REPOSITORY: 'acme/reports', ALMANAC_PAUSE_MS: '1', ...github.env };
    const found: FoundReview[] = [];
    const options = { github: connectGithub({ env }), branch: 'main', identity };
    for await (const each of reviewsOf(commits, options)) found.push(each);
    return found;
  }
  const reviewed = (...changes: readonly PlannedChange[]) => [
    { pull: 4, at: '2026-03-01T00:00:00Z', changes: decodeChanges(encodeChanges(changes)) },
  ];

  const edited = (editor: string | null) => shown([a], { editor });
  const mallory = { login: 'mallory' };
  const afterwards = { at: '2026-04-01T00:00:01Z' };
  test.each<[string, readonly Comment[], string]>([
    ['no comment', [], 'has no plan comment'],
    [
      'a comment of somebody else',
      [shown([a], { user: mallory })],
      `has a plan comment that ${bot.login} did not write`,
    ],
    [
      'a comment of a user with the name of the bot',
      [shown([a], { user: { login: 'github-actions' } })],
      `has a plan comment that ${bot.login} did not write`,
    ],
    ['a comment that somebody edited', [edited('mallory')], 'has a plan comment that somebody else edited'],
    ['a comment that a deleted user edited', [edited(null)], 'has a plan comment that somebody else edited'],
    ['a comment from after the merge', [shown([a], afterwards)], 'has a plan comment that was written after the merge'],
    ['a comment without a time', [shown([a], { at: 'soon' })], 'has a plan comment that was written after the merge'],
    [
      'a comment that was edited after the merge',
      [shown([a], { editor: bot.login, ...afterwards })],
      'has a plan comment that was written after the merge',
    ],
    ['a plan that failed', [shown([], { body: line([]).replace(digest, '') })], 'has a plan that failed'],
    ['the plan of an earlier push', [shown([a], { body: line([a], later) })], 'has the plan of an earlier push'],
    [
      'the plan for another base branch',
      [shown([a], { body: line([a]).replace('main', 'mallory') })],
      'has the plan for another base branch',
    ],
    ['a comment that somebody hid', [shown([a], { isMinimized: true })], 'has a plan comment that somebody hid'],
    [
      'a comment from before',
      [shown([], { body: `${identity} digest="${digest}" -->` })],
      'has a plan comment that does not say which changes it shows',
    ],
    [
      'the plan of another environment',
      [shown([a], { body: line([a]).replace('prod', 'dev') })],
      'has no plan comment',
    ],
    ['the marker further down', [shown([a], { body: `x\n${line([a])}` })], 'has no plan comment'],
    ['two different comments', [shown([a]), shown([b])], 'has several plan comments'],
    ['a missing part', [part(1, [a])], 'has only 1 of the 2 comments with its plan'],
    [
      'a part that somebody edited',
      [part(1, [a]), part(2, [b], { editor: 'mallory' })],
      'has a plan comment that somebody else edited',
    ],
    [
      'a part that somebody else wrote',
      [part(1, [a]), part(2, [b], { user: mallory })],
      'has only 1 of the 2 comments with its plan',
    ],
    [
      'a part from after the merge',
      [part(1, [a]), part(2, [b], afterwards)],
      'has a plan comment that was written after the merge',
    ],
    ['two second parts', [part(1, [a]), part(2, [b]), part(2, [a])], 'has several plan comments'],
    ['a part of a plan with more parts', [part(1, [a]), part(2, [b], {}, 3)], 'has several plan comments'],
    ['a part of a plan with fewer', [part(1, [a]), part(3, [b])], 'has only 2 of the 2 comments with its plan'],
    [
      'a part of an earlier push',
      [part(1, [a]), shown([], { body: part(2, [b]).body.replace(head, later) })],
      'has the plan of an earlier push',
    ],
    [
      'a plan that is too long',
      [shown([], { body: line([]).replace('changes=""', 'changes="too-long"') })],
      'has a plan that is too long for its comments',
    ],
  ])('%s is no review, and the reason is named', async (_, comments, gap) => {
    expect(await readOf(comments)).toEqual([{ pull: 4, gap }]);
  });

  const others = Array.from({ length: 250 }, (_, id) => ({ id, pull: 4, body: 'hello', user: { login: 'ana' } }));
  test.each<[string, readonly Comment[], readonly PlannedChange[]]>([
    ['a comment that its own author edited', [edited(bot.login)], [a]],
    ['a comment behind hundreds of others', [...others, shown([a])], [a]],
    ['two comments with the same plan', [shown([a]), shown([a])], [a]],
    ['all comments of a plan together', [part(1, [a]), part(2, [b], { editor: bot.login })], [a, b]],
  ])('%s is a review', async (_, comments, changes) => {
    expect(await readOf(comments)).toEqual(reviewed(...changes));
  });

  test('a pull request whose commits were rebased onto the branch has one review', async () => {
    const commits = [commit, later];
    expect(await readOf([shown([a])], { commits }, commits)).toEqual(reviewed(a));
  });

  test('of two pull requests that brought a commit, the one that it merged is reviewed', async () => {
    const other = mergedPull({ number: 5, merge_commit_sha: later, commits: [commit] });
    expect(await readOf([shown([a])], {}, [commit], [other])).toEqual(reviewed(a));
  });

  test.each<[string, Partial<Pull>]>([
    ['closed', { merged_at: null }],
    ['merged into another branch', { base: { ref: 'next' } }],
  ])('a pull request that was %s reviews nothing', async (_, pull) => {
    const gap = `The commit ${commit.slice(0, 9)} was pushed without a pull request.`;
    expect(await readOf([shown([a])], pull)).toEqual([{ gap }]);
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
