// How the jobs that push reach the branch. The credential comes from a helper that reads the environment: it is in no
// command line, no file and no URL.

import { openGit } from '../.github/actions/almanac/runner/git.mjs';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { redact } from './job.mjs';

/** `printf` is a builtin of the shell, so the token is no argument of a process either. */
const helperFor = (variable) =>
  `!f() { test "$1" = get && printf 'username=almanac\\npassword=%s\\n' "$${variable}"; }; f`;
/** An empty value drops the helpers of the runner, which know another credential. */
const helpersFor = (variable) => [
  ['credential.helper', ''],
  ['credential.helper', helperFor(variable)],
];
const credentials = settingsOf(helpersFor('STATE_PUSH_TOKEN'));

/**
 * Variables with which almanac writes a state branch by STATE_PUSH_TOKEN instead of the credential of the job; {} where no
 * such token is set.
 */
export function stateCredentials(env = process.env) {
  const addresses = addressesOf(env);
  if (!env.STATE_PUSH_TOKEN || addresses === undefined) return {};
  const { origin, remote } = addresses;
  const variable = 'ALMANAC_STATE_TOKEN';
  return {
    [variable]: env.STATE_PUSH_TOKEN,
    ...settingsOf([...helpersFor(variable), ['remote.origin.pushurl', remote], [`url.${remote}.insteadOf`, origin]]),
  };
}

/**
 * The address of `origin`, for which the runner's configuration of git sets in the credential of the job, and the same with
 * a user name, for which it does not. Undefined outside of GitLab.
 */
function addressesOf({ CI_PROJECT_URL: url }) {
  const [, scheme, rest] = /^(https?:\/\/)([^@]+)$/.exec(url ?? '') ?? [];
  return rest === undefined ? undefined : { origin: `${url}.git`, remote: `${scheme}almanac@${rest}.git` };
}

function settingsOf(settings) {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** The branch, and a function that pushes a commit to it and returns the words of a refusal, without secrets. */
export function openBranch(checkout, env = process.env) {
  if (!env.STATE_PUSH_TOKEN)
    throw new Refusal(
      'STATE_PUSH_TOKEN is not set. Set it as a protected and masked variable of the environment almanac-state.',
    );
  const { tryGit, refusalOf } = openGit(checkout);
  const branch = env.CI_DEFAULT_BRANCH ?? '';
  const { remote } = addressesOf(env) ?? {};
  if (remote === undefined || tryGit(['check-ref-format', '--branch', branch]) === undefined)
    throw new Refusal('CI_PROJECT_URL and CI_DEFAULT_BRANCH do not name a repository and its branch.');
  return {
    branch,
    push: (commit, options = []) => {
      const args = ['push', ...options, remote, `${commit}:refs/heads/${branch}`];
      const refused = refusalOf(args, { env: credentials });
      return refused === undefined ? undefined : redact(refused);
    },
  };
}
