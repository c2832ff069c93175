// `expect: reviewed`: what an apply may send after what was merged and pushed, with real git and a fake of GitHub's API; what it
// costs, and what the step does if something cannot be read. Which comments are a review is in coverage.test.ts.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { firstLine, markerOf, partLine } from '../../src/commands/ci/comments/marker.ts';
import { encodeChanges, type PlannedChange } from '../../src/commands/ci/reviews/changes.ts';
import { runGit } from '../../src/commands/ci/runner/git.ts';
import { bot, type Comment, mergedPull, openGithub } from '../support/action/fake-github.ts';
import { openRunner } from '../support/action/fake-runner.ts';
import { type Files, git, openRepository } from '../support/action/repository.ts';

const digest = '5e'.repeat(32);
const change = (address: string, letter: string) => ({ address, digest: letter.repeat(64) });
const [a, b, otherA] = [change('schedules.a', 'a'), change('schedules.b', 'b'), change('schedules.a', 'c')];
const many = Array.from({ length: 501 }, (_, at) => change(`schedules.s${at}`, (at % 10).toString()));
const file = (key: string, text = 'changed'): Files => ({ [`schedules/${key}.yaml`]: `${text}\n` });

type Team = Awaited<ReturnType<typeof opened>>;

interface Planned {
  readonly onto?: string;
  readonly isWhole?: boolean;
  readonly named?: readonly string[];
  readonly environment?: string;
  readonly directory?: string;
  /** Where the plan of an earlier push is shown. */
  readonly head?: string;
}

async function opened(files: Files = {}) {
  const [runner, github] = [openRunner({}, { git: runGit }), await openGithub()];
  const repository = openRepository({ 'almanac.yaml': '', ...file('a', 'one'), ...file('b', 'one'), ...files });
  const prepared = join(runner.home, 'prepared');
  mkdirSync(prepared);
  const read = (name: string) => (existsSync(join(prepared, name)) ? readFileSync(join(prepared, name), 'utf8') : '');
  let seconds = 0;
  const now = () => {
    seconds += 1;
    return new Date(Date.UTC(2026, 2, 1) + seconds * 1000).toISOString().replace('.000', '');
  };
  const main = () => git(repository.url.slice('file://'.length), 'rev-parse', 'main');
  const heads = new Map<number, string>();
  const since = main();
  const team = {
    runner,
    github,
    repository,
    main,
    /** The commit of the state. */
    since,
    /** A branch with these files, or one more push to it. Returns its last commit. */
    open: (pull: number, changed: Files) => {
      const head = repository.commit(changed, { branch: `pr-${pull}` });
      heads.set(pull, head);
      return head;
    },
    /** The comment of a pull request, as its run writes it now. */
    plan: (pull: number, changes: readonly PlannedChange[], planned: Planned = {}, more: Partial<Comment> = {}) => {
      const { environment = 'prod', directory = '.', onto = main(), isWhole = true, named = [] } = planned;
      const identity = markerOf({ environment, directory });
      const head = planned.head ?? heads.get(pull) ?? '';
      const line = firstLine(identity, { digest, head, base: 'main', onto, isWhole, named, changes });
      const at = now();
      const there = github.comments.find((each) => each.pull === pull && each.body.startsWith(identity));
      if (there === undefined) github.comments.push({ id: pull, pull, body: `${line}\nplan`, user: bot, at, ...more });
      else Object.assign(there, { body: `${line}\nplan`, editor: bot.login, at, ...more });
    },
    merge: (pull: number, how: 'merge' | 'squash' | 'rebase' = 'squash') => {
      const before = main();
      const commit = repository.merge(`pr-${pull}`, how);
      const head = { sha: heads.get(pull) ?? '' };
      const commits = how === 'rebase' ? repository.since(before) : [];
      github.pulls.push(mergedPull({ number: pull, merge_commit_sha: commit, head, commits, merged_at: now() }));
      return commit;
    },
    /** Opened, planned and merged. */
    review: (pull: number, changed: Files, changes: readonly PlannedChange[], planned: Planned = {}) => {
      team.open(pull, changed);
      team.plan(pull, changes, planned);
      return team.merge(pull);
    },
    /** The step, with a plan of these changes. */
    look: async (
      changes: readonly PlannedChange[],
      { env = {}, depth, ...given }: { since?: string; env?: Record<string, string>; depth?: number } = {},
    ) => {
      repository.checkOut(runner, depth === undefined ? {} : { depth });
      const commit = 'since' in given ? given.since : since;
      const folder = join(runner.path, env['ALMANAC_WORKING_DIRECTORY'] ?? '.');
      const reads = { folder, sources: ['schedules/**/*.{yaml,yml}'], files: ['tenants.csv'] };
      const planned = { changes, state: { commit } };
      writeFileSync(join(prepared, 'place.json'), JSON.stringify({ ...reads, planned }));
      const step = await runner.run('reviewed', {
        ...github.env,
        ALMANAC_ENVIRONMENT: 'prod',
        ALMANAC_PREPARED: prepared,
        ...env,
      });
      const list = read('reviewed.txt').trim().split('\n');
      const found = JSON.parse(read('reviews.json') || '{}') as {
        open?: readonly object[];
        gaps?: readonly string[];
      };
      return { step, list, ...found };
    },
  };
  return team;
}

