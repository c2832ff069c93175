// Which pull request a plan is for: the event says it, or, after the run of a fork, GitHub. Which commits are planned, and which
// commit of the base branch they contain, the checkout says, with real git in clones of depth 1.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runGit } from '../../src/commands/ci/runner/git.ts';
import { useAction } from '../support/action/composite.ts';
import { bot, mergedPull, openGithub } from '../support/action/fake-github.ts';
import { githubToken, headCommit, openRunner, stubProgram } from '../support/action/fake-runner.ts';
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
  github.repository = repository;
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
    ['was pushed to again', { head_sha: 'd'.repeat(40) }, 'main', 'it was closed, or pushed to again.'],
    ['belongs to another owner', { head_repository: { owner: { login: 'eve' } } }, 'main', 'it was closed'],
    ['has no repository any more', { head_repository: null }, 'main', 'its repository may be gone.'],
    ['was no pull request', { event: 'push' }, 'main', 'That run was not started by a pull request.'],
    [
      'is for another branch than the default one',
      {},
      'next',
      '#7 goes into next, and only main, the default branch, is applied, so it gets no comment.',
    ],
  ])('the plan of a fork is left out, in words of its own, if it %s', async (_, more, ref, words) => {
    const { program, github, plan, happens } = await opened();
    happens(more);
    Object.assign(github.pulls[0] ?? {}, { base: { ref } });
    const done = await plan();
    expect(done).toMatchObject({ code: 0, ran: ['pull'], log: expect.stringContaining(words) });
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
    expect(done.log).toContain('GitHub has made no merge commit of its last push yet');
    expect(done.log).not.toContain('`ref');
    expect(program.calls).toEqual([]);
    // Its comment would go on showing the plan of an earlier push.
    expect(done.ran).toEqual(['pull', 'comment']);
    expect(github.comments).toMatchObject([{ pull: 7, body: expect.stringContaining(`digest="" head="${head}"`) }]);
    expect(github.comments[0]?.body).toContain('There is no plan of this push.');
  });
});

describe('the plan of a run', () => {
  test('the plan of a pull request names the commit that the event names, where its merge commit is checked out', async () => {
    const { runner, github, plan, repository, head } = await opened();
    repository.checkOut(runner, { ref: 'refs/pull/7/merge', depth: 1 });
    github.pulls.push(mergedPull({ number: 8, merged_at: null, head: { sha: head } }));
    runner.happens({ pull_request: { number: 8, head: { sha: head }, base: { ref: 'main' } } });
    const done = await plan();
    expect(done.ran).toEqual(['pull', 'run', 'comment']);
    // Later reviews are ordered by the commit of the base branch that the planned files contain.
    const first = `head="${head}" base="main" onto="${repository.ask('rev-parse', 'main')}" whole="yes"`;
    expect(github.comments[0]).toMatchObject({ pull: 8, body: expect.stringContaining(first) });
  });

  test('the plan of a merge queue stays in the summary', async () => {
    const { runner, github, plan } = await opened();
    runner.happens({ merge_group: { head_sha: headCommit } });
    const done = await plan();
    expect(done.ran).toEqual(['pull', 'run']);
    expect(done.summary).toContain('## Plan');
    expect(github.requests).toEqual([]);
  });

  test('a plan that is not to be commented stays in the summary', async () => {
    const { runner, github, plan, repository, head } = await opened();
    repository.checkOut(runner, { ref: 'refs/pull/7/merge', depth: 1 });
    runner.happens({ pull_request: { number: 7, head: { sha: head }, base: { ref: 'main' } } });
    const done = await plan({ comment: 'false' });
    expect(done.ran).toEqual(['pull', 'run']);
    expect(done.summary).toContain('## Plan');
    expect(github.comments).toEqual([]);
  });
});

/** Numbers of the commits of a repository whose branch `topic` is the pull request 7; `first` is where that branch began. */
async function proposed() {
  const [runner, github] = [openRunner({}, { git: runGit }), await openGithub()];
  const repository = openRepository({ 'almanac.yaml': 'first' });
  github.repository = repository;
  const first = repository.ask('rev-parse', 'main') ?? '';
  const head = repository.commit({ 'topic.yaml': 'topic' }, { branch: 'topic' });
  const onServer = (...args: readonly string[]) => git(fileURLToPath(repository.url), ...args);
  /** A commit on the server that no branch has, and which a runner can check out by its name. */
  const commitOf = (ref: string, ...parents: readonly string[]) => {
    const commit = onServer(
      'commit-tree',
      'topic^{tree}',
      ...parents.flatMap((parent) => ['-p', parent]),
      '-m',
      'words',
    );
    onServer('update-ref', ref, commit);
    return commit;
  };
  const event = (more: object = {}) => ({ number: 7, head: { sha: head }, base: { ref: 'main', sha: first }, ...more });
  const asked = (more: object = {}) => ({ pull_request: event(more), repository: { default_branch: 'main' } });
  github.pulls.push(mergedPull({ merged_at: null, head: { sha: head }, base: { ref: 'main', sha: first } }));
  return {
    runner,
    github,
    repository,
    first,
    head,
    commitOf,
    event,
    /** The step that finds the pull request, for what a ref of the server names. */
    finds: async (ref: string, happens: object = asked(), env: Readonly<Record<string, string>> = {}) => {
      repository.checkOut(runner, { ref, depth: 1 });
      runner.happens(happens);
      return runner.run('pull', { ...github.env, GITHUB_EVENT_NAME: 'pull_request', ...env });
    },
    asked,
  };
}

