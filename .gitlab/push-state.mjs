// The job `push-state`: pushes the state that the apply left, whatever the result of the apply was.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { pushLeft } from '../.github/actions/almanac/state/push-left.mjs';
import { readStateFolder } from '../.github/actions/almanac/state/state-folder.mjs';
import { readPlace, runJob, stateFolder } from './job.mjs';
import { openBranch } from './push.mjs';

const author = { name: 'Almanac', email: `almanac@noreply.${process.env.CI_SERVER_HOST || 'example.com'}` };

await runJob(() => {
  const { folder } = readPlace();
  const path = join(folder.checkout, stateFolder);
  // GitLab also starts this job after an apply that it skipped, and does not say which of the two it was.
  if (!existsSync(path))
    throw new Refusal(
      'The job apply left no state. If it did not run, there is nothing to push. If its log shows that it applied something, the state does not contain it: repair the state before the next apply.',
    );
  process.stdout.write(`${pushState(folder, path)}\n`);
  return 0;
});

function pushState(folder, path) {
  try {
    const { branch, push } = openBranch(folder.checkout);
    const explained = (commit) => {
      const refused = push(commit, ['--quiet']);
      return refused === undefined ? undefined : `The branch rejected the push: it may be protected.\n${refused}`;
    };
    return pushLeft(folder, readStateFolder(path), { branch, author, push: explained });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(
      `The state was not pushed. ${error.message}\nWhat was applied is recorded in ${stateFolder}/state.json, among the artifacts of the job apply. Retry this job, or put the file in place before the next apply.`,
    );
  }
}
