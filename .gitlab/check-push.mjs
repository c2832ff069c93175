// The job `ready`: says that the state cannot be pushed while nothing has been sent yet. A dry run asks GitLab whether
// the token may write to the repository. It does not ask the rules of a protected branch, which GitLab checks only when
// something is really pushed.

import { Refusal } from '../.github/actions/almanac/runner/inputs.mjs';
import { readPlace, runJob } from './job.mjs';
import { openBranch } from './push.mjs';

await runJob(() => {
  const { branch, push } = openBranch(readPlace().folder.checkout);
  const refused = push('HEAD', ['--dry-run']);
  if (refused !== undefined)
    throw new Refusal(
      `The state could not be pushed after an apply, so nothing is sent. STATE_PUSH_TOKEN may be expired, or lack write_repository or the role Developer.\n${refused}`,
    );
  process.stdout.write(
    `STATE_PUSH_TOKEN may write to the repository. Whether a protected branch accepts its pushes to ${branch} shows only after the apply.\n`,
  );
  return 0;
});
