// Several states of one organization: git is real. What another state tracks is left alone, wherever that state may be read.

import { copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commitAll, gitIn, makeRemote } from '../support/git.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const schedules = (more: object = {}) => ({
  'schedules/all.yaml': {
    schedules: { a: mail({ name: 'A', in: ['production'] }), b: mail({ name: 'B', in: ['staging'] }), ...more },
  },
});

async function openRepository(config: object, files: object) {
  const path = `${process.env['PATH']}`;
  const environment = { PATH: path, HOME: makeFolder().path, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
  const world = await openWorld(files as never, { config: config as never, environment });
  const git = gitIn(world.path);
  git('init', '-q');
  git('remote', 'add', 'origin', `file://${makeRemote()}`);
  commitAll(git);
  return { ...world, git };
}

/** A place that nobody may send the credentials of a run to. */
async function openStranger() {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

it('what another environment tracks in a branch of the same remote is not untracked, and is not imported', async () => {
  const config = { state: { backend: 'git' }, environments: { production: {}, staging: {} } };
  const { run, asked } = await openRepository(config, schedules());
  for (const name of ['production', 'staging'])
    expect(await run('apply', '--auto-approve', '--env', name)).toMatchObject({ code: 0 });
  asked();
  const drift = await run('drift', '--untracked', '--env', 'production', '-v');
  expect(drift).toMatchObject({ code: 0 });
  expect(drift.stdout).not.toContain('Untracked');
  expect(drift.stderr).not.toContain('was not read');
  expect(asked()).toEqual(['GET /v1/schedules']);
  const imported = await run('import', '--env', 'production');
  expect(imported.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '1 is already tracked, 1 is tracked by the environment staging.',
  );
});

it('a state at another backend or host is not asked, which -v says', async () => {
  const stranger = await openStranger();
  const config = {
    state: { backend: 'git' },
    environments: {
      production: {},
      staging: { state: { backend: 's3', bucket: 'states', endpoint: stranger.url } },
      remote: { state: { remote: 'stranger' } },
    },
  };
  const { run, git } = await openRepository(config, schedules());
  git('remote', 'add', 'stranger', `${stranger.url}/states.git`);
  await run('apply', '--auto-approve', '--env', 'production');
  const quiet = await run('drift', '--untracked', '--env', 'production');
  expect(quiet).toMatchObject({ code: 0 });
  expect(quiet.stderr).not.toContain('was not read');
  const { stderr } = await run('drift', '--untracked', '--env', 'production', '-v');
  expect(stderr).toContain('note: The state of the environment staging was not read. It is in s3://states/');
  expect(stderr).toContain('note: The state of the environment remote was not read. It is in git branch');
  expect(stranger.requests()).toBe(0);
});

it('a workspace leaves alone what a state of the same repository tracks, and reads none outside of it, also through a link', async () => {
  const report = (name: string, more: object = {}) => ({ schedules: { own: mail({ name }) }, ...more });
  const { run, baseUrl, write, path } = await openRepository(
    {},
    { 'team-a/schedules/own.yaml': report('A'), 'team-b/schedules/own.yaml': report('B') },
  );
  const api = { baseUrl, operations: 'full', rateLimit: 0 };
  const ignoring = (state: string) => write({ 'team-b/almanac.yaml': { api, ignore: [{ state }] } });
  write({ 'team-a/almanac.yaml': { api } });
  expect(await run('apply', '--auto-approve', '-C', 'team-a')).toMatchObject({ code: 0 });
  ignoring('../team-a/almanac.state.json');
  expect(await run('apply', '--auto-approve', '-C', 'team-b')).toMatchObject({ code: 0 });
  const drift = await run('drift', '--deep', '--untracked', '-C', 'team-b');
  expect(drift).toMatchObject({ code: 0 });
  expect(drift.stdout).not.toContain('Untracked');
  // Without the entry, nothing of the other workspace is looked for.
  expect((await run('drift', '--deep', '--untracked', '-C', 'team-a')).stdout).toContain('Untracked');
  const { resources } = JSON.parse(readFileSync(join(path, 'team-a/almanac.state.json'), 'utf8'));
  const { id } = resources['schedules.own'];
  write({
    'team-b/schedules/more.yaml': {
      adopt: [{ to: 'schedules.theirs', id }],
      schedules: { theirs: mail({ name: 'A' }) },
    },
  });
  const plan = await run('plan', '-C', 'team-b');
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.stdout.replaceAll(/\s+/g, ' ')).toContain('almanac state rm schedules.own --chdir team-a');
  const outside = makeFolder().path;
  copyFileSync(join(path, 'team-a/almanac.state.json'), join(outside, 'a.json'));
  symlinkSync(join(outside, 'a.json'), join(path, 'link.json'));
  ignoring('../link.json');
  const refused = await run('validate', '-C', 'team-b');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stdout).toContain('../link.json cannot be read: it is outside of the git repository.');
});