const notKnown = 'GitHub does not say which commit of the base branch these files contain';

describe('the commit of the base branch', () => {
  test('the base of a merge commit is its first parent, though the event names an older one', async () => {
    const { repository, github, finds, head } = await proposed();
    const later = repository.commit({ 'almanac.yaml': 'later' });
    repository.mergeRef('topic', 7);
    // By now the branch has gone on, as where a run is repeated.
    repository.commit({ 'almanac.yaml': 'much later' });
    const found = await finds('refs/pull/7/merge');
    expect(found.outputs, found.log).toMatchObject({ number: '7', head, 'base-branch': 'main', 'base-commit': later });
    expect(github.requests.filter((asked) => asked.includes('/compare/'))).toHaveLength(1);
  });

  test('the base of a merge commit is asked of nobody where the event names the same one', async () => {
    const { repository, github, finds, first } = await proposed();
    repository.mergeRef('topic', 7);
    expect((await finds('refs/pull/7/merge')).outputs).toMatchObject({ 'base-commit': first });
    expect(github.requests.filter((asked) => /compare|ref/.test(asked.split('?')[0] ?? ''))).toEqual([]);
  });

  test.each(['merge', 'squash', 'rebase'] as const)(
    'the base of a merge commit is on the base branch, whichever way others came there: %s',
    async (how) => {
      const { repository, finds } = await proposed();
      repository.commit({ 'other.yaml': 'other' }, { branch: 'other' });
      const merged = repository.merge('other', how);
      repository.mergeRef('topic', 7);
      repository.commit({ 'almanac.yaml': 'later' });
      expect((await finds('refs/pull/7/merge')).outputs).toMatchObject({ 'base-commit': merged });
    },
  );

  test('the base of the head itself is where it left the base branch', async () => {
    const { repository, finds, first } = await proposed();
    repository.commit({ 'almanac.yaml': 'later' });
    expect((await finds('refs/heads/topic')).outputs).toMatchObject({ 'base-commit': first });
  });

  test('the base of a head that "Update branch" made is the commit that it brought, and not the branch itself', async () => {
    const { repository, finds, asked } = await proposed();
    const later = repository.commit({ 'almanac.yaml': 'later' });
    const sha = repository.update('topic');
    const found = await finds('refs/heads/topic', asked({ head: { sha } }));
    expect(found.outputs).toMatchObject({ head: sha, 'base-commit': later });
  });

  test.each<[string, (pull: Awaited<ReturnType<typeof proposed>>) => string]>([
    [
      "a merge of the author's own, whose first parent the base branch does not have",
      ({ repository, commitOf, head }) =>
        commitOf('refs/heads/topic', repository.commit({ 'almanac.yaml': 'weak' }, { branch: 'weak' }), head),
    ],
    [
      'a merge of three',
      ({ repository, commitOf, first, head }) =>
        commitOf('refs/heads/topic', first, head, repository.commit({ 'x.yaml': 'x' }, { branch: 'x' })),
    ],
  ])('nothing is compared with the base of %s, and that is said', async (_, make) => {
    const pull = await proposed();
    make(pull);
    const { code, outputs } = await pull.finds('refs/heads/topic');
    expect({ code, outputs }).toEqual({
      code: 0,
      outputs: { number: '7', head: pull.head, 'base-branch': 'main', 'base-unread': notKnown },
    });
  });

  test('a tag that is called like the base branch says nothing about it', async () => {
    const { repository, finds, commitOf, head } = await proposed();
    const weak = repository.commit({ 'almanac.yaml': 'weak' }, { branch: 'weak' });
    commitOf('refs/heads/topic', weak, head);
    repository.ask('update-ref', 'refs/tags/main', weak);
    expect((await finds('refs/heads/topic')).outputs).toMatchObject({ 'base-unread': notKnown });
  });

  test.each([
    ['limits requests', 429, 429, 429, 429],
    ['does not know the token', 401],
    ['has no such branch', 404],
    ['says nothing', 502, 502, 502, 502],
  ])('a host that %s is not compared with, in its own words', async (_, ...statuses) => {
    const { repository, github, finds } = await proposed();
    repository.commit({ 'almanac.yaml': 'later' });
    repository.mergeRef('topic', 7);
    github.failNext('GET', ...(statuses as readonly number[]));
    const { code, outputs, log } = await finds('refs/pull/7/merge');
    expect({ code, said: outputs['base-unread'] }).toEqual({ code: 0, said: 'The base branch could not be read' });
    expect(outputs).not.toHaveProperty('base-commit');
    expect(log).toContain(`GitHub answered ${statuses[0]}: as asked (GET).`);
  });

  test('an event that does not name the base branch is said not to be compared', async () => {
    const { repository, finds, asked } = await proposed();
    repository.commit({ 'almanac.yaml': 'later' });
    repository.mergeRef('topic', 7);
    expect((await finds('refs/pull/7/merge', asked({ base: {} }))).outputs['base-unread']).toBe(notKnown);
  });

  test('a workspace in a submodule is planned with the pull request around it, and not compared', async () => {
    const { repository, runner, first, head } = await proposed();
    const inner = openRepository({ 'almanac.yaml': 'inner' });
    repository.mergeRef('topic', 7);
    repository.checkOut(runner, { ref: 'refs/pull/7/merge', depth: 1 });
    git(runner.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.url, 'reports');
    runner.happens({ pull_request: { number: 7, head: { sha: head }, base: { ref: 'main', sha: first } } });
    const found = await runner.run('pull', { ALMANAC_WORKING_DIRECTORY: 'reports' });
    expect(found.outputs, found.log).toEqual({
      number: '7',
      head,
      'base-branch': 'main',
      'base-commit': first,
      'base-unread': 'The base branch does not hold the files of a submodule',
    });
  });

  test('a checkout in a folder of the job is compared by its own paths', async () => {
    const { repository, github, runner, event, first } = await proposed();
    repository.mergeRef('topic', 7);
    runner.write({ 'pull/.keep': '' });
    repository.checkOut({ path: join(runner.path, 'pull') }, { ref: 'refs/pull/7/merge', depth: 1 });
    runner.happens({ pull_request: event() });
    const { outputs, log } = await runner.run('pull', {
      ...github.env,
      ALMANAC_WORKING_DIRECTORY: 'pull',
    });
    expect(outputs, log).toMatchObject({ 'base-commit': first });
  });
});

