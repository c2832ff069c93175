// Finds the pull request that a plan is for, and reads its base branch. The checkout is compared with the pull request:
// an event names it, but only the files tell which commits are planned. A `workflow_run` that follows the run of a fork
// does not name the pull request, so this looks it up, and checks out its merge commit in a folder of its own. That
// folder is data: nothing in it is ever run. This step has GitHub's token and runs nothing; another step compares.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsAfter } from '../../../files/git.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { commentWithoutPlan } from '../commands/plan.ts';
import { annotate, type Outputs, setOutputs } from '../runner/files.ts';
import { openGit } from '../runner/git.ts';
import { type Folder, type GithubEvent, isCommit, type PullOfGithub, readEvent, readFolder } from '../runner/inputs.ts';
import type { Step } from '../step.ts';
import { connectGithub, type Github } from './api.ts';

type PullRequestFacts = { number?: number; head?: string; 'base-branch'?: string };

export async function main(step: Step): Promise<number> {
  const found: PullRequestFacts = {};
  try {
    await find(step, readEvent(step), found);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const words = `The pull request could not be read, so nothing was planned. ${error.message}`;
    annotate(step, 'error', words);
    // Otherwise its comment would go on showing the plan of an earlier push.
    const { number, head, 'base-branch': branch } = found;
    if (number !== undefined) setOutputs(step, { number, ...commentWithoutPlan(step, { head, branch }, words) });
    return 1;
  }
}

/** `found` receives the numbers of a fork's pull request even if the step fails after that. */
async function find(step: Step, event: GithubEvent, found: PullRequestFacts): Promise<void> {
  const { workflow_run: forked } = event;
  const followsFork = forked !== undefined;
  const { pull, why } = followsFork ? await pullOfRun(step, forked, event) : await pullOfEvent(step, event);
  if (pull === undefined) {
    step.say(`${why}\n`);
    if (followsFork) setOutputs(step, { skip: true });
    return;
  }
  const known = readPull(pull);
  const numbers = { number: known.number, head: known.head, 'base-branch': known.base };
  // A fork's push is known by its run. Elsewhere nothing is written before the checkout is known to be the head.
  if (followsFork) Object.assign(found, numbers);
  const checkout = followsFork ? checkOut(step, known) : '';
  const repository = repositoryOf(step, checkout);
  const planned = readHead(step, repository.root);
  requireHead(planned, known, hintFor(step, followsFork));
  setOutputs(step, {
    ...numbers,
    ...(followsFork ? { checkout } : {}),
    ...(await baseOf(step, repository, planned, known)),
  });
}

/** `tip` is the commit that the base branch once had according to the host: it may be of another day. */
interface Pull {
  readonly number: number;
  readonly head: string;
  readonly base: string;
  readonly tip: string | undefined;
}

function readPull({ number, head, base }: PullOfGithub): Pull {
  if (!Number.isSafeInteger(number) || number <= 0)
    throw new Failure('usage', 'The event does not number a pull request.');
  if (!isCommit(head?.sha)) throw new Failure('usage', `Nothing names the last commit of #${number}.`);
  return { number, head: head.sha, base: base?.ref ?? '', tip: base?.sha };
}

interface Sought {
  readonly pull?: PullOfGithub;
  readonly why?: string;
}

/** A comment on a pull request does not name its head. */
async function pullOfEvent(step: Step, { pull_request: pull, issue }: GithubEvent): Promise<Sought> {
  if (pull !== undefined) return { pull };
  if (issue?.pull_request === undefined) return { why: 'This run does not belong to a pull request.' };
  return { pull: await connectGithub(step).pull(issue.number) };
}

/** The pull request's last commit must be that of the run, and its target the branch that is applied. */
async function pullOfRun(
  step: Step,
  { head_repository: from, head_branch: branch, head_sha: head, event }: NonNullable<GithubEvent['workflow_run']>,
  { repository }: GithubEvent,
): Promise<Sought> {
  if (event !== 'pull_request') return { why: 'That run was not started by a pull request.' };
  if (!isCommit(head) || !from?.owner?.login || !branch)
    return { why: 'That run does not say which branch it was for: its repository may be gone.' };
  const pulls = (await connectGithub(step).openPullsFrom(`${from.owner.login}:${branch}`)).filter(
    (each) => each.head?.sha === head,
  );
  const applied = repository?.default_branch;
  const pull = pulls.find((each) => each.base?.ref === applied);
  if (pull !== undefined) return { pull };
  const [otherPull] = pulls;
  const why =
    otherPull === undefined
      ? 'No open pull request has the commit of that run: it was closed, or pushed to again.'
      : `#${otherPull.number} goes into ${otherPull.base?.ref}, and only ${applied}, the default branch, is applied, so it gets no comment. Its plan is in the summary of that run.`;
  return { why };
}

/** The folder is outside the checkout of the base branch, so that none of its files or programs is found from there. */
function checkOut(step: Step, { number }: Pull): string {
  const { git } = openGit(step, step.env['GITHUB_WORKSPACE'] || step.cwd);
  const ref = `refs/almanac/pull/${number}`;
  git(['fetch', '--quiet', '--no-tags', '--depth=2', 'origin', `+refs/pull/${number}/merge:${ref}`], {
    env: credentials(step),
  });
  const folder = join(mkdtempSync(join(step.env['RUNNER_TEMP'] || tmpdir(), 'almanac-pull-')), 'checkout');
  git(['-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', folder, ref], {
    env: { GIT_LFS_SKIP_SMUDGE: '1' },
  });
  return folder;
}

