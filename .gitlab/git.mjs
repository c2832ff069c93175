// git for the jobs that push. The credential reaches git through a helper that reads the environment: it is in no command
// line, no file and no URL.

import { spawnSync } from 'node:child_process';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { redact } from './job.mjs';

/** `printf` is a builtin of the shell, so the token is no argument of a process either. */
const helper = `!f() { test "$1" = get && printf 'username=almanac\\npassword=%s\\n' "$STATE_PUSH_TOKEN"; }; f`;
const author = [
  '-c',
  'user.name=Almanac',
  '-c',
  `user.email=almanac@noreply.${process.env.CI_SERVER_HOST || 'example.com'}`,
];

/** Where the state is pushed, and to which branch. */
export function readTarget(env = process.env) {
  if (!env.STATE_PUSH_TOKEN)
    throw new Refusal(
      'STATE_PUSH_TOKEN is not set. Set it as a protected and masked variable of the environment almanac-state.',
    );
  const branch = env.CI_DEFAULT_BRANCH ?? '';
  const { username, password } = new URL(env.CI_PROJECT_URL ?? '');
  if (username !== '' || password !== '' || tryGit('.', ['check-ref-format', '--branch', branch]).status !== 0)
    throw new Refusal('CI_PROJECT_URL and CI_DEFAULT_BRANCH do not name a repository and its branch.');
  return { url: `${env.CI_PROJECT_URL}.git`, branch };
}

/** Pushes HEAD. Resolves to what git said if it was refused, without secrets; undefined if it was not. */
export function push(cwd, { url, branch }, options = []) {
  const pushing = ['-c', 'credential.helper=', '-c', `credential.helper=${helper}`, 'push', ...options];
  const { status, stderr } = tryGit(cwd, [...pushing, url, `HEAD:refs/heads/${branch}`]);
  return status === 0 ? undefined : redact(stderr.trim());
}

export function commitAs(cwd, message, files) {
  return runGit(cwd, [...author, 'commit', '--quiet', '--no-verify', '-m', message, '--only', '--', ...files]);
}

export function runGit(cwd, args) {
  const { status, stdout, stderr } = tryGit(cwd, args);
  const command = args.find((arg, index) => /^[a-z-]{3,}$/.test(arg) && args[index - 1] !== '-c');
  if (status !== 0) throw new Refusal(`git ${command} failed: ${redact(stderr.trim())}`);
  return stdout.trim();
}

export function tryGit(cwd, args) {
  return spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
}
