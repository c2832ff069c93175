// Remotes and clones for the state branch: made by the git binary, with settings that no machine's own change.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunGit, runGit } from '../../../src/files/git.ts';
import { type GitLogOptions, openGitLog } from '../../../src/state/git/git-log.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import { makeInstantClock } from '../fake-clock.ts';
import { placeOf } from './place-of.ts';

export interface GitStage {
  readonly folder: string;
  /** A bare repository with a branch main. */
  readonly remote: string;
  /** The environment of an ordinary user without any configuration. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  git(folder: string, ...args: readonly string[]): string;
  /** A clone of it, or with another address as its origin. */
  clone(name: string, url?: string): string;
  /** What the remote holds of the state branch. */
  log(...args: readonly string[]): string;
  /** The log of the state branch, as the clone in that folder opens it. */
  open(root: string, options?: Partial<GitLogOptions>): Promise<StateLog>;
  remove(): void;
  /** Closes the logs, then removes all. */
  close(): Promise<void>;
}

export const stateBranch = 'almanac-state';
export const statePlace = placeOf({ backend: 'git' });

/** The folders that each stage starts as a copy of: several programs make them. */
const beginnings = new Map<string, string>();

export function makeGitStage(init: readonly string[] = []): GitStage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'almanac-git-test-')));
  const environment = {
    PATH: process.env['PATH'],
    HOME: join(folder, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    TMPDIR: process.env['TMPDIR'],
  };
  const remote = join(folder, 'remote.git');
  const git = (where: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-C', where, ...args], { env: environment, encoding: 'utf8', stdio: 'pipe' }).trim();
  const beginning = beginnings.get(init.join());
  if (beginning === undefined) {
    begin(folder, (...args) => git(folder, ...args), init);
    const kept = mkdtempSync(join(tmpdir(), 'almanac-git-test-'));
    cpSync(folder, kept, { recursive: true });
    process.once('exit', () => rmSync(kept, { recursive: true, force: true }));
    beginnings.set(init.join(), kept);
  } else cpSync(beginning, folder, { recursive: true });
  const logs: StateLog[] = [];
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return {
    folder,
    remote,
    environment,
    git,
    clone: (name, url) => {
      const path = join(folder, name);
      git(folder, 'clone', '--quiet', '--template=', remote, path);
      mkdirSync(join(path, '.git', 'hooks'));
      if (url !== undefined) git(path, 'remote', 'set-url', 'origin', url);
      return path;
    },
    log: (...args) => git(remote, 'log', stateBranch, ...args),
    open: async (root, options) => {
      const log = await openGitLog({ place: statePlace, root, clock: makeInstantClock(), environment, ...options });
      logs.push(log);
      return log;
    },
    remove,
    close: async () => {
      for (const log of logs) await log.close();
      remove();
    },
  };
}

function begin(folder: string, git: (...args: readonly string[]) => string, init: readonly string[]): void {
  const home = join(folder, 'home');
  mkdirSync(home);
  const calm = '[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n';
  writeFileSync(
    join(home, '.gitconfig'),
    `[user]\n\tname = Ana\n\temail = ana@example.com\n[init]\n\tdefaultBranch = main\n${calm}`,
  );
  git('init', '--quiet', '--bare', '--template=', ...init, 'remote.git');
  mkdirSync(join(folder, 'remote.git', 'hooks'));
  const first = join(folder, 'first');
  git('init', '--quiet', '--template=', ...init, first);
  writeFileSync(join(first, 'almanac.yaml'), '{}\n');
  git('-C', first, 'add', '.');
  git('-C', first, 'commit', '--quiet', '--message', 'Begin');
  git('-C', first, 'push', '--quiet', join(folder, 'remote.git'), 'HEAD:main');
  rmSync(first, { recursive: true });
}

/** What a run of git was given, to be seen by a test. */
export interface Watched {
  readonly run: RunGit;
  readonly calls: (readonly string[])[];
  /** In which git ran. */
  readonly folders: Set<string>;
  /** The arguments of every program that git itself has started, as its trace tells them. */
  programs(): string;
}

export function watch(folder: string): Watched {
  const calls: (readonly string[])[] = [];
  const trace = join(folder, 'trace.txt');
  writeFileSync(trace, '');
  const folders = new Set<string>();
  return {
    calls,
    folders,
    programs: () => readFileSync(trace, 'utf8'),
    run: (args, options) => {
      calls.push(args);
      folders.add(options.folder);
      return runGit(args, { ...options, environment: { ...options.environment, GIT_TRACE: trace } });
    },
  };
}

/** Every file below a folder, with its content and the time of its last change. */
export function snapshotOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    files.map((file) => {
      const stats = statSync(join(folder, file));
      const content = stats.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, file)))
            .digest('hex')
        : 'folder';
      return [file, `${content} ${stats.mtimeMs}`];
    }),
  );
}
