// A repository on a server, with real git, and the checkout of a runner. What people commit is imported into the
// repository of the server, because a clone would make each commit a fetch and a push.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Without a look at what could be packed, which would be a process more for each commit and fetch. */
const settings = ['user.name=Ana', 'user.email=ana@example.com', 'init.defaultBranch=main', 'maintenance.auto=false'];

function start(cwd: string, args: readonly string[], input?: string): string {
  const given = [...settings.flatMap((setting) => ['-c', setting]), ...args];
  const { status, stdout, stderr } = spawnSync('git', given, { cwd, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

export function git(cwd: string, ...args: readonly string[]): string {
  return start(cwd, args);
}

/** What `git init` makes, without its process, samples of hooks, and later looks at what could be packed. */
export function initialize(path: string, config = ''): void {
  for (const folder of ['objects', 'refs/heads', 'hooks']) mkdirSync(join(path, '.git', folder), { recursive: true });
  const core = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogAllRefUpdates = true\n';
  const calm = '[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n';
  writeFileSync(join(path, '.git/config'), `${core}${calm}${config}`);
  writeFileSync(join(path, '.git/HEAD'), 'ref: refs/heads/main\n');
}

/** Changes of files as `git fast-import` reads them. */
function changesOf(files: Files): string {
  const change = (path: string, text: string | undefined) =>
    text === undefined ? `D ${path}\n` : `M ${text.startsWith('#!') ? '755' : '644'} inline ${path}\n${dataOf(text)}`;
  return Object.entries(files)
    .map(([path, text]) => change(path, text))
    .join('');
}

const dataOf = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

export function openRepository(files: Files = {}): Repository {
  const { path: tree } = makeFolder();
  const url = `file://${join(tree, '.git')}`;
  const gitFile = (path: string) => join(tree, '.git', path);
  const has = (branch: string) => existsSync(gitFile(`refs/heads/${branch}`));
  const imported = (branch: string, words: string, changes: Files) => {
    const from = has(branch) ? branch : 'main';
    const head = `commit refs/heads/${branch}\nmark :1\ncommitter Ana <ana@example.com> now\n${dataOf(words)}`;
    const parent = has(from) ? `from refs/heads/${from}^0\n` : '';
    const input = `${head}${parent}${changesOf(changes)}\nget-mark :1\n`;
    return start(tree, ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--date-format=now'], input);
  };
  const record = (ref: string, commit: string) => {
    mkdirSync(dirname(gitFile(ref)), { recursive: true });
    writeFileSync(gitFile(ref), `${commit}\n`);
    return commit;
  };
  /** The commit that merges the second branch into the first, which is one of no branch so far. */
  const merged = (into: string, from: string, words: string, isSquashed = false) => {
    const content = git(tree, 'merge-tree', '--write-tree', `refs/heads/${into}`, `refs/heads/${from}`);
    const parents = isSquashed ? [into] : [into, from];
    return git(
      tree,
      'commit-tree',
      content,
      ...parents.flatMap((parent) => ['-p', `refs/heads/${parent}`]),
      '-m',
      words,
    );
  };
  initialize(tree);
  // On no branch, so that runners can push to all of them.
  writeFileSync(gitFile('HEAD'), `${imported('main', 'first', files)}\n`);
  return {
    url,
    commit: (changes, { branch = 'main', words = 'words' } = {}) => imported(branch, words, changes),
    merge: (branch, how = 'squash') => {
      if (how === 'rebase') {
        git(tree, 'checkout', '--quiet', '--force', '--detach', 'main');
        git(tree, 'cherry-pick', `main..${branch}`);
        return record('refs/heads/main', git(tree, 'rev-parse', 'HEAD'));
      }
      const words = how === 'merge' ? `Merge ${branch}` : `${branch}, squashed`;
      return record('refs/heads/main', merged('main', branch, words, how === 'squash'));
    },
    import: (input) => void start(tree, ['fast-import', '--quiet'], input),
    since: (commit) => git(tree, 'rev-list', '--first-parent', `${commit}..main`).split('\n'),
    mergeRef: (branch, number) =>
      record(`refs/pull/${number}/merge`, merged('main', branch, `Merge ${branch} into main`)),
    update: (branch) => record(`refs/heads/${branch}`, merged(branch, 'main', `Merge main into ${branch}`)),
    checkOut: ({ path }, { ref = 'refs/heads/main', depth } = {}) => {
      if (!existsSync(join(path, '.git'))) initialize(path, `[remote "origin"]\n\turl = ${url}\n`);
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
