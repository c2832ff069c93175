// The workflows that `almanac init` writes, run from end to end: a workspace made by init in a repository with real git,
// GitHub's double, and an emulator for each organization. In the first test the steps and the built program are processes;
// in the others they run in the process of the test.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { runGit } from '../../src/commands/ci/runner/git.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { mergedPull, openGithub } from '../support/action/fake-github.ts';
import { almanac, type Programs } from '../support/action/fake-runner.ts';
import { git, openRepository } from '../support/action/repository.ts';
import type { Workflow } from '../support/action/workflow-files.ts';
import { runWorkflow, type Setting } from '../support/action/workflow-run.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

interface Kind {
  readonly folder: string;
  readonly environments: readonly string[];
}

const plain: Kind = { folder: '', environments: [] };
const many: Kind = { folder: 'teams/sales', environments: ['dev', 'prod-eu'] };

/** A repository as init leaves it, with everything that GitHub must be given. */
async function opened({ folder, environments }: Kind, programs: Programs | string = { almanac, git: runGit }) {
  const made = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
  const ofFolder = folder === '' ? [] : ['--dir', folder];
  const ofEnvironments = environments.length === 0 ? [] : ['--environments', ...environments];
  await made.run('init', '--yes', '--ci', 'github', ...ofFolder, ...ofEnvironments);
  const files = Object.fromEntries(
    readdirSync(made.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.git'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(made.path.length + 1), readFileSync(path, 'utf8')]),
  );
  const [repository, github] = [openRepository(files), await openGithub()];
  github.repository = repository;
  const organizations = await Promise.all(
    (environments.length === 0 ? ['production'] : environments).map(async (name) => {
      const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
      const { baseUrl, organizationKey } = await emulator.listen();
      onTestFinished(() => emulator.close());
      const variable = `OMNI_BASE_URL${environments.length === 0 ? '' : `_${name.toUpperCase().replace('-', '_')}`}`;
      const sent = () => emulator.requests().filter(({ method }) => method !== 'GET').length;
      return { name, variable, baseUrl, organizationKey, sent };
    }),
  );
  const setting = {
    repository,
    github,
    programs,
    formatted: async (path: string) => (await runAlmanac(['fmt', '--check'], path)) === 0,
    vars: Object.fromEntries(organizations.map(({ variable, baseUrl }) => [variable, baseUrl])),
    secrets: Object.fromEntries(
      organizations.map(({ name, organizationKey }) => [name, { OMNI_API_TOKEN: organizationKey }]),
    ),
  };
  const named = ['almanac', ...(folder === '' ? [] : [folder.replace('/', '-')])].join('-');
  const run = (job: string, more: Partial<Setting> & Pick<Setting, 'event'>) =>
    runWorkflow(parse(files[`.github/workflows/${named}-${job}.yml`] ?? '') as Workflow, { ...setting, ...more });
  const below = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  const applied = (more: Partial<Setting> = {}, job = 'apply') => run(job, { event: {}, ...more });
  const opensPull = (number: number, edit: (text: string) => string) => {
    const branch = `change-${number}`;
    const source = below('schedules/first.yaml');
    const sha = repository.commit({ [source]: `${edit(repository.has(source))}\n` }, { branch });
    repository.mergeRef(branch, number);
    const pull = mergedPull({
      number,
      head: { sha },
      base: { ref: 'main' },
      from: `mallory:${branch}`,
      merged_at: null,
      merge_commit_sha: null,
    });
    github.pulls.push(pull);
    const event = { pull_request: pull, number };
    return {
      sha,
      branch,
      plans: () => run('plan', { event, ref: `refs/pull/${number}/merge` }),
      merges: () =>
        Object.assign(pull, { merged_at: '2026-11-23T09:00:00Z', merge_commit_sha: repository.merge(branch) }),
    };
  };
  return { repository, github, organizations, run, applied, opensPull };
}

/** Resolves to its exit code. */
async function runAlmanac(args: readonly string[], cwd: string): Promise<number> {
  const nobody = () => {};
  return almanac(args, { cwd, env: {}, onStdout: nobody, onStderr: nobody });
}

const resultsOf = ({ jobs }: Awaited<ReturnType<typeof runWorkflow>>) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
const done = { apply: 'success' };

/** A branch of the server: its subjects, newest first, and the state at its tip. */
function branchOf({ url }: { readonly url: string }, name: string) {
  const folder = fileURLToPath(url);
  return {
    subjects: () => git(folder, 'log', '--first-parent', '--format=%s', name).split('\n'),
    state: () => JSON.parse(git(folder, 'show', `${name}:almanac.state.json`)),
  };
}

test('the scaffolded workflows plan, review and apply, keep the state in its branch, and then have nothing to do', async () => {
  const { repository, github, organizations, run, applied, opensPull } = await opened(plain, 'dist/cli.cjs');
  const pull = opensPull(7, (text) => text.replace('Weekly report', 'Weekly numbers'));
  const planned = await pull.plans();
  expect(resultsOf(planned), planned.jobs['plan']?.actions['plan']?.log).toEqual({ plan: 'success' });
  expect(github.comments.map(({ body }) => body.includes('schedules.weekly-email'))).toEqual([true]);
  expect(organizations[0]?.sent()).toBe(0);
  pull.merges();
  const pushes = repository.log().length;

  const first = await applied();
  expect(resultsOf(first), first.jobs['apply']?.actions['apply']?.log).toEqual(done);
  expect(organizations[0]?.sent()).toBe(1);
  expect(repository.log()).toHaveLength(pushes);
  const branch = branchOf(repository, 'almanac-state');
  expect(branch.subjects()[0]).toMatch(/\[skip ci\]$/);
  expect(branch.state()).toMatchObject({
    commit: git(fileURLToPath(repository.url), 'rev-parse', 'main'),
    resources: { 'schedules.weekly-email': { id: expect.any(String) } },
  });

  const again = await applied();
  expect(resultsOf(again)).toEqual(done);
  expect(again.jobs['apply']?.actions['apply']?.summary).toContain('nothing to do');
  expect(organizations[0]?.sent()).toBe(1);

  const fork = opensPull(8, (text) => text.replace('Weekly numbers', 'Weekly totals'));
  const ofFork = {
    event: 'pull_request',
    head_sha: fork.sha,
    head_branch: fork.branch,
    head_repository: { full_name: 'mallory/reports', owner: { login: 'mallory' } },
  };
  const event = { workflow_run: ofFork, repository: { default_branch: 'main' } };
  const followed = await run('plan-fork', { event });
  expect(resultsOf(followed), followed.jobs['plan']?.actions['plan']?.log).toEqual({ plan: 'success' });
  expect(github.comments.at(-1)?.body).toContain('1 to update');
  expect(github.comments.at(-1)?.body).not.toContain('CAUTION');
  for (const { jobs } of [planned, first, again, followed])
    expect(JSON.stringify(jobs)).not.toContain(organizations[0]?.organizationKey);
}, 180_000);

test.each<[string, (text: string) => string, string]>([
  ['is not formatted', (text) => `${text}\n\n\n# end\n`, '`almanac fmt --check` fails'],
  ['is not valid', (text) => text.replace('Weekly report', 'Weekly report"\n    nope: 1 #'), 'almanac plan failed'],
])(
  'the comment of a push that %s says so, and the check is red',
  async (_, edit, words) => {
    const { repository, github, opensPull } = await opened(plain);
    const pull = opensPull(7, (text) => text.replace('Weekly report', 'Weekly numbers'));
    await pull.plans();
    expect(github.comments[0]?.body).not.toContain(words);
    const source = 'schedules/first.yaml';
    const sha = repository.commit({ [source]: edit(repository.has(source)) }, { branch: pull.branch });
    repository.mergeRef(pull.branch, 7);
    Object.assign(github.pulls[0] ?? {}, { head: { sha } });
    expect(resultsOf(await pull.plans())).toEqual({ plan: 'failure' });
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toContain(words);
    expect(github.comments[0]?.body).toContain(`head="${sha}"`);
  },
  180_000,
);

test('the scaffolded checks pass and open no issue before the first apply', async () => {
  const { github, run } = await opened(plain);
  for (const check of ['drift', 'status']) {
    const { jobs, ...looked } = await run(check, { event: {} });
    const { log, summary } = jobs[check]?.actions[check] ?? {};
    expect(resultsOf({ jobs, ...looked }), log).toEqual({ [check]: 'success' });
    expect(summary).toContain('this workspace has no state yet. The first `almanac apply` creates it.');
  }
  expect(github.issues).toEqual([]);
}, 180_000);

test('the scaffolded drift check opens an issue about what somebody changed, and closes it when it is undone', async () => {
  const { repository, github, organizations, run, applied, opensPull } = await opened(plain);
  const pull = opensPull(7, (text) => text.replace('Weekly report', 'Weekly numbers'));
  await pull.plans();
  pull.merges();
  await applied();
  const looks = () => run('drift', { event: {} });
  const calm = await looks();
  expect(resultsOf(calm), calm.jobs['drift']?.actions['drift']?.log).toEqual({ drift: 'success' });
  const morning = await run('status', { event: {} });
  expect(resultsOf(morning), morning.jobs['status']?.actions['status']?.log).toEqual({ status: 'success' });
  expect(github.issues).toEqual([]);
  const { resources } = branchOf(repository, 'almanac-state').state() as { resources: Record<string, { id: string }> };
  const [{ baseUrl, organizationKey } = { baseUrl: '', organizationKey: '' }] = organizations;
  const change = (what: string) =>
    fetch(`${baseUrl}/v1/schedules/${resources['schedules.weekly-email']?.id}/${what}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${organizationKey}` },
    });
  await change('pause');
  await looks();
  expect(github.issues).toMatchObject([{ state: 'open', body: expect.stringContaining('schedules.weekly-email') }]);
  await change('resume');
  await looks();
  expect(github.issues).toMatchObject([{ state: 'closed' }]);
}, 180_000);

