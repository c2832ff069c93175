// Finds the pull request that a plan is for, and reads what its base branch says about where Almanac works. A
// `workflow_run` that follows the run of a fork does not name the pull request, so this looks it up, and checks out its
// merge commit in a folder of its own. That folder is data: nothing in it is ever run. This step has GitHub's token and
// runs nothing; another one compares.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBaseConfig } from '../commands/place.mjs';
import { isCommit, readEvent } from '../runner/event.mjs';
import { annotate, setOutputs } from '../runner/files.mjs';
import { gitSettings, openGit } from '../runner/git.mjs';
import { Refusal, readFolder } from '../runner/inputs.mjs';
import { connectGithub } from './api.mjs';

export async function main(step) {
  try {
    await find(step, readEvent(step));
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    annotate(step, 'error', `The pull request could not be read, so nothing was planned. ${error.message}`);
    return 1;
  }
}

async function find(step, event) {
  if (event.workflow_run === undefined) {
    const pull = event.pull_request ?? (event.issue?.pull_request === undefined ? undefined : event.issue);
    if (pull === undefined) step.say('This run does not belong to a pull request.\n');
    else setOutputs(step, { ...numbersOf(pull), ...(await baseOf(step, pull)) });
    return;
  }
  const pull = await pullOfRun(step, event);
  if (pull === undefined) {
    step.say('No open pull request has the commit of that run: it was closed, or pushed to again.\n');
    setOutputs(step, { skip: true });
    return;
  }
  const numbers = numbersOf(pull);
  const checkout = checkOut(step, pull);
  setOutputs(step, { ...numbers, checkout, ...(await baseOf(step, pull, checkout)) });
}

function numbersOf({ number, head, base }) {
  if (!Number.isSafeInteger(number) || number <= 0) throw new Refusal('The event does not number a pull request.');
  return {
    number,
    ...(isCommit(head?.sha) ? { head: head.sha } : {}),
    ...(base?.ref ? { 'base-branch': base.ref } : {}),
  };
}

/** The almanac.yaml of the base branch, as a file in a temporary folder. A plan without it says that nothing was compared. */
async function baseOf(step, { base }, checkout = '') {
  const commit = base?.sha;
  if (!isCommit(commit)) return {};
  try {
    const { name } = readFolder({ ...step, env: { ...step.env, ALMANAC_CHECKOUT: checkout } });
    const github = connectGithub(step);
    // A file that is missing and a token that may not read are the same answer; for a commit they are not.
    await github.commitAt(commit);
    const folder = mkdtempSync(join(step.env.RUNNER_TEMP || tmpdir(), 'almanac-base-'));
    await writeBaseConfig(folder, name, (path) => github.fileAt(path, commit));
    return { base: folder };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    annotate(step, 'warning', `The base branch could not be read, so nothing was compared with it. ${error.message}`);
    return { 'base-unread': true };
  }
}

/** Its last commit must be that of the run, and it must go into the branch that is applied. */
async function pullOfRun(step, { workflow_run: run, repository }) {
  const { head_repository: from, head_branch: branch, head_sha: head, event } = run;
  if (event !== 'pull_request' || !isCommit(head) || !from?.owner?.login || !branch) return undefined;
  const pulls = await connectGithub(step).openPullsFrom(`${from.owner.login}:${branch}`);
  return pulls.find((pull) => pull.head?.sha === head && pull.base?.ref === repository?.default_branch);
}

/** Outside the checkout of the base branch, so that none of its files and none of its programs is found from there. */
function checkOut(step, { number, head }) {
  const { git } = openGit(step, step.env.GITHUB_WORKSPACE || step.cwd);
  const ref = `refs/almanac/pull/${number}`;
  git(['fetch', '--quiet', '--no-tags', '--depth=2', 'origin', `+refs/pull/${number}/merge:${ref}`], {
    env: credentials(step),
  });
  const [, second] = git(['show', '--no-patch', '--format=%P', ref]).split(' ');
  if (second !== head.sha) throw new Refusal('Its merge commit is not that of its last push. Run this again.');
  const folder = join(mkdtempSync(join(step.env.RUNNER_TEMP || tmpdir(), 'almanac-pull-')), 'checkout');
  git(['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', folder, ref], {
    env: { GIT_LFS_SKIP_SMUDGE: '1' },
  });
  return folder;
}

/** The checkout may have kept none. */
function credentials(step) {
  const { GITHUB_SERVER_URL: server, GITHUB_TOKEN: token } = step.env;
  if (!server || !token) return {};
  const key = `http.${server}/.extraheader`;
  const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  // An empty value drops a header that the checkout kept.
  return gitSettings(step, [
    [key, ''],
    [key, header],
  ]);
}
