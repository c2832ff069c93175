// A repository on a server, with real git: a bare repository, a clone in which people work, and the checkout of a runner.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../workspace.ts';
import type { FakeRunner } from './fake-runner.ts';

/** A text, or undefined to remove the file. */
export type Files = Readonly<Record<string, string | undefined>>;

export interface Repository {
  readonly url: string;
  /** Commits to a branch on the server and returns the commit. A new branch starts at main. */
  commit(files: Files, options?: { readonly branch?: string; readonly words?: string }): string;
  /** Merges a branch into main as GitHub does, and returns the commit on main. */
  merge(branch: string, how?: 'merge' | 'squash'): string;
  /** The commit of a pull request that GitHub would plan: its branch merged into main, without a push to main. */
  mergeRef(branch: string, number: number): string;
  /** Puts the runner's checkout at a ref of the server. Files that git does not know are removed, except bin. */
  checkOut(runner: FakeRunner, options?: { readonly ref?: string; readonly depth?: number }): string;
  /** A file on main. */
  has(path: string): string;
  /** The subjects of main, newest first. */
  log(): readonly string[];
  /** Refuses every push from now on, as a protected branch does. */
  protect(): void;
}

export function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', '-c', 'init.defaultBranch=main'];
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

export function openRepository(files: Files = {}): Repository {
  const folder = makeFolder({ 'clone/.keep': '' });
  const [bare, clone] = [join(folder.path, 'remote.git'), join(folder.path, 'clone')];
  const url = `file://${bare}`;
  git(folder.path, 'init', '--quiet', '--bare', 'remote.git');
  git(clone, 'init', '--quiet');
  git(clone, 'remote', 'add', 'origin', url);
  const written = (changes: Files) => {
    for (const [path, text] of Object.entries(changes)) {
      const file = join(clone, path);
      if (text === undefined) rmSync(file);
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
      }
    }
    git(clone, 'add', '--all', '--force');
  };
  const at = (branch: string) => {
    git(clone, 'fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    const exists = git(clone, 'branch', '--remotes', '--list', `origin/${branch}`) !== '';
    git(clone, 'checkout', '--quiet', '--force', '-B', branch, `origin/${exists ? branch : 'main'}`);
  };
  const pushed = (ref: string) => {
    git(clone, 'push', '--quiet', 'origin', `+HEAD:${ref}`);
    return git(clone, 'rev-parse', 'HEAD');
  };
  written(files);
  git(clone, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  pushed('refs/heads/main');
  return {
    url,
    commit: (changes, { branch = 'main', words = 'words' } = {}) => {
      at(branch);
      written(changes);
      git(clone, 'commit', '--quiet', '--allow-empty', '-m', words);
      return pushed(`refs/heads/${branch}`);
    },
    merge: (branch, how = 'squash') => {
      at('main');
      if (how === 'merge') git(clone, 'merge', '--quiet', '--no-ff', '-m', `Merge ${branch}`, `origin/${branch}`);
      else {
        git(clone, 'merge', '--quiet', '--squash', `origin/${branch}`);
        git(clone, 'commit', '--quiet', '--allow-empty', '-m', `${branch}, squashed`);
      }
      return pushed('refs/heads/main');
    },
    mergeRef: (branch, number) => {
      at('main');
      git(clone, 'checkout', '--quiet', '--detach');
      git(clone, 'merge', '--quiet', '--no-ff', '-m', `Merge ${branch} into main`, `origin/${branch}`);
      return pushed(`refs/pull/${number}/merge`);
    },
    checkOut: ({ path }, { ref = 'refs/heads/main', depth } = {}) => {
      git(path, 'init', '--quiet');
      git(path, 'config', 'remote.origin.url', url);
      git(path, 'fetch', '--quiet', ...(depth === undefined ? [] : [`--depth=${depth}`]), 'origin', ref);
      git(path, 'checkout', '--quiet', '--force', '-B', 'main', 'FETCH_HEAD');
      git(path, 'clean', '--quiet', '--force', '-dx', '--exclude=/bin');
      return git(path, 'rev-parse', 'HEAD');
    },
    has: (path) => git(bare, 'show', `main:${path}`),
    log: () => git(bare, 'log', '--first-parent', '--format=%s', 'main').split('\n'),
    protect: () => writeFileSync(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 }),
  };
}