/**
 * The `root` of the planned repository, and the folder of the workspace in the job: undefined if no commit of the base
 * branch holds it. A workspace in a submodule is planned with the repository around that one.
 */
interface Repository {
  readonly root: string;
  readonly folder: Folder | undefined;
}

function repositoryOf(step: Step, checkout: string): Repository {
  const folder = folderOf({ ...step, env: { ...step.env, ALMANAC_CHECKOUT: checkout } });
  if (checkout !== '') return { root: folder?.checkout ?? checkout, folder };
  if (folder === undefined) return { root: step.env['GITHUB_WORKSPACE'] || step.cwd, folder };
  const roots = rootsFrom(step, folder.path);
  return { root: roots.at(-1) ?? folder.path, folder: roots.length > 1 ? undefined : folder };
}

/** The repository of a folder, and those around it of which that one is a submodule, the outermost last. */
function rootsFrom(step: Step, path: string): readonly string[] {
  const asked = ['rev-parse', '--show-toplevel', '--show-superproject-working-tree'];
  const [root = path, around] = openGit(step, path).tryGit(asked)?.split('\n') ?? [];
  return around === undefined ? [root] : [root, ...rootsFrom(step, around)];
}

/** Undefined for an input that the step which runs Almanac refuses, in words that the comment shows. */
function folderOf(step: Step): Folder | undefined {
  try {
    return readFolder(step);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}

/** The commit that is checked out, and its parents, which the object names even in a clone of depth 1. */
interface Head {
  readonly commit: string;
  readonly parents: readonly string[];
}

function readHead(step: Step, path: string): Head {
  const { tryGit } = openGit(step, path);
  const commit = tryGit(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const text = tryGit(['cat-file', 'commit', 'HEAD']);
  if (!isCommit(commit) || text === undefined)
    throw new Failure(
      'usage',
      `git does not say which commit is checked out in ${path}, so it is not known whether it is the pull request. Check out with actions/checkout. In a container of another user, run \`git config --global --add safe.directory ${path}\` before this step.`,
    );
  const [header = ''] = text.split('\n\n', 1);
  return { commit, parents: [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].flatMap(([, parent = []]) => parent) };
}

/** Events whose runs have only the rights of a pull request's author. */
const ofAuthor = ['pull_request', 'pull_request_review', 'pull_request_review_comment'];

function hintFor({ env }: Step, followsFork: boolean): string {
  if (followsFork)
    return 'GitHub has made no merge commit of its last push yet, or cannot because of a conflict. Once GitHub has made one, run this again. The documentation (ci-github, Pull requests from forks) explains this run.';
  if (ofAuthor.includes(env['GITHUB_EVENT_NAME'] ?? ''))
    return 'In the step of actions/checkout, leave out `ref`, or write `ref: ${{ github.sha }}`. If the pull request was pushed to meanwhile, the run of that push plans it.';
  return 'This run has more rights than the author of a pull request, so it must not check out and install what strangers write. The documentation (ci-github, Pull requests from forks) shows how to plan the pull request.';
}

/** Throws if the plan would be made from files other than those of the pull request. */
function requireHead({ commit, parents }: Head, { number, head }: Pull, way: string): void {
  if (commit === head || parents[1] === head) return;
  throw new Failure(
    'usage',
    `What is checked out, ${commit.slice(0, 9)}, is not #${number}: neither its last commit, ${head.slice(0, 9)}, nor a merge of that commit into another branch. ${way}`,
  );
}

/** If nothing is compared, `base-unread` says why. */
async function baseOf(step: Step, { root, folder }: Repository, planned: Head, pull: Pull): Promise<Outputs> {
  const outputs: Record<string, string> = {};
  try {
    const github = connectGithub(step);
    const commit = await baseCommitOf(github, planned, pull);
    if (commit === undefined)
      return { 'base-unread': 'GitHub does not say which commit of the base branch these files contain' };
    outputs['base-commit'] = commit;
    if (folder === undefined)
      return { ...outputs, 'base-unread': 'The base branch does not hold the files of a submodule' };
    if (!openGit(step, root).fetchCommit(commit, { env: credentials(step) }))
      throw new Failure('usage', `git could not fetch the commit ${commit}.`);
    return outputs;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    annotate(step, 'warning', `The base branch could not be read, so nothing was compared with it. ${error.message}`);
    return { ...outputs, 'base-unread': 'The base branch could not be read' };
  }
}

/**
 * The commit of the base branch that the planned files contain; undefined if GitHub does not tell. A merge may be one
 * by the author, whose first parent is the branch itself, so only a commit that the base branch has counts.
 */
async function baseCommitOf(
  github: Github,
  { commit, parents }: Head,
  { head, base, tip }: Pull,
): Promise<string | undefined> {
  const isHead = commit === head;
  if (!isHead && parents.length !== 2) return undefined;
  const [first] = parents;
  // The host itself said that this commit was the base branch.
  if (!isHead && first === tip) return first;
  if (base === '') return undefined;
  // Asks by commit, because a tag may have the name of the branch.
  const now = await github.tipOf(base);
  const shared = await github.mergeBaseOf(now, isHead ? head : first);
  return isHead || shared === first ? shared : undefined;
}

/** {} if the checkout kept none. */
function credentials(step: Step): Readonly<Record<string, string>> {
  const { GITHUB_SERVER_URL: server, GITHUB_TOKEN: token } = step.env;
  if (!server || !token) return {};
  const key = `http.${server}/.extraheader`;
  const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  // An empty value drops a header that the checkout kept.
  return settingsAfter(step.env, [
    { key, value: '' },
    { key, value: header },
  ]);
}