test('the scaffolded workflows refuse a direct push, and apply it by hand with the digest', async () => {
  const { repository, organizations, applied } = await opened(plain);
  const refused = await applied();
  expect(resultsOf(refused)).toEqual({ apply: 'failure' });
  expect(refused.jobs['apply']?.actions['apply']?.summary).toContain('not every change was reviewed');
  expect(organizations[0]?.sent()).toBe(0);
  expect(repository.log()).toEqual(['first']);

  const digest = refused.jobs['apply']?.actions['apply']?.outputs['digest'] ?? '';
  expect(resultsOf(await applied({ inputs: { expect: digest } }))).toEqual(done);
  expect(organizations[0]?.sent()).toBe(1);
});

test('a branch that a job may not write stops its apply before anything is sent', async () => {
  const { repository, organizations, applied } = await opened(plain);
  repository.protect();
  expect(resultsOf(await applied())).toEqual({ apply: 'failure' });
  expect(organizations[0]?.sent()).toBe(0);
}, 180_000);

test('the scaffolded workflows of a fork run its files as data, and its comment counts as a review', async () => {
  const { github, run, applied, opensPull } = await opened(plain);
  const pull = opensPull(7, (text) => text.replace('Weekly report', 'Weekly numbers'));
  github.readOnly = true;
  expect(resultsOf(await pull.plans())).toEqual({ plan: 'success' });
  expect(github.comments).toEqual([]);
  github.readOnly = false;
  const ofFork = {
    event: 'pull_request',
    head_sha: pull.sha,
    head_branch: pull.branch,
    head_repository: { full_name: 'mallory/reports', owner: { login: 'mallory' } },
  };
  const repository = { default_branch: 'main' };
  const own = { ...ofFork, head_repository: { full_name: 'acme/reports', owner: { login: 'acme' } } };
  expect(resultsOf(await run('plan-fork', { event: { workflow_run: own, repository } }))).toEqual({});
  const followed = await run('plan-fork', { event: { workflow_run: ofFork, repository } });
  expect(resultsOf(followed), followed.jobs['plan']?.actions['plan']?.log).toEqual({ plan: 'success' });
  expect(github.comments).toHaveLength(1);
  pull.merges();
  expect(resultsOf(await applied())).toEqual(done);
});

test('the scaffolded workflows of two environments in a folder keep reviews, states and organizations apart', async () => {
  const { repository, github, organizations, applied, opensPull } = await opened(many);
  const [dev, prod] = organizations;
  const pull = opensPull(7, (text) => text.replace('Weekly report', 'Weekly numbers'));
  expect(resultsOf(await pull.plans())).toEqual({ 'plan dev': 'success', 'plan prod-eu': 'success' });
  expect(github.comments).toHaveLength(2);
  pull.merges();
  const first = await applied({}, 'apply-dev');
  expect(resultsOf(first), first.jobs['apply']?.actions['apply']?.log).toEqual(done);
  expect([dev?.sent(), prod?.sent()]).toEqual([1, 0]);
  expect(resultsOf(await applied({}, 'apply-prod-eu'))).toEqual(done);
  expect([dev?.sent(), prod?.sent()]).toEqual([1, 1]);
  for (const { name, baseUrl } of organizations)
    expect(branchOf(repository, `almanac-state--teams-sales--${name}`).state().baseUrl).toBe(baseUrl);
}, 180_000);
