// Remotes and clones for the state branch: made by the git binary, with settings that no machine's own change.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  remove(): void;
}

export const stateBranch = 'almanac-state';

export function makeGitStage(init: readonly string[] = []): GitStage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'almanac-git-test-')));
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Ana\n\temail = ana@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    TMPDIR: process.env['TMPDIR'],
  };
  const remote = join(folder, 'remote.git');
  const git = (where: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-C', where, ...args], { env: environment, encoding: 'utf8', stdio: 'pipe' }).trim();
  git(folder, 'init', '--quiet', '--bare', ...init, remote);
  const first = join(folder, 'first');
  git(folder, 'init', '--quiet', ...init, first);
  writeFileSync(join(first, 'almanac.yaml'), '{}\n');
  git(first, 'add', '.');
  git(first, 'commit', '--quiet', '--message', 'Begin');
  git(first, 'push', '--quiet', remote, 'HEAD:main');
  return {
    folder,
    remote,
    environment,
    git,
    clone: (name, url) => {
      const path = join(folder, name);
      git(folder, 'clone', '--quiet', remote, path);
      if (url !== undefined) git(path, 'remote', 'set-url', 'origin', url);
      return path;
    },
    log: (...args) => git(remote, 'log', stateBranch, ...args),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
