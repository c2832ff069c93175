// Runs git in a folder. Its output is not shown, because the URL of a remote may contain a token; the GitHub token of
// the step does not reach it.

import { spawnSync } from 'node:child_process';
import type { Variables } from '../../../model/outside.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { AskGit, Step } from '../step.ts';
import { isCommit } from './inputs.ts';

/** A folder of a fork may look like a repository, and its configuration may name programs to run. */
const onlyOwn = ['-c', 'safe.bareRepository=explicit'];

export const runGit: AskGit = (args, options) =>
  spawnSync('git', args, { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

interface GitOptions {
  readonly env?: Variables;
}

export interface Git {
  /** Returns stdout, or throws a failure that names the command. */
  git(args: readonly string[], options?: GitOptions): string;
  /** Returns stdout; undefined if git failed. */
  tryGit(args: readonly string[], options?: GitOptions): string | undefined;
  /** Fetches a commit, alone into a shallow clone. Returns false if the clone still lacks it. */
  fetchCommit(commit: string, options?: GitOptions): boolean;
}

export function openGit(step: Pick<Step, 'env' | 'git'>, cwd: string): Git {
  const { GITHUB_TOKEN: _, ...inherited } = step.env;
  const run = (args: readonly string[], { env = {} }: GitOptions = {}) =>
    step.git([...onlyOwn, ...args], { cwd, env: { ...inherited, GIT_TERMINAL_PROMPT: '0', ...env } });
  const tryGit: Git['tryGit'] = (args, options) => {
    const { status, stdout } = run(args, options);
    return status === 0 ? stdout.trim() : undefined;
  };
  return {
    git: (args, options) => {
      const { status, stdout } = run(args, options);
      if (status !== 0)
        throw new Failure('usage', `git ${args.find((arg) => /^[a-z-]+$/.test(arg) && arg !== '-c')} failed.`);
      return stdout.trim();
    },
    tryGit,
    fetchCommit: (commit, options) => {
      const isThere = () => tryGit(['cat-file', '-e', `${commit}^{commit}`], options) !== undefined;
      if (isThere()) return true;
      const depth = tryGit(['rev-parse', '--is-shallow-repository']) === 'true' ? ['--depth=1'] : [];
      tryGit(['fetch', '--quiet', '--no-tags', ...depth, 'origin', commit], options);
      return isThere();
    },
  };
}

/** The commit that is checked out; undefined if the folder belongs to no repository. */
export function headOf(step: Pick<Step, 'env' | 'git'>, cwd: string): string | undefined {
  const commit = openGit(step, cwd).tryGit(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return isCommit(commit) ? commit : undefined;
}
