// The state on its way from the job that applies to the branch, with real git: the folder that an apply leaves, the job
// that pushes it, and the check before an apply.

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type FakeGithub, openGithub } from '../support/action/fake-github.ts';
import { openRunner } from '../support/action/fake-runner.ts';
import { git, openRepository } from '../support/action/repository.ts';

const file = 'almanac.state.json';
const stateOf = (serial: number, note = '') => `${JSON.stringify({ version: 1, serial, note }, null, 2)}\n`;

/** A job that applies and another that pushes, each with a checkout of its own. */
function opened({ path = file, config = '', depth = 1 } = {}) {
  const repository = openRepository({
    'almanac.yaml': config,
    'schedules/a.yaml': '',
    [path]: stateOf(1),
    '.gitignore': '*.journal\n',
  });
  const [applying, pushing] = [openRunner(), openRunner()];
  const commit = repository.checkOut(applying, { depth });
  const artifact = join(pushing.home, 'artifact');
  return {
    repository,
    applying,
    artifact,
    commit,
    keep: async (env: Record<string, string> = {}) => {
      const step = await applying.run('state/keep-state.mjs', { ALMANAC_STATE: path, ...env });
      expect(step.code, step.log).toBe(0);
      rmSync(artifact, { recursive: true, force: true });
      cpSync(step.outputs['state-folder'] ?? '', artifact, { recursive: true });
    },
    push: (env: Record<string, string> = {}) => {
      repository.checkOut(pushing, { depth });
      return pushing.run('state/push-state.mjs', { ALMANAC_STATE_FOLDER: artifact, ...env });
    },
    pushing,
  };
}

