// What was merged since the state was last written: the commits that touch the workspace, newest first, and what their
// pull requests say about the plan that was reviewed.

import { attribute, reviewIn, tooLong } from '../comments/marker.mjs';
import { ownLogin } from '../github/api.mjs';
import { openGit } from '../runner/git.mjs';
import { Refusal } from '../runner/inputs.mjs';

/** How far back to look if no state says where to begin. */
const mostCommits = 250;

/** The commits that touch a file in `folder`, which is where almanac.yaml is, newest first. */
export function commitsSince(step, stateCommit, folder) {
  const { git, tryGit } = openGit(step, folder);
  if (stateCommit !== undefined && tryGit(['cat-file', '-e', `${stateCommit}^{commit}`]) === undefined)
    throw new Refusal(
      `The state was written for the commit ${stateCommit}, which the checkout does not have. Set fetch-depth: 0 in the step that checks out. If the history was rewritten, start this workflow by hand with the digest of the plan.`,
    );
  const range = stateCommit === undefined ? [`--max-count=${mostCommits}`, 'HEAD'] : [`${stateCommit}..HEAD`];
  const found = git(['log', '--first-parent', '--format=%H', ...range, '--', '.']);
  return found === '' ? [] : found.split('\n');
}

/**
 * What the pull requests of these commits say, newest first: `{ pull, at, changes }` for a review that counts, `{ gap }` for a
 * sentence about why there is none. Stops before the first pull request for whose time of merge `isEnough` is true.
 */
export async function* reviewsOf(commits, { github, branch, identity, isEnough = () => false }) {
  const seen = new Set();
  for (const commit of commits) {
    const pulls = (await github.pullsOf(commit)).filter(({ merged_at: at, base }) => at && base?.ref === branch);
    const exact = pulls.filter(({ merge_commit_sha: sha }) => sha === commit);
    if (pulls.length === 0) yield { gap: `The commit ${commit.slice(0, 9)} was pushed without a pull request.` };
    for (const { number, head, merged_at: mergedAt } of exact.length > 0 ? exact : pulls) {
      if (!Number.isSafeInteger(number) || seen.has(number)) continue;
      if (isEnough(mergedAt)) return;
      seen.add(number);
      const comments = await github.editedCommentsOf(number);
      yield { pull: number, ...reviewed(comments, { head: head?.sha, branch, mergedAt, identity }) };
    }
  }
}

/** `{ at, changes }` of the comments that hold all parts of one plan, or `{ gap }`. */
function reviewed(comments, { head, branch, mergedAt, identity }) {
  const all = comments.filter(({ body }) => body.startsWith(`${identity} `));
  const own = all.filter((comment) => comment.author === ownLogin);
  if (own.length === 0)
    return { gap: all.length === 0 ? 'has no plan comment' : `has a plan comment that ${ownLogin} did not write` };
  if (own.some(({ editor }) => editor !== undefined && editor !== ownLogin))
    return { gap: 'has a plan comment that somebody else edited' };
  if (own.some(({ isHidden }) => isHidden)) return { gap: 'has a plan comment that somebody hid' };
  // Nobody who merged it can have seen that text.
  if (!own.every(({ at }) => at <= mergedAt)) return { gap: 'has a plan comment that was written after the merge' };
  // Two concurrent runs may each have added the same.
  const bodies = [...new Set(own.map(({ body }) => body))];
  const reviews = bodies.map((body) => reviewIn(body, identity));
  if (reviews.includes(undefined)) return { gap: 'has a plan comment that does not say which changes it shows' };
  const [first, ...others] = reviews;
  const isOfFirst = ({ digest, parts }) => digest === first.digest && parts === first.parts;
  const numbers = new Set(reviews.map(({ part }) => part));
  if (!others.every(isOfFirst) || numbers.size < reviews.length) return { gap: 'has several plan comments' };
  if (first.digest === '') return { gap: 'has a plan that failed' };
  if (reviews.some((review) => review.head !== head)) return { gap: 'has the plan of an earlier push' };
  // It was compared with that branch: what it weakens there may have been weak already.
  if (reviews.some((review) => review.base !== attribute(branch)))
    return { gap: 'has the plan for another base branch' };
  if (reviews.some(({ changes }) => changes === tooLong))
    return { gap: 'has a plan that is too long for its comments' };
  if (numbers.size < first.parts || [...numbers].some((part) => part > first.parts))
    return { gap: `has only ${numbers.size} of the ${first.parts} comments with its plan` };
  const [at] = own.map((comment) => comment.at).sort();
  return {
    at,
    changes: reviews.find(({ changes }) => changes.set)?.changes ?? {
      each: reviews.flatMap(({ changes }) => changes.each),
    },
  };
}
