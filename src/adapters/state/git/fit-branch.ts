// Which branches of a remote the state must not be on, although their names are allowed.

import { Failure } from '../../../model/workspace/failure.ts';
import { unfit } from '../place-failures.ts';
import type { Advertised } from './own-repository.ts';

/** Throws Failure state-backend-unfit for a branch that people use. */
export function checkAdvertised({ head, hasTag }: Advertised, ref: string, name: string): void {
  if (head === ref) throw unfit(name, 'it is the default branch of the repository', anotherBranch);
  if (hasTag) throw unfit(name, 'the repository has a tag of the same name', anotherBranch);
}

/** Throws Failure state-backend-unfit. */
export function refuseCheckedOut(branch: string): never {
  throw unfit(`The branch ${branch}`, 'it is checked out here', anotherBranch);
}

/** A server that makes the first branch the default one would show the state instead of the files. */
export function refuseEmpty(name: string): never {
  throw unfit(
    name,
    'the repository has no branch yet',
    'Push its default branch first. Otherwise the state branch would become the default branch.',
  );
}

/** A commit that this run knew is gone. */
export function setBack(name: string): Failure {
  return new Failure(
    'state-conflict',
    `${name} was set back: a commit that was there is no longer part of the branch.`,
    {
      hint: 'Somebody deleted the branch or pushed to it by force. Restore its newest commit before the next apply.',
    },
  );
}

const anotherBranch = 'Set `state.branch` in almanac.yaml to a branch that only Almanac writes.';