/** The apply of #1 never ran. It changes a. */
const first = (team: Team) => team.review(1, file('a'), [a]);
const back = file('a', 'one');

type Story = (team: Team) => unknown;
/** What was merged, the plan that is to be applied, and what of it may not be: the number of a pull request, a push, or nobody. */
type Row = readonly [string, Story, readonly PlannedChange[], (number | 'push' | 'nobody' | 'dispute')?];

const push = (team: Team, changed: Files = file('a')) => team.repository.commit(changed);

describe('what may be sent after', () => {
  test.for<Row>([
    ['a merge that was not applied yet', first, [a]],
    ['two merges', (team) => [first(team), team.review(2, file('b'), [a, b])], [a, b]],
    [
      'a revert that was planned after the merge, and a push that brings it back',
      (team) => [first(team), team.review(2, back, []), push(team)],
      [a],
      2,
    ],
    [
      'a revert whose plan had not ended, and a push that brings it back',
      (team) => [first(team), team.open(2, back), team.merge(2), push(team)],
      [a],
      2,
    ],
    [
      'a revert whose plan had not ended, and a change elsewhere that brings it back',
      (team) => [first(team), team.open(2, back), team.merge(2)],
      [a],
      2,
    ],
    ['a revert by a push', (team) => [first(team), push(team, back)], [a], 'push'],
    [
      'a revert from a fork, whose comment somebody else wrote',
      (team) => [first(team), team.open(2, back), team.plan(2, [], {}, { user: { login: 'mallory' } }), team.merge(2)],
      [a],
      2,
    ],
    [
      'a revert whose plan failed',
      (team) => {
        first(team);
        const head = team.open(2, back);
        const line = firstLine(markerOf({ environment: 'prod', directory: '.' }), {
          ...{ digest: '', head, base: 'main', changes: [] },
        });
        team.github.comments.push({ id: 2, pull: 2, body: `${line}\nalmanac plan failed`, user: bot });
        team.merge(2);
      },
      [a],
      2,
    ],
    [
      'a revert whose comment somebody edited',
      (team) => [first(team), team.open(2, back), team.plan(2, [], {}, { editor: 'mallory' }), team.merge(2)],
      [a],
      2,
    ],
    [
      'a revert whose comment somebody hid',
      (team) => [first(team), team.open(2, back), team.plan(2, [], {}, { isMinimized: true }), team.merge(2)],
      [a],
      2,
    ],
    [
      'a revert whose comment is that of an earlier push',
      (team) => [first(team), team.open(2, back), team.plan(2, [], { head: 'd'.repeat(40) }), team.merge(2)],
      [a],
      2,
    ],
    ['a push to another schedule', (team) => [first(team), push(team, file('b'))], [a]],
    ['a push to a file that no workspace reads', (team) => [first(team), push(team, { 'README.md': 'words' })], [a]],
    [
      'a merge of a fork without a comment that touches another schedule',
      (team) => [first(team), team.open(2, file('b')), team.merge(2)],
      [a],
    ],
    [
      'a merge that was planned before it, with files from before it',
      (team) => {
        team.open(2, file('b'));
        team.plan(2, [b]);
        first(team);
        team.merge(2);
      },
      [a, b],
    ],
    [
      'a merge whose plan was made again by a re-run after it, from files from before it',
      (team) => {
        const onto = team.main();
        team.open(2, file('b'));
        team.plan(2, [b]);
        first(team);
        team.plan(2, [b], { onto });
        team.merge(2);
      },
      [a, b],
    ],
    [
      'a revert that was brought up to date with "Update branch"',
      (team) => {
        team.open(2, file('b'));
        team.plan(2, [b]);
        first(team);
        team.open(2, { ...back, ...file('b') });
        team.plan(2, [b]);
        team.merge(2, 'merge');
        push(team);
      },
      [a, b],
      2,
    ],
    ['a plan with --target', (team) => [first(team), team.review(2, file('b'), [b], { isWhole: false })], [a, b]],
    [
      'a plan that names the address as blocked or left',
      (team) => [first(team), team.review(2, file('b'), [b], { named: ['schedules.a'] })],
      [a, b],
    ],
    [
      'a plan of which nobody knows on what it was made',
      (team) => [first(team), team.review(2, file('b'), [b], { onto: '' })],
      [a, b],
    ],
    [
      'a plan on a commit that is not of the branch',
      (team) => [first(team), team.review(2, file('b'), [b], { onto: 'e'.repeat(40) })],
      [a, b],
    ],
    [
      'a change that was taken back and merged again',
      (team) => [first(team), team.review(2, back, []), team.review(3, file('a'), [a])],
      [a],
    ],
    [
      'two pull requests that changed one schedule without knowing each other',
      (team) => {
        for (const [pull, shown] of [a, otherA].entries()) {
          team.open(pull + 1, file(`a${pull}`));
          team.plan(pull + 1, [shown], { onto: team.since });
        }
        team.merge(1);
        team.merge(2);
      },
      [change('schedules.a', 'd')],
      'dispute',
    ],
    ['each of many changes', (team) => team.review(1, file('s'), many), many],
    ['the rest of many changes that an apply left', (team) => team.review(1, file('s'), many), many.slice(300)],
    [
      'a plan of another environment',
      (team) => {
        team.open(1, file('a'));
        team.plan(1, [a]);
        team.plan(1, [], { environment: 'dev' });
        team.merge(1);
        team.open(2, file('b'));
        team.plan(2, [a, b]);
        team.plan(2, [], { environment: 'dev' });
        team.merge(2);
      },
      [a, b],
    ],
    [
      'a plan of another environment alone',
      (team) => team.review(1, file('a'), [a], { environment: 'dev' }),
      [a],
      'nobody',
    ],
    [
      'a silent plan of another workspace',
      (team) => {
        first(team);
        team.open(2, { 'other/schedules/x.yaml': 'x' });
        team.plan(2, [], { directory: 'other' });
        team.merge(2);
      },
      [a],
    ],
    [
      'the bump of a package whose plan changes a schedule',
      (team) => team.review(1, { 'package-lock.json': '{}' }, [a]),
      [a],
    ],
    [
      'a merge that deleted a file of the workspace',
      (team) => team.review(1, { 'schedules/b.yaml': undefined }, [b]),
      [b],
    ],
    ['a merge that touches nothing of the workspace', (team) => team.review(1, { 'README.md': 'x' }, [a]), [a]],
  ])('%s, what was reviewed is sent and nothing else', async ([, story, planned, why]) => {
    const team = await opened();
    story(team);
    const { step, list, open = [] } = await team.look(planned);
    expect(step.code, step.log).toBe(0);
    if (why === undefined) {
      expect(open).toEqual([]);
      expect(list.sort()).toEqual(planned.map((each) => each.digest).sort());
      return;
    }
    const last = planned.length === 501 ? planned : [a];
    if (why === 'dispute') expect(open).toMatchObject([{ address: 'schedules.a', pulls: [1, 2] }]);
    else if (why === 'nobody') expect(open).toEqual([a]);
    else {
      const by = why === 'push' ? { commit: team.main() } : { pull: why };
      expect(open).toEqual(last.map((each) => ({ ...each, shown: 1, by: expect.objectContaining(by) })));
    }
  });

  test.each(['merge', 'squash', 'rebase'] as const)(
    'a pull request is before or after a plan whichever way it is merged: %s',
    async (how) => {
      const team = await opened();
      for (const changed of [file('a', 'half'), file('a')]) team.open(1, changed);
      team.plan(1, [a]);
      team.open(2, file('b'));
      team.plan(2, [b]);
      team.merge(1, how);
      team.merge(2, how);
      expect(await team.look([a, b])).toMatchObject({ open: [] });
      team.open(3, back);
      team.plan(3, [b]);
      team.merge(3, how);
      push(team);
      expect((await team.look([a, b])).open).toMatchObject([{ ...a, shown: 1, by: { pull: 3 } }]);
    },
  );

  test('pull requests that a merge queue merges one on top of the other keep their reviews', async () => {
    const team = await opened();
    team.open(1, file('a'));
    team.open(2, file('b'));
    team.plan(1, [a]);
    team.plan(2, [b]);
    for (const pull of [1, 2]) team.merge(pull, 'merge');
    expect(await team.look([a, b])).toMatchObject({ open: [], gaps: [] });
  });

  test('a plan whose comments are of two runs is no later than anything', async () => {
    const team = await opened();
    const onto = team.main();
    first(team);
    const head = team.open(2, back);
    const identity = markerOf({ environment: 'prod', directory: '.' });
    for (const [part, of] of [team.main(), onto].entries()) {
      const plan = { digest, head, base: 'main', onto: of, isWhole: true, changes: [] };
      const line = partLine(firstLine(identity, plan), encodeChanges([]), { part: part + 1, parts: 2 });
      team.github.comments.push({ id: 20 + part, pull: 2, body: `${line}\nplan`, user: bot });
    }
    team.merge(2);
    expect(await team.look([a])).toMatchObject({ open: [] });
  });

  test('of a workspace in a folder, a push to another one takes nothing back', async () => {
    const folder = { 'reports/almanac.yaml': '', 'reports/schedules/a.yaml': 'one' };
    const team = await opened(folder);
    team.open(1, { 'reports/schedules/a.yaml': 'two', ...file('a') });
    team.plan(1, [a], { directory: 'reports' });
    team.merge(1);
    push(team, back);
    const env = { ALMANAC_WORKING_DIRECTORY: 'reports' };
    expect(await team.look([a], { env })).toMatchObject({ open: [] });
    const commit = push(team, { 'reports/schedules/a.yaml': 'three' });
    expect((await team.look([a], { env })).open).toMatchObject([{ ...a, shown: 1, by: { commit } }]);
  });
});

