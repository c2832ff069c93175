// A repository on a server, with real git, and the checkout of a runner. People work in the server's own working tree,
// because a clone would make each commit a fetch and a push.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../workspace.ts';

/** A text, or undefined to remove the file. */
export type Files = Readonly<Record<string, string | undefined>>;

export interface Repository {
  readonly url: string;
  /** Commits to a branch on the server and returns the commit. A new branch starts at main. */
  commit(files: Files, options?: { readonly branch?: string; readonly words?: string }): string;
  /** Merges a branch into main as GitHub does, and returns the commit on main. */
  merge(branch: string, how?: 'merge' | 'squash' | 'rebase'): string;
  /** Commits to main as `git fast-import` reads them. */
  import(input: string): void;
  /** The commits of main since another one, newest first. */
  since(commit: string): readonly string[];
  /** The commit of a pull request that GitHub would plan: its branch merged into main, without a push to main. */
  mergeRef(branch: string, number: number): string;
  /** As the button "Update branch" does: merges main into the branch, and returns the commit on the branch. */
  update(branch: string): string;
  /** Puts a runner's checkout, or a clone, at a ref of the server. Files that git does not know are removed, except bin. */
  checkOut(folder: { readonly path: string }, options?: { readonly ref?: string; readonly depth?: number }): string;
  /** A file on main. */
  has(path: string): string;
  /** What git says on the server; undefined where it fails. */
  ask(...args: readonly string[]): string | undefined;
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
  const folder = makeFolder();
  const tree = folder.path;
  const url = `file://${join(tree, '.git')}`;
  git(tree, 'init', '--quiet');
  const written = (changes: Files) => {
    for (const [path, text] of Object.entries(changes)) {
      const file = join(tree, path);
      if (text === undefined) rmSync(file);
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
      }
    }
    git(tree, 'add', '--all', '--force');
  };
  const gitFile = (path: string) => join(tree, '.git', path);
  const at = (branch: string) => {
    const exists = existsSync(gitFile(`refs/heads/${branch}`));
    git(tree, 'checkout', '--quiet', '--force', '--detach', exists ? branch : 'main');
  };
  const recorded = (ref: string) => {
    git(tree, 'update-ref', ref, 'HEAD');
    // On no branch, so it holds the commit.
    return readFileSync(gitFile('HEAD'), 'utf8').trim();
  };
  written(files);
  git(tree, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  // On no branch, so that runners can push to all of them.
  git(tree, 'checkout', '--quiet', '--detach');
  return {
    url,
    commit: (changes, { branch = 'main', words = 'words' } = {}) => {
      at(branch);
      written(changes);
      git(tree, 'commit', '--quiet', '--allow-empty', '-m', words);
      return recorded(`refs/heads/${branch}`);
    },
    merge: (branch, how = 'squash') => {
      at('main');
      if (how === 'merge') git(tree, 'merge', '--quiet', '--no-ff', '-m', `Merge ${branch}`, branch);
      else if (how === 'rebase') git(tree, 'cherry-pick', `main..${branch}`);
      else {
        git(tree, 'merge', '--quiet', '--squash', branch);
        git(tree, 'commit', '--quiet', '--allow-empty', '-m', `${branch}, squashed`);
      }
      return recorded('refs/heads/main');
    },
    import: (input) => void spawnSync('git', ['fast-import', '--quiet'], { cwd: tree, input }),
    since: (commit) => git(tree, 'rev-list', '--first-parent', `${commit}..main`).split('\n'),
    mergeRef: (branch, number) => {
      at('main');
      git(tree, 'merge', '--quiet', '--no-ff', '-m', `Merge ${branch} into main`, branch);
      return recorded(`refs/pull/${number}/merge`);
    },
    update: (branch) => {
      at(branch);
      git(tree, 'merge', '--quiet', '--no-ff', '-m', `Merge main into ${branch}`, 'main');
      return recorded(`refs/heads/${branch}`);
    },
    checkOut: ({ path }, { ref = 'refs/heads/main', depth } = {}) => {
      if (!existsSync(join(path, '.git'))) {
        git(path, 'init', '--quiet');
        git(path, 'config', 'remote.origin.url', url);
      }
      git(path, 'fetch', '--quiet', ...(depth === undefined ? [] : [`--depth=${depth}`]), 'origin', ref);
      git(path, 'checkout', '--quiet', '--force', '-B', 'main', 'FETCH_HEAD');
      git(path, 'clean', '--quiet', '--force', '-dx', '--exclude=/bin');
      return readFileSync(join(path, '.git/refs/heads/main'), 'utf8').trim();
    },
    has: (path) => git(tree, 'show', `main:${path}`),
    ask: (...args) => {
      const { status, stdout } = spawnSync('git', args, { cwd: tree, encoding: 'utf8' });
      return status === 0 ? stdout.trim() : undefined;
    },
    log: () => git(tree, 'log', '--first-parent', '--format=%s', 'main').split('\n'),
    protect: () => writeFileSync(join(tree, '.git', 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 }),
  };
}
