// The branch of the run, to which the state is pushed.

import { openGit } from '../runner/git.mjs';
import { Refusal } from '../runner/inputs.mjs';

export function branchOfRun(cwd) {
  const { GITHUB_REF: ref = '', GITHUB_REF_NAME: name = '' } = process.env;
  const isBranch = ref === `refs/heads/${name}`;
  if (!isBranch || openGit(cwd).tryGit(['check-ref-format', '--branch', name]) === undefined)
    throw new Refusal('This run does not belong to a branch, so there is nowhere to push the state.');
  return name;
}
