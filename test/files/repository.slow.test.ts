// What git knows of a folder, compared with repositories that git itself made.

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { isUnmerged } from '../../src/files/repository.ts';
import { commitAll, gitIn } from '../support/git.ts';
import { makeFolder } from '../support/workspace.ts';

function repositoryOf(files: Readonly<Record<string, string>>, ...init: readonly string[]) {
  const folder = makeFolder(files);
  const git = gitIn(folder.path);
  git('init', '-q', ...init);
  commitAll(git);
  const repository = async (at = '.') => {
    const found = (await openWorkspace({ cwd: join(folder.path, at) })).repository();
    if (found === undefined) throw new Error('no repository');
    return found;
  };
  return { ...folder, git, repository };
}

it.each([[[]], [['--object-format=sha256']]])(
  'a file that git has is unchanged until it is edited (init %j)',
  async (init) => {
    const { git, write, repository } = repositoryOf({ 'state.json': '{}\n' }, ...init);
    expect(await repository()).toMatchObject({ branch: 'main' });
    expect(await (await repository()).statusOf('state.json')).toBe('unchanged');
    write({ 'state.json': '{"a":1}\n', 'new.json': '{}' });
    expect(await (await repository()).statusOf('state.json')).toBe('changed');
    expect(await (await repository()).statusOf('new.json')).toBe('untracked');
    git('add', '-A');
    expect(await (await repository()).statusOf('new.json')).toBe('unchanged');
  },
);

it.each([[[]], [['--object-format=sha256']]])(
  'a file is tracked if git says so, whatever the version of the index, and in one that is split (init %j)',
  async (init) => {
    const { path, git } = repositoryOf({ 'state.json': '{}\n', '.gitignore': 'journal\n', link: '' }, ...init);
    const workspace = await openWorkspace({ cwd: path });
    for (const version of ['2', '4']) {
      git('update-index', '--no-split-index', '--index-version', version);
      expect(await workspace.isTracked('state.json')).toBe(true);
      expect(await workspace.isTracked('STATE.json')).toBe(true);
      expect(await workspace.isTracked('journal')).toBe(false);
      git('update-index', '--split-index');
      expect(await workspace.isTracked('state.json')).toBe(true);
      expect(await workspace.isTracked('journal')).toBe(false);
    }
  },
);

it('a file that was checked out with the line ends of Windows is unchanged', async () => {
  const { write, repository } = repositoryOf({ 'state.json': '{\n}\n' });
  write({ 'state.json': '{\r\n}\r\n' });
  expect(await (await repository()).statusOf('state.json')).toBe('unchanged');
});

it('a link that git tracks is not taken for a changed file', async () => {
  const { path, git, repository } = repositoryOf({ 'real.json': '{}\n' });
  symlinkSync('real.json', join(path, 'state.json'));
  git('add', '-A');
  expect(await (await repository()).statusOf('state.json')).toBe('unchanged');
});

it('a checkout without a branch has a commit, as in CI', async () => {
  const { git, repository } = repositoryOf({ a: '' });
  git('checkout', '-q', '--detach');
  expect(await repository()).toMatchObject({ commit: git('rev-parse', 'HEAD') });
  expect(await repository()).not.toHaveProperty('branch');
});

it('a merge in conflict is unfinished, and its file unmerged', async () => {
  const { path, git, write, repository } = repositoryOf({ 'state.json': '0', 'far/state.json': '0' });
  git('checkout', '-qb', 'other');
  write({ 'state.json': '1' });
  git('commit', '-qam', 'other');
  git('checkout', '-q', 'main');
  write({ 'state.json': '2' });
  git('commit', '-qam', 'main');
  expect((await repository())?.unfinished).toBeUndefined();
  expect(() => git('merge', 'other')).toThrow();
  expect(await repository()).toMatchObject({ branch: 'main', unfinished: 'merge' });
  expect(await (await repository()).statusOf('state.json')).toBe('unmerged');
  for (const version of ['2', '3', '4']) {
    git('update-index', '--index-version', version);
    // Version 3 is written only where an entry needs it.
    if (version === '3') git('update-index', '--skip-worktree', 'far/state.json');
    expect(await isUnmerged(join(path, 'state.json'))).toBe(true);
    expect(await isUnmerged(join(path, 'STATE.json'))).toBe(true);
    expect(await isUnmerged(join(path, 'far/state.json'))).toBe(false);
  }
  git('update-index', '--split-index', '--index-version', '2');
  expect(await isUnmerged(join(path, 'state.json'))).toBe(true);
});

it('a stash that is in conflict leaves its file unmerged, though nothing is unfinished', async () => {
  const { path, git, write, repository } = repositoryOf({ 'state.json': '0', '.gitattributes': '*.json -merge' });
  write({ 'state.json': 'applied here' });
  git('stash');
  write({ 'state.json': 'applied elsewhere' });
  git('commit', '-qam', 'elsewhere');
  expect(await isUnmerged(join(path, 'state.json'))).toBe(false);
  expect(() => git('stash', 'pop')).toThrow();
  expect((await repository()).unfinished).toBeUndefined();
  expect(await isUnmerged(join(path, 'state.json'))).toBe(true);
});

it('an index that ends before it says anything has no file in conflict', async () => {
  const { path, write } = repositoryOf({ 'state.json': '0' });
  for (const index of ['', 'DIRC', 'DIRC\0\0', 'pipe']) {
    write({ '.git/index': index });
    expect(await isUnmerged(join(path, 'state.json'))).toBe(false);
  }
});

it('a worktree has a branch and an index of its own', async () => {
  const { git, write, repository } = repositoryOf({ 'state.json': '{}' });
  git('worktree', 'add', '-q', 'tree', '-b', 'other');
  write({ 'tree/state.json': '{"a":1}' });
  expect(await repository('tree')).toMatchObject({ branch: 'other' });
  expect(await (await repository('tree')).statusOf('state.json')).toBe('changed');
  expect(await (await repository()).statusOf('state.json')).toBe('unchanged');
});

it('a file elsewhere is outside, and a folder without git has no repository', async () => {
  const elsewhere = makeFolder({ 'state.json': '{}' });
  const { repository } = repositoryOf({ a: '' });
  expect(await (await repository()).statusOf(join(elsewhere.path, 'state.json'))).toBe('outside');
  expect((await openWorkspace({ cwd: elsewhere.path })).repository()).toBeUndefined();
  mkdirSync(join(elsewhere.path, '.git'));
  expect((await openWorkspace({ cwd: elsewhere.path })).repository()).toBeUndefined();
});
