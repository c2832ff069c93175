// The first line of a comment, and which planned changes reviews cover. Also tested is which comments of a merged pull
// request are its review.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { firstLine, markerOf, partLine, reviewIn } from '../../src/commands/ci/comments/marker.ts';
import { connectGithub } from '../../src/commands/ci/github/api.ts';
import { decodeChanges, encodeChanges, keyOf, type PlannedChange } from '../../src/commands/ci/reviews/changes.ts';
import { coverage, type Merge } from '../../src/commands/ci/reviews/coverage.ts';
import { mergesOf } from '../../src/commands/ci/reviews/history.ts';
import { notReviewedWords } from '../../src/commands/ci/reviews/words.ts';
import { bot, type Comment, mergedPull, openGithub, type Pull } from '../support/action/fake-github.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const change = (address: string, to: string) => ({ address, digest: digestOf(`${address} ${to}`) });
const many = (count: number) => Array.from({ length: count }, (_, at) => change(`schedules.s${at}`, 'new'));
const identity = markerOf({ environment: 'prod', directory: 'teams/sales' });
const head = 'a'.repeat(40);

describe("a comment's first line", () => {
  test.each([0, 1, 2000])('a marker holds the digest of each of %i changes', (count) => {
    const changes = many(count);
    const line = firstLine(identity, { digest: digestOf('plan'), head, base: 'main', changes });
    expect(line.length).toBeLessThan(300 + 52 * count);
    const read = reviewIn(`${line}\r\nthe plan`, identity);
    expect(read).toMatchObject({ digest: digestOf('plan'), head });
    const each = read === undefined || read.changes === 'too-long' ? [] : read.changes;
    expect(each.map(({ digest }) => digest)).toEqual(changes.map(({ digest }) => digest));
  });

  test('a marker says on which commit a plan was made, and what it does not settle', () => {
    const named = ['schedules.open', 'schedules.left', 'schedules.open'];
    const plan = { digest: digestOf('plan'), head, base: 'main', onto: 'b'.repeat(40), isWhole: true, changes: [] };
    const read = (more: object) => reviewIn(partLine(firstLine(identity, { ...plan, ...more }), ''), identity);
    const keys = ['schedules.open', 'schedules.left'].map(keyOf).join('.');
    expect(read({ named })).toMatchObject({ onto: 'b'.repeat(40), isWhole: true, named: keys });
    // A plan that leaves so much open is silent about nothing.
    expect(read({ named: many(501).map(({ address }) => address) })).toMatchObject({ isWhole: false, named: '' });
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
    ['no commit of the base branch', (line: string) => line.replace(/ onto="[^"]*"/, '')],
    ['no word on whether the plan is whole', (line: string) => line.replace(/ whole="[^"]*"/, '')],
    ['a shortened name', (line: string) => line.replace('named=""', 'named="abc"')],
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
    const touching = commits.map((each) => ({ commit: each, files: ['schedules/a.yaml'] }));
    const contains = Object.assign(() => undefined, { has: () => true });
    const found: Merge[] = [];
    const options = { github: connectGithub({ env }), branch: 'main', identity };
    for await (const each of mergesOf({ touching, otherCommits: [], contains }, options)) found.push(...each);
    return found;
  }
  const reviewed = (...changes: readonly PlannedChange[]) => [
    expect.objectContaining({
      pull: 4,
      review: expect.objectContaining({
        at: '2026-03-01T00:00:00Z',
        changes: decodeChanges(encodeChanges(changes)),
      }),
    }),
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
    const found = await readOf(comments);
    expect(found).toMatchObject([{ pull: 4, gap }]);
    expect(found[0]).not.toHaveProperty('review');
  });

  const writtenBy = (run: number) =>
    shown([a], {
      body: `${line([a])}\n## Plan\n\n<sub>[This run](https://github.example/runs/${run}) planned ${head}</sub>\n`,
    });
  const others = Array.from({ length: 250 }, (_, id) => ({ id, pull: 4, body: 'hello', user: { login: 'ana' } }));
  test.each<[string, readonly Comment[], readonly PlannedChange[]]>([
    ['a comment that its own author edited', [edited(bot.login)], [a]],
    ['a comment behind hundreds of others', [...others, shown([a])], [a]],
    ['two comments with the same plan', [shown([a]), shown([a])], [a]],
    ['two comments in which two runs wrote the same plan', [writtenBy(1), writtenBy(2)], [a]],
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
    expect(await readOf([shown([a])], pull)).toMatchObject([{ gap }]);
  });
});

/** Commits of the branch in their order; the first one was applied. */
const commitOf = (place: number) => String(place).padStart(40, '0');
const contains = (commit: string, other: string) => (commit === '' ? undefined : other <= commit);

interface Shown {
  /** The commit that it was planned on; 0 is the one that was applied, undefined if it is not known. */
  readonly onto?: number | undefined;
  readonly at?: number;
  readonly part?: boolean;
  readonly named?: readonly string[];
  readonly files?: readonly string[];
}

/** A pull request with the number of its commit on the branch, planned on the commit before it. */
function review(pull: number, changes: readonly PlannedChange[], shown: Shown = {}): Merge {
  const { at = pull, part = false, named = [], files = [`${pull}.yaml`] } = shown;
  const onto = 'onto' in shown ? shown.onto : pull - 1;
  const decoded = decodeChanges(encodeChanges(changes));
  if (decoded === undefined) throw new Error('unreadable');
  const review = {
    at: `t${at}`,
    onto: onto === undefined ? '' : commitOf(onto),
    isWhole: !part,
    named: new Set(named.map(keyOf)),
    changes: decoded,
  };
  return { pull, commit: commitOf(pull), mergedAt: `t${pull}`, files: new Set(files), review };
}

const gap = (pull: number, file: string): Merge => ({
  ...{ pull, commit: commitOf(pull), mergedAt: `t${pull}` },
  ...{ files: new Set([file]), gap: 'has no plan comment' },
});
const push = (place: number, file: string): Merge => ({
  ...{ commit: commitOf(place), files: new Set([file]), gap: 'pushed' },
});

const [first, second, both] = ['1', '2', '1 and 2'].map((to) => change('schedules.a', to)) as Triple;
const other = change('dashboards.d', '1');
const unseen = { onto: 0 };
const onUnknown = { onto: undefined };
type Triple = [PlannedChange, PlannedChange, PlannedChange];
type Row = readonly [string, readonly PlannedChange[], readonly Merge[], object?];

/** A change that a pull request showed, and what took that back. */
const taken = (by: object) => ({
  digests: [],
  open: [{ ...first, shown: 1, by: expect.objectContaining(by) }],
});

test.for<Row>([
  [
    'two reviews of different resources cover a plan of both',
    [first, other],
    [review(1, [first]), review(2, [first, other])],
  ],
  [
    'quick reviews of different resources cover a plan of both',
    [first, other],
    [review(1, [first]), review(2, [other], unseen)],
  ],
  ['a change that nobody reviewed is unknown', [first, other], [review(1, [first])], { open: [other] }],
  [
    'two reviews of one address are not added up',
    [both],
    [review(1, [first]), review(2, [second], unseen)],
    { open: [{ ...both, pulls: [1, 2] }] },
  ],
  ['the later of two reviews of one address counts', [second], [review(1, [first]), review(2, [second])]],
  [
    'a later review of an address takes the earlier one back, although it also names the address as left',
    [first],
    [review(1, [first]), review(2, [second], { named: ['schedules.a'] })],
    { digests: [], open: [expect.objectContaining(first)] },
  ],
  [
    'the earlier of two reviews of one address does not count',
    [first],
    [review(1, [first]), review(2, [second])],
    { open: [{ ...first, pulls: [1, 2], shown: 1, by: { pull: 2, shows: true } }] },
  ],
  [
    'of two reviews of one address that did not know each other, exactly one may be applied',
    [first],
    [review(1, [first]), review(2, [second], unseen)],
  ],
  [
    'a review that shows again what was open goes with what it showed, where it does not know what took that back',
    [first],
    [review(1, [first]), review(2, [second]), review(3, [first, other], { onto: 1 })],
    { open: [{ ...first, pulls: [1, 2, 3] }] },
  ],
  [
    'a review that shows again what was open does not take back a later one',
    [second, other],
    [review(1, [first]), review(2, [second]), review(3, [first, other], { onto: 1 })],
  ],

  [
    'a later plan of everything that is silent takes a review back',
    [first],
    [review(1, [first]), review(2, [])],
    taken({ pull: 2 }),
  ],
  [
    'a silent plan that was made before the merge takes nothing back',
    [first],
    [review(1, [first]), review(2, [], unseen)],
  ],
  [
    'a silent plan that was written after the merge, of files from before it, takes nothing back',
    [first],
    [review(1, [first]), review(3, [], { onto: 0, at: 2 })],
  ],
  [
    'a silent plan of which nobody knows on what it was made takes nothing back',
    [first],
    [review(1, [first]), review(2, [], onUnknown)],
  ],
  ['a silent plan of a part takes nothing back', [first], [review(1, [first]), review(2, [other], { part: true })]],
  [
    'a silent plan takes nothing back that it names as open, blocked, left or not compared',
    [first],
    [review(1, [first]), review(2, [], { named: ['schedules.a'] })],
  ],
  [
    'a change that was taken back and is shown again counts',
    [first],
    [review(1, [first]), review(2, []), review(3, [first])],
  ],
  [
    'a plan that was made before a change was taken back does not bring it back',
    [first],
    [review(1, [first]), review(2, []), review(3, [first, other], { onto: 1 })],
    taken({ pull: 2 }),
  ],
  [
    'a change that is made again by a pull request that never saw the first one counts',
    [first],
    [review(1, [first]), review(2, []), review(3, [first], unseen)],
  ],

  [
    'a merge without a review takes back what it touches',
    [first],
    [review(1, [first]), gap(2, '1.yaml')],
    taken({ pull: 2 }),
  ],
  [
    'a push takes back what it touches',
    [first],
    [review(1, [first]), push(2, '1.yaml')],
    taken({ commit: commitOf(2) }),
  ],
  ['a push takes nothing back in files that it does not touch', [first], [review(1, [first]), push(2, '2.yaml')]],
  ['a push from before a merge takes nothing back', [first], [push(1, '2.yaml'), review(2, [first], unseen)]],
  [
    'a push takes back what later plans showed only because it was open',
    [first, other],
    [review(1, [first]), review(2, [first, other]), push(3, '1.yaml')],
    { ...taken({ commit: commitOf(3) }), digests: [other.digest] },
  ],
  [
    'a push takes back what it touches also where a plan from before it is merged later',
    [first, other],
    [review(1, [first]), push(2, '1.yaml'), review(3, [first, other], { onto: 1 })],
    { ...taken({ commit: commitOf(2) }), digests: [other.digest] },
  ],
  [
    'a push leaves what another pull request has shown first',
    [first, other],
    [review(1, [first]), review(2, [first, other], { files: ['2.yaml'] }), push(3, '2.yaml')],
    { digests: [first.digest], open: [{ ...other, shown: 2 }] },
  ],
  [
    'what a push changed counts once a later plan shows it',
    [first],
    [review(1, [first]), push(2, '1.yaml'), review(3, [first])],
  ],

  [
    'where nobody knows on what a plan was made, the later of two plans of one address counts',
    [second, other],
    [review(1, [first, other], { ...onUnknown, at: 1 }), review(3, [second], { ...onUnknown, at: 2 })],
  ],
  [
    'where nobody knows on what a plan was made, the earlier of two plans of one address does not count',
    [first],
    [review(1, [second], { ...onUnknown, at: 2 }), review(3, [first], { ...onUnknown, at: 1 })],
    { open: [{ ...first, pulls: [3, 1] }] },
  ],
  ['a change that needs no review is covered without one', [{ address: 'schedules.a' }], [], { digests: [] }],
])('%s', ([, changes, merges, expected = {}]) => {
  for (const order of [merges, [...merges].reverse()])
    expect(coverage({ changes, merges: order, contains })).toMatchObject({ open: [], ...expected });
});

test.each<[string, readonly Merge[], string]>([
  ['nobody reviewed it', [], 'no merged pull request shows this change.'],
  ['another change was reviewed', [review(1, [second])], '#1 shows a different change of this resource.'],
  [
    'two reviews did not know each other',
    [review(1, [both]), review(2, [second], unseen)],
    '#1 and #2 change this resource, and nobody has reviewed what they do together.',
  ],
  [
    'a later review replaced it',
    [review(1, [first]), review(2, [second])],
    '#1 showed this change, and the plan of #2, which came later, shows a different change of this resource.',
  ],
  [
    'a later plan was silent',
    [review(1, [first]), review(2, [])],
    '#1 showed this change, and the plan of #2, which came later, does not show this resource.',
  ],
  [
    'a merge without a review took it back',
    [review(1, [first]), gap(2, '1.yaml')],
    '#1 showed this change, and #2, which has no plan comment, touches a file that #1 touched.',
  ],
  [
    'a push took it back',
    [review(1, [first]), push(2, '1.yaml')],
    '#1 showed this change, and the commit 000000000, which was pushed without a pull request, touches a file that #1 touched.',
  ],
])('a refusal says why where %s', (_, merges, words) => {
  const found = coverage({ changes: [first], merges, contains });
  const { text } = notReviewedWords({ ...found, error: {}, gaps: [] });
  expect(text).toBe(`Nothing was applied, because not every change was reviewed. schedules.a: ${words}`);
});
