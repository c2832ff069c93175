// `command: check-push`: says before an apply that the state could not be pushed after it: the credential, and the rules of
// the branch. It pushes nothing and sends nothing to Omni.

import { connectGithub, GithubFailure } from '../github/api.mjs';
import { addToSummary, annotate } from '../runner/files.mjs';
import { openGit } from '../runner/git.mjs';
import { Refusal, readFolder } from '../runner/inputs.mjs';
import { branchOfRun } from './branch.mjs';

/** Rules that allow a push of one ordinary commit. All others refuse it, unless whoever pushes may bypass them. */
const kept = new Set([
  'creation',
  'deletion',
  'non_fast_forward',
  'required_linear_history',
  'branch_name_pattern',
  'tag_name_pattern',
  'copilot_code_review',
]);
const wayOut =
  'Create a deploy key with write access, let it bypass the rules, and store its private half as the secret STATE_DEPLOY_KEY of the environment that pushes.';

try {
  await checkPush();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  annotate('error', error.message);
  addToSummary(`## The state could not be pushed\n\n${error.message} Nothing was applied.`);
  process.exitCode = 1;
}

async function checkPush() {
  const { checkout } = readFolder();
  const { git, tryGit } = openGit(checkout);
  const branch = branchOfRun(checkout);
  if (tryGit(['fetch', '--quiet', '--no-tags', 'origin', `refs/heads/${branch}`]) === undefined)
    throw new Refusal(`The branch ${branch} cannot be read. Check the credential of the checkout.`);
  // The tip itself: only the credential is tried.
  if (tryGit(['push', '--quiet', '--dry-run', 'origin', `FETCH_HEAD:refs/heads/${branch}`]) === undefined)
    throw new Refusal(
      `The branch ${branch} accepts no push from this job. It needs contents: write, and a checkout that keeps its credential (persist-credentials) or gets a deploy key (ssh-key).`,
    );
  const hasKey = /^(?:ssh:\/\/|[\w.-]+@[\w.-]+:)/.test(git(['remote', 'get-url', '--push', 'origin']));
  const { refusing, isProtected } = await protectionOf(branch);
  if (refusing.length > 0 && !hasKey)
    throw new Refusal(
      `The rules of the branch ${branch} refuse a push by this job (${refusing.join(', ')}). ${wayOut}`,
    );
  if (refusing.length > 0)
    annotate(
      'warning',
      `The branch ${branch} has rules (${refusing.join(', ')}). The deploy key must be allowed to bypass them.`,
    );
  else if (isProtected)
    annotate('warning', `The branch ${branch} is protected. Whoever pushes the state must be allowed to bypass that.`);
  process.stdout.write('The state can be pushed, as far as can be seen without pushing it.\n');
}

/** The rules that refuse a push, and whether the branch is protected in the older way. */
async function protectionOf(branch) {
  try {
    const github = connectGithub();
    const rules = (await github.rulesOf(branch)).map(({ type }) => String(type));
    const refusing = [...new Set(rules)].filter((type) => !kept.has(type)).sort();
    const { protected: isProtected } = await github.branch(branch);
    return { refusing, isProtected: isProtected === true };
  } catch (error) {
    if (!(error instanceof GithubFailure)) throw error;
    annotate('warning', `The rules of the branch ${branch} could not be read. ${error.message}`);
    return { refusing: [], isProtected: false };
  }
}
