// `expect: reviewed`: how far back the step of the action looks for reviews, with real git and a fake of GitHub's API, and
// what it does if it can't. Which comments are a review is in coverage.test.ts.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bot, type Comment, mergedPull, openGithub } from '../support/action/fake-github.ts';
import { openRunner } from '../support/action/fake-runner.ts';
import { firstLine, markerOf, type PlannedChange, runGit } from '../support/action/modules.ts';
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
  const [runner, github] = [openRunner({}, { git: runGit }), await openGithub()];
  const repository = openRepository({ 'almanac.yaml': '', ...files });
  const prepared = join(runner.home, 'prepared');
  mkdirSync(prepared);
  const read = (name: string) => (existsSync(join(prepared, name)) ? readFileSync(join(prepared, name), 'utf8') : '');
  return {
    runner,
    github,
    repository,
    /** Merges a pull request that shows these changes. */
    merge: (
      pull: number,
      changes: readonly PlannedChange[],
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
      github.comments.push(shown(pull, changes, more));
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
      const step = await runner.run('steps/reviewed.mjs', {
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
  test('the reviewed changes are those of every pull request merged since the state was written, however it was merged', async () => {
    const { repository, github, merge, look } = await opened();
    merge(3, [change('schedules.old', '0')]);
    const since = repository.commit({ 'schedules/applied.yaml': 'x' });
    merge(4, [a]);
    repository.commit({ 'schedules/5.yaml': 'x' }, { branch: 'pr-5' });
    const commit = repository.merge('pr-5', 'merge');
    github.pulls.push(mergedPull({ number: 5, head: { sha: headOf(5) }, merge_commit_sha: commit }));
    github.comments.push(shown(5, [b]));
    const { step, list, ...found } = await look([a, b], { since });
    expect(step.code, step.log).toBe(0);
    expect(list.sort()).toEqual([a.digest, b.digest]);
    expect(found).toEqual({ disputed: [], unknown: [], gaps: [] });
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
