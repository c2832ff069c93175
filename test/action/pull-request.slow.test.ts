// Which pull request a plan is for: the event says it, or, after the run of a fork, GitHub and the merge commit.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useAction } from '../support/action/composite.ts';
import { bot, mergedPull, openGithub } from '../support/action/fake-github.ts';
import { githubToken, headCommit, openRunner, stubProgram } from '../support/action/fake-runner.ts';
import { runGit } from '../support/action/modules.ts';
import { git, openRepository } from '../support/action/repository.ts';

const document = { formatVersion: 1, digest: '5e'.repeat(32), summary: { create: 1 }, changes: [], drift: [] };
const reports = { text: 'Plan.\n', markdown: '## Plan\n', json: { ...document, orphans: [{}] } };

async function opened() {
  const program = stubProgram({ plan: { code: 2, reports }, validate: { code: 1 } });
  const [runner, github] = [openRunner({}, { ...program, git: runGit }), await openGithub()];
  const repository = openRepository({ 'almanac.yaml': 'base', 'reports/almanac.yaml': 'base' });
  const head = repository.commit(
    { 'almanac.yaml': 'fork', 'node_modules/.bin/almanac': '#!/bin/sh\ntouch pwned\n', '.gitattributes': '* -text' },
    { branch: 'topic' },
  );
  repository.mergeRef('topic', 7);
  repository.checkOut(runner, { depth: 1 });
  github.pulls.push(
    mergedPull({ merged_at: null, from: 'mallory:topic', head: { sha: head }, base: { ref: 'main', sha: headCommit } }),
  );
  const run = {
    event: 'pull_request',
    head_sha: head,
    head_branch: 'topic',
    head_repository: { owner: { login: 'mallory' } },
  };
  const happens = (more: object = {}) =>
    runner.happens({ workflow_run: { ...run, ...more }, repository: { default_branch: 'main' } });
  happens();
  const { GITHUB_TOKEN: _, ...env } = github.env;
  return {
    runner,
    github,
    repository,
    program,
    head,
    happens,
    plan: (inputs: Record<string, string> = {}) =>
      useAction(runner, { command: 'plan', ...inputs }, { env, token: githubToken }),
  };
}

describe('the plan of a fork', () => {
  test("the plan of a fork is that of its merge commit, made by the base branch's program, and is commented", async () => {
    const { program, github, plan, head, runner } = await opened();
    const done = await plan();
    expect(done.code, done.log).toBe(0);
    const call = program.calls.at(-1);
    expect(readFileSync(join(call?.cwd ?? '', 'almanac.yaml'), 'utf8')).toBe('fork');
    expect(call?.cwd.startsWith(runner.path)).toBe(false);
    expect(git(call?.cwd ?? '', 'rev-parse', 'HEAD^2')).toBe(head);
    expect(existsSync(join(call?.cwd ?? '', 'pwned'))).toBe(false);
    expect(Object.values(call?.env ?? {})).not.toContain(githubToken);
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]).toMatchObject({ pull: 7, user: bot });
    expect(github.comments[0]?.body.split('\n')[0]).toContain(
      `directory="." digest="${document.digest}" head="${head}" base="main"`,
    );
    expect(runner.read('almanac.yaml')).toBe('base');
  });

  test('the plan of a fork reads no repository that the fork put into a folder', async () => {
    const { program, repository, github, plan, happens, runner } = await opened();
    const planted = repository.commit(
      {
        'reports/HEAD': 'ref: refs/heads/main\n',
        'reports/config': '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
        'reports/refs/heads/main': `${git(runner.path, 'rev-parse', 'HEAD')}\n`,
        'reports/objects/info/alternates': `${join(runner.path, '.git/objects')}\n`,
      },
      { branch: 'topic' },
    );
    repository.mergeRef('topic', 7);
    happens({ head_sha: planted });
    Object.assign(github.pulls[0] ?? {}, { head: { sha: planted } });
    const done = await plan({ 'working-directory': 'reports' });
    expect(done.code, done.log).toBe(0);
    expect(program.calls.at(-1)?.cwd).toMatch(/\/checkout\/reports$/);
    expect(program.calls.at(-1)?.env).toMatchObject({ GITHUB_SHA: headCommit });
    expect(github.comments[0]?.body).toContain('directory="reports"');
  });

  test.each([
    ['was pushed to again', { head_sha: 'd'.repeat(40) }, 'main'],
    ['belongs to another owner', { head_repository: { owner: { login: 'eve' } } }, 'main'],
    ['was no pull request', { event: 'push' }, 'main'],
    ['is for another branch than the default one', {}, 'next'],
  ])('the plan of a fork is left out if it %s', async (_, more, ref) => {
    const { program, github, plan, happens } = await opened();
    happens(more);
    Object.assign(github.pulls[0] ?? {}, { base: { ref } });
    const done = await plan();
    expect(done).toMatchObject({ code: 0, ran: ['pull'] });
    expect(program.calls).toEqual([]);
    expect(github.comments).toEqual([]);
  });

  test('the plan of a fork is refused if its merge commit is not that of its last push', async () => {
    const { repository, github, plan, happens, program } = await opened();
    const head = repository.commit({ 'almanac.yaml': 'newer' }, { branch: 'topic' });
    happens({ head_sha: head });
    Object.assign(github.pulls[0] ?? {}, { head: { sha: head } });
    const done = await plan();
    expect(done.code).toBe(1);
    expect(done.log).toContain('Its merge commit is not that of its last push.');
    expect(program.calls).toEqual([]);
  });
});

describe('the plan of a run', () => {
  test('the plan of a pull request is for the commit that the event names', async () => {
    const { runner, github, plan } = await opened();
    runner.happens({ pull_request: { number: 8, head: { sha: headCommit }, base: { ref: 'main' } } });
    const done = await plan();
    expect(done.ran).toEqual(['pull', 'run', 'comment']);
    expect(github.comments[0]).toMatchObject({ pull: 8, body: expect.stringContaining(`head="${headCommit}"`) });
  });

  test.each([
    ['of a merge queue', { merge_group: { head_sha: headCommit } }, 'true'],
    ['that is not to be commented', { pull_request: { number: 8, head: { sha: headCommit } } }, 'false'],
  ])('the plan %s stays in the summary', async (_, event, comment) => {
    const { runner, github, plan } = await opened();
    runner.happens(event);
    const done = await plan({ comment });
    expect(done.ran).toEqual(['pull', 'run']);
    expect(done.summary).toContain('## Plan');
    expect(github.requests).toEqual([]);
  });

  test('the plan of a comment on a pull request names no commit, because nobody knows which one was planned', async () => {
    const { runner, github, plan } = await opened();
    runner.happens({ issue: { number: 9, pull_request: {} } });
    await plan();
    expect(github.comments[0]).toMatchObject({ pull: 9, body: expect.stringContaining('head=""') });
  });
});