describe('the state after an apply', () => {
  test('the state is committed on the branch, and nothing else is', async () => {
    const { repository, applying, keep, push, commit } = opened();
    applying.write({ [file]: stateOf(2), 'stray.txt': 'x', 'schedules/a.yaml': 'changed: 1' });
    await keep({ ALMANAC_ENVIRONMENT: 'prod' });
    const step = await push();
    expect(step.log).toContain('Pushed the state.');
    expect(repository.has(file)).toBe(stateOf(2).trim());
    expect(repository.has('schedules/a.yaml')).toBe('');
    expect(() => repository.has('stray.txt')).toThrow();
    expect(repository.log()[0]).toBe(`Almanac state of prod after ${commit.slice(0, 9)} [skip ci]`);
  });

  test('the first state of a workspace in a folder is committed where almanac.yaml keeps it', async () => {
    const { repository, applying, keep, push } = opened({ path: 'other.json' });
    repository.commit({ 'reports/almanac.yaml': 'state: { path: live/omni.json }' });
    repository.checkOut(applying);
    applying.write({ 'reports/live/omni.json': stateOf(1) });
    await keep({ ALMANAC_STATE: 'reports/live/omni.json' });
    expect((await push({ ALMANAC_WORKING_DIRECTORY: 'reports' })).code).toBe(0);
    expect(repository.has('reports/live/omni.json')).toBe(stateOf(1).trim());
  });

  test.each([
    ['state:\n  path: our state.json # of all teams\n', 'our state.json'],
    ["state: { backend: local, path: 'a, {b} #c.json' }", 'a, {b} #c.json'],
    ['state: { path: our state.json }', 'our state.json'],
    ['state:\n  path: a,b.json\n', 'a,b.json'],
    ['environments: { dev: { state: { path: dev.json } }, prod: { state: { path: prod.json } } }', 'prod.json'],
    ['{"state": {"path": "live \'x\'.json"}}', "live 'x'.json"],
  ])('a state is pushed to the path in %j', async (config, path) => {
    const { repository, applying, keep, push } = opened({ path, config });
    applying.write({ [path]: stateOf(2) });
    await keep();
    const step = await push();
    expect(step.code, step.log).toBe(0);
    expect(repository.has(path)).toBe(stateOf(2).trim());
  });

  test('a state that is unchanged makes no commit', async () => {
    const { repository, keep, push } = opened();
    await keep();
    const step = await push();
    expect(step.code).toBe(0);
    expect(step.log).toContain('The state has not changed.');
    expect(repository.log()).toEqual(['first']);
  });

  test('a state that was pushed already is not pushed again when the job is repeated', async () => {
    const { repository, applying, keep, push } = opened();
    applying.write({ [file]: stateOf(2) });
    await keep();
    await push();
    expect((await push()).log).toContain('The state has not changed.');
    expect(repository.log()).toHaveLength(2);
  });

  test('the journal of a killed run is committed, and removed after it is folded', async () => {
    const { repository, applying, keep, push } = opened();
    applying.write({ [`${file}.journal`]: '{"type":"header"}\n' });
    await keep();
    expect((await push()).code).toBe(0);
    expect(repository.has(`${file}.journal`)).toBe('{"type":"header"}');
    repository.checkOut(applying);
    rmSync(join(applying.path, `${file}.journal`));
    applying.write({ [file]: stateOf(2) });
    await keep();
    expect((await push()).code).toBe(0);
    expect(() => repository.has(`${file}.journal`)).toThrow();
    expect(repository.has(file)).toBe(stateOf(2).trim());
  });

  test('a state is committed on top of what others pushed meanwhile', async () => {
    const { repository, applying, keep, push } = opened();
    applying.write({ [file]: stateOf(2) });
    await keep();
    repository.commit({ 'README.md': 'words\n' }, { words: 'other' });
    expect((await push()).code).toBe(0);
    expect(repository.has(file)).toBe(stateOf(2).trim());
    expect(repository.has('README.md')).toBe('words');
    expect(repository.log()[1]).toBe('other');
  });

  test('two states are never merged, and the own state stays in its folder', async () => {
    const { repository, applying, artifact, keep, push } = opened();
    applying.write({ [file]: stateOf(2, 'ours') });
    await keep();
    repository.commit({ [file]: stateOf(2, 'theirs') });
    const step = await push();
    expect(step.code).toBe(1);
    expect(step.log).toContain('::error title=Almanac::The state was not pushed. Another state was pushed');
    expect(step.summary).toContain('The state was not pushed.');
    expect(repository.has(file)).toBe(stateOf(2, 'theirs').trim());
    expect(readFileSync(join(artifact, 'state.json'), 'utf8')).toBe(stateOf(2, 'ours'));
  });

  test('a branch that rejects the push is reported with what to do', async () => {
    const { repository, applying, keep, push } = opened();
    applying.write({ [file]: stateOf(2) });
    await keep();
    repository.protect();
    const step = await push();
    expect(step.code).toBe(1);
    expect(step.log).toContain('STATE_DEPLOY_KEY');
    expect(repository.log()).toEqual(['first']);
  });

  test('a workspace outside a repository leaves no folder', async () => {
    const runner = openRunner({ [file]: stateOf(1) });
    const step = await runner.run('state/keep-state.mjs', { ALMANAC_STATE: file });
    expect(step.code, step.log).toBe(0);
    expect(step.outputs).toEqual({});
  });

  test('a state in a checkout that git cannot read is an error', async () => {
    const runner = openRunner({ [file]: stateOf(1), '.git/HEAD': 'damaged' });
    const step = await runner.run('state/keep-state.mjs', { ALMANAC_STATE: file });
    expect(step.code).toBe(1);
    expect(step.log).toContain('::error title=Almanac::git cannot read the checkout');
  });

  test.each(['refs/tags/v1', 'refs/pull/7/merge'])('a state is not pushed to %s', async (ref) => {
    const { applying, keep, push } = opened();
    applying.write({ [file]: stateOf(2) });
    await keep();
    const step = await push({ GITHUB_REF: ref });
    expect(step.code).toBe(1);
    expect(step.log).toContain('This run does not belong to a branch');
  });
});

describe('a folder that no apply left', () => {
  const workflow = '.github/workflows/plan.yml';
  test.each<[string, (manifest: Manifest) => unknown]>([
    ['a file that is no state', (manifest) => ({ ...manifest, files: renamed(manifest, workflow) })],
    ['a file of git', (manifest) => ({ ...manifest, files: renamed(manifest, '.git/config') })],
    ['a file outside the repository', (manifest) => ({ ...manifest, files: renamed(manifest, '../x.json') })],
    ['two files that do not belong together', (manifest) => ({ ...manifest, files: [...manifest.files].reverse() })],
    ['an option', (manifest) => ({ ...manifest, commit: '--all' })],
    ['nothing', () => ({})],
  ])('a folder that names %s is refused', async (_, forge) => {
    const { repository, artifact, keep, push } = opened();
    await keep();
    const path = join(artifact, 'manifest.json');
    writeFileSync(path, JSON.stringify(forge(JSON.parse(readFileSync(path, 'utf8')) as Manifest)));
    writeFileSync(join(artifact, 'state.json'), 'on: push');
    const step = await push();
    expect(step.code).toBe(1);
    expect(step.log).toContain('::error title=Almanac::The state was not pushed.');
    expect(repository.log()).toEqual(['first']);
  });

  test('a folder that does not exist is refused', async () => {
    expect((await opened().push()).log).toContain('The input state-folder does not name a folder that an apply left.');
  });
});

