// `expect: reviewed`: what the pull requests that were merged since the state was written show, with real git and a fake of
// GitHub's API.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bot, type Comment, mergedPull, openGithub } from '../support/action/fake-github.ts';
import { openRunner } from '../support/action/fake-runner.ts';
import { encodeChanges, firstLine, markerOf, type PlannedChange, partLine } from '../support/action/modules.ts';
import { openRepository } from '../support/action/repository.ts';

const digest = '5e'.repeat(32);
const headOf = (pull: number) => pull.toString(16).padStart(40, 'c');
const change = (address: string, letter: string) => ({ address, digest: letter.repeat(64) });
const [a, b] = [change('schedules.a', 'a'), change('schedules.b', 'b')];
const identity = markerOf({ environment: 'prod', directory: '.' });

const shown = (pull: number, changes: readonly PlannedChange[], more: Partial<Comment> = {}): Comment => ({
  id: pull,
  pull,
  body: `${firstLine(identity, { digest, head: headOf(pull), base: 'main', changes })}\r\nplan`,
  user: bot,
  ...more,
});

async function opened(files: Readonly<Record<string, string>> = {}) {
  const [runner, github] = [openRunner(), await openGithub()];
  const repository = openRepository({ 'almanac.yaml': '', ...files });
  const prepared = join(runner.home, 'prepared');
  mkdirSync(prepared);
  const read = (name: string) => (existsSync(join(prepared, name)) ? readFileSync(join(prepared, name), 'utf8') : '');
  return {
    runner,
    github,
    repository,
    /** Merges a pull request that shows these changes; undefined for one without a comment. */
    merge: (
      pull: number,
      changes: readonly PlannedChange[] | undefined,
      { mergedAt, ...more }: Partial<Comment> & { readonly mergedAt?: string } = {},
    ) => {
      repository.commit({ [`schedules/${pull}.yaml`]: 'x' }, { branch: `pr-${pull}` });
      const commit = repository.merge(`pr-${pull}`);
      github.pulls.push(
        mergedPull({
          number: pull,
          merge_commit_sha: commit,
          head: { sha: headOf(pull) },
          ...(mergedAt === undefined ? {} : { merged_at: mergedAt }),
        }),
      );
      if (changes !== undefined) github.comments.push(shown(pull, changes, more));
      return commit;
    },
    /** The step, with a plan of these changes. */
    look: async (
      changes: readonly PlannedChange[],
      { since, env = {}, depth }: { since?: string; env?: Record<string, string>; depth?: number } = {},
    ) => {
      repository.checkOut(runner, depth === undefined ? {} : { depth });
      const document = {
        digest,
        changes,
        state: { lineage: null, serial: 0, commit: since },
      };
      writeFileSync(join(prepared, 'plan.document.json'), JSON.stringify(document));
      writeFileSync(join(prepared, 'plan.md'), '## Plan\n');
      const step = await runner.run('reviews/reviewed.mjs', {
        ...github.env,
        ALMANAC_ENVIRONMENT: 'prod',
        ALMANAC_PREPARED: prepared,
        ...env,
      });
      const list = read('reviewed.txt').trim().split('\n');
      const found = JSON.parse(read('reviews.json') || '{}') as {
        disputed?: readonly unknown[];
        unknown?: readonly unknown[];
        gaps?: readonly string[];
      };
      return { step, list, ...found };
    },
  };
}

