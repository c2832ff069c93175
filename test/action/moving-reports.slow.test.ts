// A report moves to another workspace by the jobs that init writes.
// Two folders of one repository, with real git, GitHub's double and one organization.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { runGit } from '../../src/commands/ci/runner/git.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { mergedPull, openGithub } from '../support/action/fake-github.ts';
import { almanac } from '../support/action/fake-runner.ts';
import { type Files, git, openRepository } from '../support/action/repository.ts';
import type { Workflow } from '../support/action/workflow-files.ts';
import { runWorkflow } from '../support/action/workflow-run.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const folders = ['reports', 'customers'] as const;
type Folder = (typeof folders)[number];

const timeout = 300_000;
const key = 'weekly-email';
const source = (folder: Folder) => `${folder}/schedules/first.yaml`;

/** Two workspaces as init leaves them in one repository, each with a report of its own, and both applied after a review. */
async function openTeams() {
  const made = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
  for (const folder of folders)
    expect(await made.run('init', '--yes', '--dir', folder, '--ci', 'github')).toMatchObject({ code: 0 });
  const files = Object.fromEntries(
    readdirSync(made.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.git'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(made.path.length + 1), readFileSync(path, 'utf8')]),
  );
  const [repository, github] = [openRepository(files), await openGithub()];
  github.repository = repository;
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const environment = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey };
  const quietly = (args: readonly string[], cwd: string, onStdout: (text: string) => void = () => {}) =>
    almanac(args, { cwd, env: { PATH: `${process.env['PATH']}`, ...environment }, onStdout, onStderr: () => {} });
  const setting = {
    ...{ repository, github, programs: { almanac, git: runGit } },
    formatted: async (path: string) => (await quietly(['fmt', '--check'], path)) === 0,
    vars: { OMNI_BASE_URL: baseUrl },
    secrets: { production: { OMNI_API_TOKEN: organizationKey } },
  };
  const run = async (
    folder: Folder,
    job: string,
    more: Partial<typeof setting> & Readonly<Record<string, unknown>>,
  ) => {
    const workflow = parse(files[`.github/workflows/almanac-${folder}-${job}.yml`] ?? '') as Workflow;
    const { jobs } = await runWorkflow(workflow, { ...setting, event: {}, ...more });
    return jobs[job];
  };
  /** A pull request that both folders plan, and that is merged once both plans are there. */
  const merges = async (number: number, changes: Files) => {
    const branch = `change-${number}`;
    const sha = repository.commit(changes, { branch });
    repository.mergeRef(branch, number);
    const pull = mergedPull({
      ...{
        number,
        head: { sha },
        base: { ref: 'main' },
        from: `acme:${branch}`,
        merged_at: null,
        merge_commit_sha: null,
      },
    });
    github.pulls.push(pull);
    const event = { pull_request: pull, number };
    for (const folder of folders) {
      const plan = await run(folder, 'plan', { event, ref: `refs/pull/${number}/merge` });
      expect(plan?.result, plan?.actions['plan']?.log).toBe('success');
    }
    Object.assign(pull, { merged_at: '2026-11-23T09:00:00Z', merge_commit_sha: repository.merge(branch) });
  };
  const applies = async (folder: Folder) => {
    const apply = await run(folder, 'apply', {});
    return { result: apply?.result, said: `${apply?.actions['apply']?.log}\n${apply?.actions['apply']?.summary}` };
  };
  const stateOf = (folder: Folder) =>
    JSON.parse(git(fileURLToPath(repository.url), 'show', `almanac-state--${folder}:almanac.state.json`)) as {
      readonly resources: Readonly<Record<string, { readonly id: string }>>;
    };
  const schedules = () =>
    emulator
      .data()
      .schedules.map(({ id, fields }) => `${id} ${fields['name']}`)
      .sort();
  await merges(1, {
    [source('reports')]: `${repository.has(source('reports')).replace('Weekly report', 'Funnel')}\n`,
    [source('customers')]: `${repository.has(source('customers')).replace('Weekly report', 'Usage')}\n`,
  });
  const before = schedules().length;
  for (const folder of folders) expect(await applies(folder)).toMatchObject({ result: 'success' });
  expect(schedules()).toHaveLength(before + 2);
  /** The pull request of the page: the entry that `state show` prints, the declaration as it was, and the release. */
  const moves = async () => {
    const clone = makeFolder().path;
    git(clone, 'clone', '--quiet', repository.url, '.');
    let entries = '';
    const shown = ['state', 'show', `schedules.${key}`, '--format', 'adopt'];
    expect(await quietly(shown, join(clone, 'reports'), (text) => (entries += text))).toBe(0);
    const declared = repository.has(source('reports')).replace(key, 'funnel');
    const funnel = join(clone, 'customers/schedules/funnel.yaml');
    writeFileSync(funnel, `${entries.replace(`schedules.${key}`, 'schedules.funnel')}${declared}\n`);
    expect(await quietly(['fmt'], join(clone, 'customers'))).toBe(0);
    await merges(2, {
      'customers/schedules/funnel.yaml': readFileSync(funnel, 'utf8'),
      [source('reports')]: `removed:\n  - { from: schedules.${key}, keep: true }\n`,
    });
  };
  const changed = () => emulator.requests().filter(({ method }) => method !== 'GET');
  return { github, applies, stateOf, schedules, moves, changed };
}

type Teams = Awaited<ReturnType<typeof openTeams>>;

async function expectMoved({ applies, stateOf, schedules }: Teams, before: readonly string[], id: string | undefined) {
  expect(schedules()).toEqual(before);
  expect(stateOf('customers').resources['schedules.funnel']?.id).toBe(id);
  expect(stateOf('reports').resources).toEqual({});
  for (const folder of folders) {
    const { result, said } = await applies(folder);
    expect(result, said).toBe('success');
    expect(said).toContain('nothing to do');
  }
  expect(schedules()).toEqual(before);
}

test('the jobs of both folders move a report in one reviewed merge, and nothing is created or deleted', {
  timeout,
}, async () => {
  const teams = await openTeams();
  const before = teams.schedules();
  const id = teams.stateOf('reports').resources[`schedules.${key}`]?.id;
  await teams.moves();
  expect(teams.github.comments).toHaveLength(4);
  const sent = teams.changed().length;
  for (const folder of folders) {
    const { result, said } = await teams.applies(folder);
    expect(result, said).toBe('success');
  }
  expect(teams.changed()).toHaveLength(sent);
  await expectMoved(teams, before, id);
});

test('whichever job is first: an adoption before the release is left, and made by the next run of that job', {
  timeout,
}, async () => {
  const teams = await openTeams();
  const before = teams.schedules();
  const id = teams.stateOf('reports').resources[`schedules.${key}`]?.id;
  await teams.moves();
  const early = await teams.applies('customers');
  expect(early.result).toBe('failure');
  expect(early.said).toContain('apply the release there first');
  expect(teams.schedules()).toEqual(before);
  for (const folder of folders) {
    const { result, said } = await teams.applies(folder);
    expect(result, said).toBe('success');
  }
  await expectMoved(teams, before, id);
});
