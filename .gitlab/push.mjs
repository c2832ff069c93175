// How the jobs that push reach the branch. The credential comes from a helper that reads the environment: it is in no
// command line, no file and no URL.

import { openGit } from '../.github/actions/almanac/runner/git.mjs';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { redact } from './job.mjs';

/** `printf` is a builtin of the shell, so the token is no argument of a process either. */
const helper = `!f() { test "$1" = get && printf 'username=almanac\\npassword=%s\\n' "$STATE_PUSH_TOKEN"; }; f`;
/** An empty value drops the helpers of the runner, which know another credential. */
const credentials = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'credential.helper',
  GIT_CONFIG_VALUE_0: '',
  GIT_CONFIG_KEY_1: 'credential.helper',
  GIT_CONFIG_VALUE_1: helper,
};

/** The branch, and a function that pushes a commit to it and returns the words of a refusal, without secrets. */
export function openBranch(checkout, env = process.env) {
  if (!env.STATE_PUSH_TOKEN)
    throw new Refusal(
      'STATE_PUSH_TOKEN is not set. Set it as a protected and masked variable of the environment almanac-state.',
    );
  const { tryGit, refusalOf } = openGit(checkout);
  const branch = env.CI_DEFAULT_BRANCH ?? '';
  const [, scheme, rest] = /^(https?:\/\/)([^@]+)$/.exec(env.CI_PROJECT_URL ?? '') ?? [];
  if (rest === undefined || tryGit(['check-ref-format', '--branch', branch]) === undefined)
    throw new Refusal('CI_PROJECT_URL and CI_DEFAULT_BRANCH do not name a repository and its branch.');
  // Without a user name it would be the address of `origin`, for which the runner's configuration of git sets in the
  // credential of the job. That one may not push.
  const remote = `${scheme}almanac@${rest}.git`;
  return {
    branch,
    push: (commit, options = []) => {
      const args = ['push', ...options, remote, `${commit}:refs/heads/${branch}`];
      const refused = refusalOf(args, { env: credentials });
      return refused === undefined ? undefined : redact(refused);
    },
  };
}