interface Manifest {
  readonly commit: string;
  readonly files: readonly { readonly path: string }[];
}

function renamed({ files }: Manifest, path: string): readonly unknown[] {
  return files.map((each, at) => ({ ...each, path: at === 0 ? path : `${path}.journal`, before: null }));
}

describe('the check before an apply', () => {
  /** With a deploy key, the checkout talks to the server by SSH: here a script that starts the same git programs. */
  async function checked(change: (github: FakeGithub) => void = () => {}, { key = false } = {}) {
    const [{ pushing, repository }, github] = [opened(), await openGithub()];
    repository.checkOut(pushing, { depth: 1 });
    const env = { ...github.env, GIT_SSH: join(pushing.home, 'ssh'), GIT_SSH_VARIANT: 'simple' };
    writeFileSync(env.GIT_SSH, `#!/bin/sh\nexec \${2%% *} '${fileURLToPath(repository.url)}'\n`, { mode: 0o755 });
    if (key) git(pushing.path, 'config', 'remote.origin.url', 'git@github.example:acme/reports.git');
    change(github);
    const before = repository.log();
    const step = await pushing.run('state/check-push.mjs', env);
    expect(repository.log()).toEqual(before);
    return step;
  }

  test('a branch that can be pushed passes the check, also if it moved on since the checkout', async () => {
    expect(await checked()).toMatchObject({ code: 0, log: expect.stringContaining('The state can be pushed') });
    const [{ pushing, repository }, github] = [opened(), await openGithub()];
    repository.checkOut(pushing, { depth: 1 });
    repository.commit({ 'README.md': 'words' });
    expect((await pushing.run('state/check-push.mjs', github.env)).code).toBe(0);
  });

  test('a repository that cannot be pushed fails the check, without the address of the remote', async () => {
    const [{ pushing, repository }, github] = [opened(), await openGithub()];
    repository.checkOut(pushing, { depth: 1 });
    git(pushing.path, 'config', 'remote.origin.pushurl', 'https://x-access-token:ghs_secret@127.0.0.1:1/none.git');
    const step = await pushing.run('state/check-push.mjs', github.env);
    expect(step.code).toBe(1);
    expect(step.log).toContain('needs contents: write');
    expect(step.summary).toContain('Nothing was applied.');
    expect(step.log + step.summary).not.toContain('ghs_secret');
  });

  test.each(['pull_request', 'update', 'required_status_checks', 'merge_queue', 'required_signatures', 'new_rule'])(
    'a rule of the type %s fails the check with what to do, and with a deploy key is a warning',
    async (type) => {
      const rule = (github: FakeGithub) => {
        github.rules = [{ type: 'deletion' }, { type }];
      };
      const refused = await checked(rule);
      expect(refused.code).toBe(1);
      expect(refused.log).toContain(`refuse a push by this job (${type})`);
      expect(refused.log).toContain('STATE_DEPLOY_KEY');
      const warned = await checked(rule, { key: true });
      expect(warned.code, warned.log).toBe(0);
      expect(warned.log).toContain('::warning title=Almanac::');
      expect(warned.log).toContain('must be allowed to bypass them');
    },
  );

  test('rules that an ordinary push keeps pass the check', async () => {
    const step = await checked((github) => {
      github.rules = [{ type: 'deletion' }, { type: 'non_fast_forward' }];
    });
    expect(step.code).toBe(0);
    expect(step.log).not.toContain('::warning');
  });

  test.each<[string, (github: FakeGithub) => void]>([
    ['The branch main is protected', (github) => Object.assign(github, { isProtected: true })],
    ['The rules of the branch main could not be read', (github) => Object.assign(github, { rules: undefined })],
  ])('what the check cannot judge is a warning: %s', async (words, change) => {
    const step = await checked(change);
    expect(step.code).toBe(0);
    expect(step.log).toContain(`::warning title=Almanac::${words}`);
  });
});