/** Two workspaces of one repository as `init --dir` makes them, each with its state in a branch, and with one report applied. */
async function openTwoWorkspaces(more: { readonly a?: object; readonly b?: object } = {}) {
  const world = await openRepository({}, {});
  const { baseUrl, write, git, run } = world;
  const configOf = (name: 'a' | 'b') => ({
    api: { baseUrl, operations: 'full', rateLimit: 0 },
    state: { backend: 'git', branch: `almanac-state--${name}` },
    ...more[name],
  });
  for (const name of ['a', 'b'] as const)
    write({
      [`${name}/almanac.yaml`]: configOf(name),
      [`${name}/schedules/all.yaml`]: { schedules: { own: mail({ name: `Report of ${name}` }) } },
    });
  commitAll(git);
  const applied = async (name: 'a' | 'b') =>
    expect(await run('apply', '--auto-approve', '-C', name)).toMatchObject({ code: 0 });
  const idIn = async (name: 'a' | 'b') => {
    const { resources } = JSON.parse((await run('state', 'pull', '-C', name)).stdout);
    return resources['schedules.own']?.id as string | undefined;
  };
  return { ...world, configOf, applied, idIn };
}

it('a workspace leaves alone what another workspace of the repository tracks in a branch, and says whose it is', async () => {
  const { run, applied, idIn, write } = await openTwoWorkspaces();
  await applied('a');
  await applied('b');
  const drift = await run('drift', '--untracked', '-C', 'a');
  expect(drift).toMatchObject({ code: 0 });
  expect(drift.stdout).not.toContain('Untracked');
  expect(drift.stdout).toContain('Of the other schedules in Omni, 1 is tracked by ../b.');
  const { trackedBy } = JSON.parse((await run('drift', '--untracked', '-C', 'a', '--format', 'json')).stdout);
  expect(trackedBy).toEqual([{ who: '../b', count: 1 }]);
  const imported = await run('import', '-C', 'a');
  expect(imported.stdout).toContain('Imported 0 schedules into 0 files; 1 is already tracked, 1 is tracked by ../b.');
  const id = await idIn('b');
  write({
    'a/schedules/more.yaml': {
      adopt: [{ to: 'schedules.theirs', id }],
      schedules: { theirs: mail({ name: 'Report of b' }) },
    },
  });
  const left = await run('apply', '--auto-approve', '-C', 'a');
  expect(left).toMatchObject({ code: 1 });
  expect(left.stdout).toContain('../b tracks it; apply the release there first.');
  expect(await idIn('b')).toBe(id);
});