describe('what it costs', () => {
  /** Commits of these files, each of a pull request with this plan, or without one. */
  function history(team: Team, count: number, path: (at: number) => string, changes?: readonly PlannedChange[]) {
    const input = Array.from({ length: count }, (_, at) => {
      const text = `select ${at}\n`;
      const from = at === 0 ? `from ${team.main()}\n` : '';
      const head = `commit refs/heads/main\ncommitter t <t@example.com> ${1_793_000_000 + at} +0000\ndata 1\nm\n`;
      return `${head}${from}M 100644 inline ${path(at)}\ndata ${text.length}\n${text}\n`;
    }).join('');
    const before = team.main();
    team.repository.import(input);
    for (const [at, commit] of team.repository.since(before).entries()) {
      const number = 1000 + at;
      const head = number.toString(16).padStart(40, 'c');
      team.github.pulls.push(mergedPull({ number, merge_commit_sha: commit, head: { sha: head } }));
      if (changes !== undefined) team.plan(number, changes, { head, onto: before });
    }
  }

  test('1,100 other merges after one direct push take at most 30 requests, and the push is named', async () => {
    const team = await opened();
    const commit = push(team);
    history(team, 1100, () => 'models/m.sql');
    const { step, open, gaps } = await team.look([a]);
    expect(step.code, step.log).toBe(0);
    expect(open).toEqual([a]);
    expect(gaps).toEqual([
      `The commit ${commit.slice(0, 9)} was pushed without a pull request.`,
      'Of the 1100 commits that touch nothing of the workspace, only the last 250 were looked at.',
    ]);
    expect(team.github.requests.length).toBeLessThanOrEqual(30);
  });

  test('250 merges that touch the workspace, each with a comment, take at most 40 requests', async () => {
    const team = await opened();
    history(team, 250, (at) => `schedules/${at}.yaml`, [a]);
    expect(await team.look([a])).toMatchObject({ open: [], gaps: [] });
    expect(team.github.requests.length).toBeLessThanOrEqual(40);
  });

  test('other commits are not asked about where all is explained', async () => {
    const team = await opened();
    history(team, 300, () => 'models/m.sql');
    first(team);
    expect(await team.look([a])).toMatchObject({ open: [] });
    expect(team.github.requests).toHaveLength(1);
  });

  test('without a state, the last 250 commits that touch the workspace are looked at, and that is said', async () => {
    const team = await opened();
    history(team, 260, (at) => `schedules/${at}.yaml`, [b]);
    const { gaps } = await team.look([a], { since: undefined });
    expect(gaps).toEqual([
      'No state says where to begin, so only the last 250 commits that touch the workspace were looked at.',
    ]);
  });

  test('what GitHub refuses is said in its words, with what is known so far, and nothing is applied', async () => {
    const team = await opened();
    const commit = push(team);
    history(team, 60, () => 'models/m.sql');
    const refusal = () => (team.github.requests.length > 1 ? 'API rate limit exceeded' : undefined);
    Object.defineProperty(team.github, 'refusal', { get: refusal });
    const { step, list } = await team.look([a]);
    expect(step.code).toBe(1);
    expect(step.log).toContain('API rate limit exceeded');
    expect(step.log).toContain(`The commit ${commit.slice(0, 9)} was pushed without a pull request.`);
    expect(list).toEqual(['']);
  });
});