describe('a checkout that is not the pull request', () => {
  const notIt = 'is not #7: neither its last commit,';

  test('a run of the author fails before it comments, with the ref to set', async () => {
    const { finds } = await proposed();
    const { code, outputs, log } = await finds('refs/heads/main');
    expect({ code, outputs }).toEqual({ code: 1, outputs: {} });
    expect(log).toContain(notIt);
    expect(log).toContain('write `ref: ${{ github.sha }}`');
  });

  test.each([
    ['pull_request_target', undefined],
    ['issue_comment', { number: 7, pull_request: {} }],
  ])('a run with more rights than the author names no ref, but the page on forks: %s', async (name, issue) => {
    const { finds, event } = await proposed();
    const happens = issue === undefined ? { pull_request: event() } : { issue };
    const { code, outputs, log } = await finds('refs/heads/main', happens, { GITHUB_EVENT_NAME: name });
    expect({ code, outputs }).toEqual({ code: 1, outputs: {} });
    expect(log).toContain(notIt);
    expect(log).toContain('The documentation (ci-github, Pull requests from forks)');
    expect(log).not.toMatch(/\bref\b/);
  });

  test('a head that was pushed after the event is not the one of this run', async () => {
    const { finds, repository } = await proposed();
    repository.commit({ 'topic.yaml': 'newer' }, { branch: 'topic' });
    const { code, log } = await finds('refs/heads/topic');
    expect(code).toBe(1);
    expect(log).toContain('the run of that push plans it.');
  });

  test('a merge of the base branch into the head, made in the job, is not what the host merges', async () => {
    const { finds, commitOf, first, head } = await proposed();
    commitOf('refs/heads/topic', head, first);
    expect((await finds('refs/heads/topic')).log).toContain(notIt);
  });

  test('a comment on a pull request plans the head that the host names', async () => {
    const { finds, repository, head, first } = await proposed();
    repository.mergeRef('topic', 7);
    const happens = { issue: { number: 7, pull_request: {} } };
    const { outputs, log } = await finds('refs/pull/7/merge', happens, { GITHUB_EVENT_NAME: 'issue_comment' });
    expect(outputs, log).toMatchObject({ number: '7', head, 'base-commit': first });
  });

  test('a comment on a pull request that the host does not tell about plans nothing', async () => {
    const { finds, github } = await proposed();
    github.failNext('GET', 401);
    const { code, outputs, log } = await finds('refs/heads/main', { issue: { number: 7, pull_request: {} } });
    expect({ code, outputs }).toEqual({ code: 1, outputs: {} });
    expect(log).toContain('so nothing was planned. GitHub answered 401: as asked (GET).');
  });

  test('a folder without a commit that git can read is said to be one', async () => {
    const { runner, github, event } = await proposed();
    runner.happens({ pull_request: event() });
    const { code, log } = await runner.run('pull', github.env);
    expect(code).toBe(1);
    expect(log).toContain('git does not say which commit is checked out in ');
    expect(log).toContain('git config --global --add safe.directory');
  });
});
