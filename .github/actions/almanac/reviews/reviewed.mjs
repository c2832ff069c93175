// `expect: reviewed`: reads the digest of the reviewed plan from this action's comment on the merged pull request.
// There is none for a push without a pull request or without a comment.

import { digestIn, markerOf } from '../comments/marker.mjs';
import { ownComments } from '../comments/own-comments.mjs';
import { connectGithub, GithubFailure } from '../github/api.mjs';
import { annotate, setOutputs } from '../runner/files.mjs';
import { Refusal, readEnvironment, readFolder } from '../runner/inputs.mjs';

try {
  const digest = await reviewedDigest();
  setOutputs({ digest });
  process.stdout.write(digest === '' ? 'There is no reviewed plan for this commit.\n' : `Reviewed: ${digest}\n`);
} catch (error) {
  if (!(error instanceof GithubFailure || error instanceof Refusal)) throw error;
  annotate('error', `The reviewed plan could not be read, so nothing is applied. ${error.message}`);
  process.exitCode = 1;
}

async function reviewedDigest() {
  const { GITHUB_SHA: commit = '', GITHUB_REF_NAME: branch = '' } = process.env;
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new Refusal('GITHUB_SHA does not name a commit.');
  const identity = markerOf({ environment: readEnvironment(), directory: readFolder().name });
  const github = connectGithub();
  const pulls = await github.pullsOf(commit);
  const merged = pulls.find(
    ({ merged_at: at, merge_commit_sha: sha, base }) => at && sha === commit && base?.ref === branch,
  );
  if (!Number.isSafeInteger(merged?.number)) return '';
  const [own] = ownComments(await github.commentsOf(merged.number), identity);
  return own === undefined ? '' : digestIn(own.body, identity);
}
