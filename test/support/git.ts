// Runs git in a folder, as somebody who has no settings but these.

import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './workspace.ts';

const author = ['user.name=a', 'user.email=a@example.com'];
/** Git starts no other program to clean up. */
const calm = ['maintenance.auto=false', 'gc.auto=0'];
const settings = [...author, ...calm, 'init.defaultBranch=main'].flatMap((setting) => ['-c', setting]);

/** Gives what git prints, without the blanks around it. */
export type Git = (...argv: readonly string[]) => string;

export function gitIn(path: string, environment: Readonly<Record<string, string>> = {}): Git {
  const usual = { PATH: process.env['PATH'], HOME: path, GIT_CONFIG_NOSYSTEM: '1', GIT_ALLOW_PROTOCOL: 'file' };
  const env = { ...usual, ...environment };
  return (...argv) =>
    execFileSync('git', [...settings, ...argv], { cwd: path, stdio: 'pipe', encoding: 'utf8', env }).trim();
}

/** Commits all that is below the folder of that git, and gives the id of the commit. */
export function commitAll(git: Git, message = 'a commit'): string {
  git('add', '-A');
  git('commit', '-qm', message);
  return git('rev-parse', 'HEAD');
}

/** The path of an empty repository, which is removed when the test ends. */
export function makeRemote(): string {
  const { path } = makeFolder();
  const remote = join(path, 'remote.git');
  gitIn(path)('init', '-q', '--bare', remote);
  appendFileSync(join(remote, 'config'), '[receive]\n\tautogc = false\n');
  return remote;
}
