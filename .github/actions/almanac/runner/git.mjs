// Runs git in a folder. Its output is not shown, because the URL of a remote may contain a token; the GitHub token of the
// step does not reach it.

import { spawnSync } from 'node:child_process';
import { isCommit } from './event.mjs';
import { Refusal } from './inputs.mjs';

/** A folder of a fork may look like a repository, and its configuration may name programs to run. */
const onlyOwn = ['-c', 'safe.bareRepository=explicit'];

/** Runs git as a process. A step has this as `git`. */
export function runGit(args, options) {
  return spawnSync('git', args, { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** `env` adds variables. */
export function openGit(step, cwd) {
  const { GITHUB_TOKEN: _, ...inherited } = step.env;
  const run = (args, { env = {} } = {}) =>
    step.git([...onlyOwn, ...args], { cwd, env: { ...inherited, GIT_TERMINAL_PROMPT: '0', ...env } });
  return {
    /** Its stdout, or a refusal that names the command. */
    git: (args, options) => {
      const { status, stdout } = run(args, options);
      if (status !== 0) throw new Refusal(`git ${args.find((arg) => /^[a-z-]+$/.test(arg) && arg !== '-c')} failed.`);
      return stdout.trim();
    },
    /** Its stdout; undefined if it failed. */
    tryGit: (args, options) => {
      const { status, stdout } = run(args, options);
      return status === 0 ? stdout.trim() : undefined;
    },
    /** The text of a file in a commit, with every blank; undefined if it is not there. */
    textAt: (commit, path) => {
      const { status, stdout } = run(['show', `${commit}:${path}`]);
      return status === 0 ? stdout : undefined;
    },
  };
}

/** The commit that is checked out; undefined if the folder belongs to no repository. */
export function headOf(step, cwd) {
  const commit = openGit(step, cwd).tryGit(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return isCommit(commit) ? commit : undefined;
}

/**
 * Variables that give git these settings, as pairs, after those that the job gives it in the same way. Others can read the
 * arguments of a process, and not its environment.
 */
export function gitSettings({ env }, pairs) {
  const first = Number(env.GIT_CONFIG_COUNT) || 0;
  const settings = pairs.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(first + pairs.length), ...Object.fromEntries(settings) };
}