describe('the changes that may be applied', () => {
  test('the reviewed changes are those of every pull request merged since the state was written', async () => {
    const { repository, merge, look } = await opened();
    merge(3, [change('schedules.old', '0')]);
    const since = repository.commit({ 'schedules/applied.yaml': 'x' });
    merge(4, [a]);
    merge(5, [b]);
    const { step, list, disputed, unknown } = await look([a, b], { since });
    expect(step.code, step.log).toBe(0);
    expect(list.sort()).toEqual([a.digest, b.digest]);
    expect({ disputed, unknown }).toEqual({ disputed: [], unknown: [] });
  });

  test('the reviewed changes are found although the pull requests were merged in other ways', async () => {
    const { repository, github, look } = await opened();
    const since = repository.commit({ 'schedules/applied.yaml': 'x' });
    for (const pull of [4, 5]) repository.commit({ [`schedules/${pull}.yaml`]: 'x' }, { branch: `pr-${pull}` });
    const merge = repository.merge('pr-4', 'merge');
    const commits = [repository.merge('pr-5'), repository.commit({ 'schedules/5.yaml': 'y' })];
    github.pulls.push(
      mergedPull({ number: 4, head: { sha: headOf(4) }, merge_commit_sha: merge }),
      // Rebased: each of its commits is on main.
      mergedPull({ number: 5, head: { sha: headOf(5) }, merge_commit_sha: commits[1] ?? '', commits }),
    );
    github.comments.push(shown(4, [a]), shown(5, [b]));
    expect(await look([a, b], { since })).toMatchObject({ disputed: [], unknown: [], gaps: [] });
  });

  test('the reviewed changes are read only as far back as a plan was made that knew what was merged before', async () => {
    const { github, merge, look } = await opened();
    const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T00:00:00Z`;
    merge(4, [change('schedules.b', '4')], { at: day(1), mergedAt: day(2) });
    merge(5, [a], { at: day(3), mergedAt: day(5) });
    merge(6, [b], { at: day(4), mergedAt: day(6) });
    expect(await look([b])).toMatchObject({ list: [a.digest, b.digest], disputed: [], unknown: [] });
    expect(github.requests.filter((line) => line.includes('/graphql'))).toHaveLength(2);
  });

  test('a plan that was made before another merge does not hide what that merge changed', async () => {
    const { merge, look } = await opened();
    merge(4, [change('schedules.a', '4')], { at: '2026-03-02T00:00:00Z', mergedAt: '2026-03-03T00:00:00Z' });
    merge(5, [a], { at: '2026-03-01T00:00:00Z', mergedAt: '2026-03-04T00:00:00Z' });
    expect((await look([a])).disputed).toEqual([{ ...a, pulls: [5, 4] }]);
  });

  test('commits outside the workspace are not asked for', async () => {
    const folder = { 'almanac.yaml': undefined, 'reports/almanac.yaml': '' };
    const { github, repository, look } = await opened();
    repository.commit(folder);
    repository.commit({ 'README.md': 'words' });
    const { gaps } = await look([a], { env: { ALMANAC_WORKING_DIRECTORY: 'reports' } });
    expect(gaps).toHaveLength(1);
    expect(github.requests.filter((line) => line.includes('/pulls'))).toHaveLength(1);
  });
});

describe('a review that does not count', () => {
  const edited = (editor: string | null) => ({ editor });
  test.each<[string, Partial<Comment> | undefined, string]>([
    ['no comment', undefined, '#4 has no plan comment.'],
    ['a comment of somebody else', { user: { login: 'mallory' } }, 'that github-actions[bot] did not write'],
    ['a comment of a user with the name of the bot', { user: { login: 'github-actions' } }, 'did not write'],
    ['a comment that somebody edited', edited('mallory'), 'that somebody else edited'],
    ['a comment that a deleted user edited', edited(null), 'that somebody else edited'],
    ['a comment from after the merge', { at: '2026-04-01T00:00:01Z' }, 'that was written after the merge'],
    ['a comment without a time', { at: 'soon' }, 'that was written after the merge'],
    ['a comment that was edited after the merge', { editor: bot.login, at: '2026-04-02T00:00:00Z' }, 'after the merge'],
    ['a plan that failed', { body: shown(4, []).body.replace(digest, '') }, '#4 has a plan that failed.'],
    ['the plan of an earlier push', { body: shown(9, [a]).body }, '#4 has the plan of an earlier push.'],
    [
      'the plan for another base branch',
      { body: shown(4, [a]).body.replace('main', 'mallory') },
      'for another base branch.',
    ],
    ['a comment that somebody hid', { isMinimized: true }, '#4 has a plan comment that somebody hid.'],
    ['a comment from before', { body: `${identity} digest="${digest}" -->` }, 'does not say which changes it shows'],
    ['the plan of another environment', { body: shown(4, [a]).body.replace('prod', 'dev') }, '#4 has no plan comment.'],
    ['the marker further down', { body: `x\n${shown(4, [a]).body}` }, '#4 has no plan comment.'],
  ])('%s covers nothing, and is named', async (_, more, words) => {
    const { merge, look } = await opened();
    merge(4, more === undefined ? undefined : [a], more);
    const { step, unknown, gaps } = await look([a]);
    expect(step.code, step.log).toBe(0);
    expect(unknown).toEqual([a]);
    expect(gaps?.[0]).toContain(words);
  });

  test('two different comments cover nothing', async () => {
    const { github, merge, look } = await opened();
    merge(4, [a]);
    github.comments.push(shown(4, [b]));
    expect((await look([a])).gaps?.[0]).toContain('#4 has several plan comments.');
  });

  describe('of a plan that took several comments', () => {
    const first = firstLine(identity, { digest, head: headOf(4), base: 'main', changes: [] });
    const part = (number: number, changes: readonly PlannedChange[], parts = 2): Comment => ({
      ...shown(4, []),
      body: `${partLine(first, encodeChanges(changes), { part: number, parts })}\nplan`,
    });

    test('all together cover what each of them has', async () => {
      const { github, merge, look } = await opened();
      merge(4, undefined);
      github.comments.push(part(1, [a]), { ...part(2, [b]), editor: bot.login });
      expect(await look([a, b])).toMatchObject({ list: [a.digest, b.digest], unknown: [] });
    });

    test.each<[string, readonly Comment[], string]>([
      ['a missing part', [part(1, [a])], '#4 has only 1 of the 2 comments with its plan.'],
      [
        'a part that somebody edited',
        [part(1, [a]), { ...part(2, [b]), editor: 'mallory' }],
        'that somebody else edited',
      ],
      [
        'a part that somebody else wrote',
        [part(1, [a]), { ...part(2, [b]), user: { login: 'mallory' } }],
        '#4 has only 1 of the 2 comments with its plan.',
      ],
      [
        'a part from after the merge',
        [part(1, [a]), { ...part(2, [b]), at: '2026-04-01T00:00:01Z' }],
        'after the merge',
      ],
      ['two second parts', [part(1, [a]), part(2, [b]), part(2, [a])], '#4 has several plan comments.'],
      ['a part of a plan with more parts', [part(1, [a]), part(2, [b], 3)], '#4 has several plan comments.'],
      ['a part of a plan with fewer', [part(1, [a]), part(3, [b])], '#4 has only 2 of the 2 comments'],
      [
        'a part of an earlier push',
        [part(1, [a]), { ...part(2, [b]), body: part(2, [b]).body.replace(headOf(4), headOf(9)) }],
        '#4 has the plan of an earlier push.',
      ],
      [
        'a plan that is too long',
        [{ ...shown(4, []), body: first.replace('changes=""', 'changes="too-long"') }],
        '#4 has a plan that is too long for its comments.',
      ],
    ])('%s covers nothing', async (_, comments, words) => {
      const { github, merge, look } = await opened();
      merge(4, undefined);
      github.comments.push(...comments);
      const { step, unknown, gaps } = await look([a, b]);
      expect(step.code, step.log).toBe(0);
      expect(unknown).toEqual([a, b]);
      expect(gaps?.[0]).toContain(words);
    });
  });

  test('a comment that its own author edited counts, also behind hundreds of others', async () => {
    const { github, merge, look } = await opened();
    for (let id = 100; id < 350; id += 1) github.comments.push({ id, pull: 4, body: 'hello', user: { login: 'ana' } });
    merge(4, [a], { editor: bot.login });
    expect(await look([a])).toMatchObject({ unknown: [], list: [a.digest] });
  });

  test.each([
    ['closed', { merged_at: null }],
    ['merged into another branch', { base: { ref: 'next' } }],
  ])('a pull request that was %s covers nothing', async (_, more) => {
    const { github, merge, look } = await opened();
    merge(4, [a]);
    Object.assign(github.pulls[0] ?? {}, more);
    const { unknown, gaps } = await look([a]);
    expect(unknown).toEqual([a]);
    expect(gaps?.[0]).toMatch(/^The commit [0-9a-f]{9} was pushed without a pull request\.$/);
  });
});

describe('nothing is applied', () => {
  test.each<[string, Record<string, string>]>([
    ['if GitHub does not answer', { GITHUB_API_URL: 'http://127.0.0.1:1' }],
    ['if GitHub does not list comments', { GITHUB_GRAPHQL_URL: 'http://127.0.0.1:1' }],
    ['if the token may not look', { GITHUB_TOKEN: 'other' }],
    ['if the run belongs to a tag', { GITHUB_REF: 'refs/tags/main' }],
    ['if when-unknown is misspelled', { ALMANAC_WHEN_UNKNOWN: 'aply' }],
  ])('nothing is applied %s', async (_, env) => {
    const { merge, look } = await opened();
    merge(4, [a]);
    const { step, list } = await look([a], { env });
    expect(step.code).toBe(1);
    expect(step.log).toContain('so nothing is applied');
    expect(list).toEqual(['']);
  });

  test('nothing is applied if the checkout does not reach back to the commit of the state', async () => {
    const { repository, merge, look } = await opened();
    const since = repository.commit({ 'schedules/applied.yaml': 'x' });
    merge(4, [a]);
    const { step } = await look([a], { since, depth: 1 });
    expect(step.code).toBe(1);
    expect(step.log).toContain('fetch-depth: 0');
    expect((await look([a], { since: '../../x' })).step.log).toContain('The state does not name a commit.');
  });

  test('temporary failures of GitHub are repeated, also those of a question by GraphQL', async () => {
    const { github, merge, look } = await opened();
    merge(4, [a]);
    github.failNext('GET', 502, 429);
    github.failNext('POST', 500);
    expect((await look([a])).unknown).toEqual([]);
  });
});