it('a neighbour at another server is asked nothing, whether a file names it or not, unless `ignore` does', async () => {
  const stranger = await openStranger();
  const elsewhere = { state: { backend: 's3', bucket: 'states', endpoint: stranger.url } };
  const { run, applied, write, configOf } = await openTwoWorkspaces({ b: elsewhere });
  await applied('a');
  const quiet = await run('drift', '--untracked', '-C', 'a');
  expect(quiet).toMatchObject({ code: 0 });
  expect(quiet.stderr).not.toContain('was not read');
  expect(stranger.requests()).toBe(0);
  write({ 'a/almanac.yaml': { ...configOf('a'), ignore: [elsewhere] } });
  const named = await run('drift', '--untracked', '-C', 'a');
  expect(named.stderr).toContain('was not read');
  expect(stranger.requests()).toBeGreaterThan(0);
});

it('an almanac.yaml that the commit does not have, or that is below node_modules, is no neighbour', async () => {
  const { run, applied, git, write, configOf } = await openTwoWorkspaces();
  await applied('a');
  await applied('b');
  git('rm', '-q', '--cached', '-r', 'b');
  write({ 'node_modules/b/almanac.yaml': configOf('b') });
  git('add', '-f', 'node_modules');
  git('commit', '-qm', 'One workspace');
  const drift = await run('drift', '--untracked', '-C', 'a');
  expect(drift.stdout).toContain('Report of b');
});

it('a run whose state is pinned reads its neighbours beside it', async () => {
  const { beside, applied, baseUrl } = await openTwoWorkspaces();
  await applied('a');
  await applied('b');
  const environment = {
    PATH: `${process.env['PATH']}`,
    OMNI_API_TOKEN: 'omni_osk_demo_organization_key',
    ALMANAC_STATE_PLACE: 'git branch almanac-state--a of origin',
  };
  const drift = await beside({}, environment).run('drift', '--untracked', '-C', 'a');
  expect(baseUrl).toBeDefined();
  expect(drift.stdout).toContain('1 is tracked by ../b.');
});

it('while a neighbour cannot be read, what takes an unknown id waits, and an ordinary create goes on', async () => {
  const { run, applied, git, write, idIn, makeByHand } = await openTwoWorkspaces();
  await applied('a');
  await applied('b');
  const id = makeByHand(mail({ name: 'By hand' }));
  // Somebody pushed something else to the branch.
  git('push', '-qf', 'origin', 'main:almanac-state--b');
  const refused = await run('import', '-C', 'a');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('The state of ../b was not read.');
  expect(await run('import', '-C', 'a', '--allow', 'unread-neighbours=../b')).toMatchObject({ code: 0 });
  git('clean', '-qfd');
  write({
    'a/schedules/more.yaml': {
      adopt: [{ to: 'schedules.theirs', id }],
      schedules: { new: mail({ name: 'New' }), theirs: mail({ name: 'By hand' }) },
    },
  });
  const apply = await run('apply', '--auto-approve', '-C', 'a');
  expect(apply).toMatchObject({ code: 1 });
  expect(apply.stdout).toContain('Applied 1 change, 1 skipped.');
  expect(await idIn('a')).toBeDefined();
});

it('a lost create does not take what a neighbour has made of the same name, and is planned again', async () => {
  const config = { state: { backend: 'git' }, environments: { dev: {}, prod: {} } };
  const { run } = await openRepository(config, { 'schedules/all.yaml': { schedules: { a: mail({ name: 'A' }) } } });
  expect(await run('apply', '--auto-approve', '--env', 'dev')).toMatchObject({ code: 0 });
  const pulled = async (name: string) => JSON.parse((await run('state', 'pull', '--env', name)).stdout);
  const lost = (await pulled('dev')).resources['schedules.a'].id;
  expect(lost).toBeDefined();
  const prod = await run('apply', '--auto-approve', '--allow', 'duplicates', '--env', 'prod');
  expect(prod).toMatchObject({ code: 0 });
  expect((await pulled('prod')).resources['schedules.a'].id).not.toBe(lost);
});

const gitState = { backend: 'git' };
const s3State = { backend: 's3', bucket: 'states', region: 'eu-west-1' };