describe('nothing is applied', () => {
  test.each<[string, Record<string, string>]>([
    ['if GitHub does not answer', { GITHUB_GRAPHQL_URL: 'http://127.0.0.1:1' }],
    ['if the token may not look', { GITHUB_TOKEN: 'other' }],
    ['if the run belongs to a tag', { GITHUB_REF: 'refs/tags/main' }],
  ])('nothing is applied %s', async (_, env) => {
    const team = await opened();
    first(team);
    const { step, list } = await team.look([a], { env });
    expect(step.code).toBe(1);
    expect(step.log).toContain('so nothing is applied');
    expect(list).toEqual(['']);
  });

  test('nothing is applied if the checkout does not reach back to the commit of the state', async () => {
    const team = await opened();
    first(team);
    const { step } = await team.look([a], { depth: 1 });
    expect(step.code).toBe(1);
    expect(step.log).toContain('fetch-depth: 0');
    expect((await team.look([a], { since: '../../x' })).step.log).toContain('The state does not name a commit.');
  });

  test('temporary failures of GitHub are repeated, also those of a question by GraphQL', async () => {
    const team = await opened();
    first(team);
    team.github.failNext('GET', 502, 429);
    team.github.failNext('POST', 500);
    expect((await team.look([a])).open).toEqual([]);
  });
});
