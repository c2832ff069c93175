// `command: push-state`: pushes the state that an apply left to the branch of the run.

import { resolve } from 'node:path';
import { addToSummary, annotate } from '../runner/files.mjs';
import { openGit } from '../runner/git.mjs';
import { Refusal, readFolder } from '../runner/inputs.mjs';
import { branchOfRun } from './branch.mjs';
import { pushLeft } from './push-left.mjs';
import { readStateFolder } from './state-folder.mjs';

const author = { name: 'github-actions[bot]', email: '41898282+github-actions[bot]@users.noreply.github.com' };
const refused =
  'The branch rejected the push: it may be protected, or the job may lack contents: write. Give the checkout a deploy key that may bypass its rules (ssh-key, STATE_DEPLOY_KEY).';

try {
  const folder = readFolder();
  const { tryGit } = openGit(folder.checkout);
  const branch = branchOfRun(folder.checkout);
  const push = (commit) =>
    tryGit(['push', '--quiet', 'origin', `${commit}:refs/heads/${branch}`]) === undefined ? refused : undefined;
  const left = readStateFolder(resolve(folder.checkout, process.env.ALMANAC_STATE_FOLDER || '.'));
  process.stdout.write(`${pushLeft(folder, left, { branch, author, push })}\n`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  annotate('error', `The state was not pushed. ${error.message}`);
  addToSummary(
    `**The state was not pushed.** ${error.message}\n\nWhat was applied is recorded in the artifact of this run. Put its state.json in place before the next apply.`,
  );
  process.exitCode = 1;
}