it.each<[string, object, object, string, string]>([
  [
    'a branch',
    { state: gitState },
    { state: gitState },
    'branch: almanac-state-reports',
    'branch: almanac-state-customers',
  ],
  ['a prefix', { state: s3State }, { state: s3State }, 'prefix: almanac-reports', 'prefix: almanac-customers'],
  [
    'a name in a table',
    { state: { backend: 'postgres' } },
    { state: { backend: 'postgres' } },
    'name: almanac-reports',
    'name: almanac-customers',
  ],
  [
    'a branch of two environments',
    { state: gitState, environments: { staging: {} }, environmentRequired: true },
    { state: gitState, environments: { production: {}, staging: {} } },
    'branch: almanac-state-staging-reports',
    'branch: almanac-state-staging-customers',
  ],
  [
    'a branch of one environment',
    { state: { ...gitState, branch: 'ours' } },
    { state: gitState, environments: { production: {}, staging: { state: { branch: 'ours' } } } },
    'branch: ours-reports',
    'branch: ours-customers',
  ],
])(
  '%s that two workspaces share is an error at both, which `checks` lowers',
  async (_, reports, customers, ...lines) => {
    const files = (checks: object = {}) => ({
      'reports/almanac.yaml': { ...reports, checks },
      'customers/almanac.yaml': { ...customers, checks },
      'reports/schedules/all.yaml': { schedules: { a: mail({ name: 'A' }) } },
      'customers/schedules/all.yaml': { schedules: { b: mail({ name: 'B' }) } },
    });
    const { run, write, git } = await openRepository({}, files());
    git('rm', '-q', 'almanac.yaml');
    const validate = async (folder: string) => {
      const { code, stdout } = await run('validate', '-C', folder);
      return [code, stdout.replaceAll(/\s+/g, ' ')];
    };
    for (const [index, folder] of ['reports', 'customers'].entries()) {
      const other = index === 0 ? '../customers' : '../reports';
      const [code, said] = await validate(folder);
      expect([code, said]).toEqual([1, expect.stringMatching(/^almanac\.yaml:\d+.* error\[same-state-place\]/)]);
      expect(said).toContain(`in the same place as ${other}`);
      expect(said).toContain(`Write \`${lines[index]}\` in`);
    }
    for (const check of ['warning', 'off']) {
      write(files({ 'same-state-place': check }) as never);
      for (const folder of ['reports', 'customers'])
        expect(await validate(folder)).toEqual([
          0,
          check === 'off' ? 'No errors in 1 file. ' : expect.stringContaining('warning[same-state-place]'),
        ]);
    }
  },
);

it('a file that a workspace inside of another one has as its state is an error at both, and plans nothing', async () => {
  const files = {
    'almanac.yaml': { state: { path: 'team/almanac.state.json' }, sources: ['schedules/*.yaml'] },
    'team/almanac.yaml': {},
    'schedules/all.yaml': { schedules: { a: mail({ name: 'A' }) } },
    'team/schedules/all.yaml': { schedules: { b: mail({ name: 'B' }) } },
  };
  const { run, write, git } = await openRepository(files['almanac.yaml'], files);
  for (const folder of ['.', 'team'])
    for (const command of ['validate', 'plan', 'apply --auto-approve']) {
      const { code, stdout, stderr } = await run(...command.split(' '), '-C', folder);
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('error[same-state-place]')]);
    }
  // What git does not have at the commit is no workspace.
  git('rm', '-rq', '--cached', 'team');
  git('commit', '-qm', 'Without the team');
  expect(await run('validate')).toMatchObject({ code: 0 });
  // A copy that is not committed yet learns it before anybody else does.
  write({
    'copy/almanac.yaml': { state: gitState },
    'copy/schedules/all.yaml': { schedules: { b: mail({ name: 'B' }) } },
  });
  write({ 'almanac.yaml': { state: gitState, sources: ['schedules/*.yaml'] } });
  git('commit', '-qam', 'In a branch');
  expect(await run('validate')).toMatchObject({ code: 0 });
  expect((await run('validate', '-C', 'copy')).stdout).toContain('in the same place as ..,');
});
