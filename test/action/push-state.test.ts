// The step that pushes the state, with real git: a bare repository, and clones that push to it.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRunner } from '../support/action/fake-runner.ts';
import { makeFolder } from '../support/workspace.ts';

const file = 'almanac.state.json';
const stateOf = (serial: number, note = '') => `${JSON.stringify({ version: 1, serial, note }, null, 2)}\n`;

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', '-c', 'init.defaultBranch=main'];
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** The runner's checkout and another clone of the same repository, both at the first commit. */
function opened({ shallow = false } = {}) {
  const folder = makeFolder({
    'seed/schedules/a.yaml': '',
    [`seed/${file}`]: stateOf(1),
    'seed/.gitignore': '*.journal\n',
  });
  const remote = `file://${folder.path}/remote.git`;
  git(folder.path, 'init', '--quiet', '--bare', 'remote.git');
  const seed = join(folder.path, 'seed');
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    ['commit', '--quiet', '-m', 'first'],
    ['push', '--quiet', remote, 'main'],
  ])
    git(seed, ...args);
  const runner = openRunner();
  const checkout = runner.path;
  git(checkout, 'init', '--quiet');
  git(checkout, 'remote', 'add', 'origin', remote);
  git(checkout, 'fetch', '--quiet', ...(shallow ? ['--depth=1'] : []), 'origin', 'main');
  git(checkout, 'checkout', '--quiet', '-B', 'main', 'FETCH_HEAD');
  return {
    runner,
    checkout,
    remoteHas: (path: string) => git(join(folder.path, 'remote.git'), 'show', `main:${path}`),
    remoteLog: () => git(join(folder.path, 'remote.git'), 'log', '--format=%s', 'main').split('\n'),
    other: (path: string, text: string) => {
      writeFileSync(join(seed, path), text);
      git(seed, 'add', '.');
      git(seed, 'commit', '--quiet', '-m', `other ${path}`);
      git(seed, 'push', '--quiet', remote, 'main');
    },
    push: (env: Record<string, string> = {}) =>
      runner.run('state/push-state.mjs', { ALMANAC_PUSH_STATE: file, ...env }),
  };
}

test('the state is committed, and nothing else is', async () => {
  const { runner, push, remoteHas, remoteLog, checkout } = opened();
  runner.write({ [file]: stateOf(2), 'stray.txt': 'x', 'schedules/a.yaml': 'changed: 1' });
  const step = await push({ ALMANAC_ENVIRONMENT: 'prod' });
  expect(step.log).toContain('Pushed the state.');
  expect(remoteHas(file)).toBe(stateOf(2).trim());
  expect(remoteLog()[0]).toMatch(/^Almanac state of prod after [0-9a-f]+ \[skip ci\]$/);
  expect(git(checkout, 'show', '--name-only', '--format=', 'HEAD')).toBe(file);
});

test('nothing is committed if the state is unchanged', async () => {
  const { push, remoteLog } = opened();
  expect((await push()).code).toBe(0);
  expect(remoteLog()).toEqual(['first']);
});

test('the journal of a killed run is committed, and removed after it is folded', async () => {
  const { runner, push, remoteHas } = opened();
  runner.write({ [`${file}.journal`]: '{"type":"header"}\n' });
  expect((await push()).code).toBe(0);
  expect(remoteHas(`${file}.journal`)).toBe('{"type":"header"}');
  spawnSync('rm', [join(runner.path, `${file}.journal`)]);
  runner.write({ [file]: stateOf(2) });
  expect((await push()).code).toBe(0);
  expect(() => remoteHas(`${file}.journal`)).toThrow();
});

test.each([{ shallow: false }, { shallow: true }])(
  'the state is committed on top of other commits, %o',
  async (kind) => {
    const { runner, push, remoteHas, remoteLog, other } = opened(kind);
    other('README.md', 'words\n');
    runner.write({ [file]: stateOf(2), 'schedules/a.yaml': 'changed: 1' });
    expect((await push()).code).toBe(0);
    expect(remoteHas(file)).toBe(stateOf(2).trim());
    expect(remoteHas('README.md')).toBe('words');
    expect(remoteLog()[1]).toBe('other README.md');
  },
);

test('two states are never merged, and the own state is put aside', async () => {
  const { runner, push, remoteHas, other } = opened();
  other(file, stateOf(2, 'theirs'));
  runner.write({ [file]: stateOf(2, 'ours') });
  const step = await push();
  expect(step.code).toBe(1);
  expect(step.log).toContain('::error title=Almanac::Another state was pushed');
  expect(step.summary).toContain('The state was not pushed.');
  expect(remoteHas(file)).toBe(stateOf(2, 'theirs').trim());
  const kept = step.outputs['unpushed-state-path'] ?? '';
  expect(existsSync(kept)).toBe(true);
  expect(readFileSync(kept, 'utf8')).toBe(stateOf(2, 'ours'));
});

test('a branch that accepts no push is reported without the address of the remote', async () => {
  const { runner, push, checkout } = opened();
  git(checkout, 'remote', 'set-url', 'origin', 'https://x-access-token:ghs_secret@127.0.0.1:1/none.git');
  runner.write({ [file]: stateOf(2) });
  const step = await push();
  expect(step.code).toBe(1);
  expect(step.log + step.summary).not.toContain('ghs_secret');
});

test.each(['refs/tags/v1', 'refs/pull/7/merge'])('the state is not pushed to %s', async (ref) => {
  const { runner, push } = opened();
  runner.write({ [file]: stateOf(2) });
  const step = await push({ GITHUB_REF: ref });
  expect(step.code).toBe(1);
  expect(step.log).toContain('This run does not belong to a branch');
});
