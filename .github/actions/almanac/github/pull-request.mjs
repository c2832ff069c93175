// Finds the pull request that a plan is for. A `workflow_run` that follows the run of a fork does not name it, so this
// looks it up, and checks out its merge commit in a folder of its own. That folder is data: nothing in it is ever run.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCommit, readEvent } from '../runner/event.mjs';
import { annotate, setOutputs } from '../runner/files.mjs';
import { openGit } from '../runner/git.mjs';
import { Refusal } from '../runner/inputs.mjs';
import { connectGithub, GithubFailure } from './api.mjs';

try {
  await main(readEvent());
} catch (error) {
  if (!(error instanceof GithubFailure || error instanceof Refusal)) throw error;
  annotate('error', `The pull request could not be read, so nothing was planned. ${error.message}`);
  process.exitCode = 1;
}

async function main(event) {
  if (event.workflow_run !== undefined) {
    const pull = await pullOfRun(event);
    if (pull === undefined) {
      process.stdout.write('No open pull request has the commit of that run: it was closed, or pushed to again.\n');
      setOutputs({ skip: true });
    } else {
      setOutputs({ ...numbersOf(pull), checkout: checkOut(pull) });
    }
    return;
  }
  const pull = event.pull_request ?? (event.issue?.pull_request === undefined ? undefined : event.issue);
  if (pull === undefined) process.stdout.write('This run does not belong to a pull request.\n');
  else setOutputs(numbersOf(pull));
}

function numbersOf({ number, head, base }) {
  if (!Number.isSafeInteger(number) || number <= 0) throw new Refusal('The event does not number a pull request.');
  return {
    number,
    ...(isCommit(head?.sha) ? { head: head.sha } : {}),
    ...(isCommit(base?.sha) ? { base: base.sha } : {}),
  };
}

/** Its last commit must be that of the run, and it must go into the branch that is applied. */
async function pullOfRun({ workflow_run: run, repository }) {
  const { head_repository: from, head_branch: branch, head_sha: head, event } = run;
  if (event !== 'pull_request' || !isCommit(head) || !from?.owner?.login || !branch) return undefined;
  const pulls = await connectGithub().openPullsFrom(`${from.owner.login}:${branch}`);
  return pulls.find((pull) => pull.head?.sha === head && pull.base?.ref === repository?.default_branch);
}

/** Outside the checkout of the base branch, so that none of its files and none of its programs is found from there. */
function checkOut({ number, head }) {
  const { git } = openGit(process.env.GITHUB_WORKSPACE || process.cwd());
  const ref = `refs/almanac/pull/${number}`;
  git(['fetch', '--quiet', '--no-tags', '--depth=2', 'origin', `+refs/pull/${number}/merge:${ref}`], {
    env: credentials(),
  });
  const [, second] = git(['show', '--no-patch', '--format=%P', ref]).split(' ');
  if (second !== head.sha) throw new Refusal('Its merge commit is not that of its last push. Run this again.');
  const folder = join(mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'almanac-pull-')), 'checkout');
  git(['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', folder, ref], {
    env: { GIT_LFS_SKIP_SMUDGE: '1' },
  });
  return folder;
}

/** The checkout may have kept none. Through the environment, because others can read the arguments of a process. */
function credentials() {
  const { GITHUB_SERVER_URL: server, GITHUB_TOKEN: token } = process.env;
  if (!server || !token) return {};
  const key = `http.${server}/.extraheader`;
  const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  return {
    GIT_CONFIG_COUNT: '2',
    // An empty value drops a header that the checkout kept.
    GIT_CONFIG_KEY_0: key,
    GIT_CONFIG_VALUE_0: '',
    GIT_CONFIG_KEY_1: key,
    GIT_CONFIG_VALUE_1: header,
  };
}
