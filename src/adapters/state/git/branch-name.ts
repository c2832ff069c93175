// Which names a state branch may have. They become part of a refspec, so only the plain ones are allowed.

import { Failure } from '../../../model/workspace/failure.ts';

const plain = /^[A-Za-z0-9_][A-Za-z0-9._+@-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._+@-]*)*$/;
const longest = 200;

/** The full name of the branch. Throws Failure state-backend-unfit. */
export function checkBranch(branch: string): string {
  const fault = faultOf(branch);
  if (fault === undefined) return `refs/heads/${branch}`;
  throw new Failure('state-backend-unfit', `The state branch ${JSON.stringify(branch.slice(0, longest))} ${fault}`, {
    hint: 'Name it `state.branch` in almanac.yaml, such as almanac-state.',
  });
}

function faultOf(branch: string): string | undefined {
  if (branch.length > longest) return `has a name of more than ${longest} characters.`;
  if (!plain.test(branch) || /\.\.|@\{|\.(?:$|\/)|\.lock(?:$|\/)/.test(branch) || branch === '@')
    return 'is not a name that a state branch can have: letters, digits and - _ . / only.';
  if (/^refs(?:\/|$)/.test(branch)) return 'begins with refs/. Write the name of the branch alone.';
  if (branch === 'HEAD' || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(branch))
    return 'has a name that git would take for something else.';
  return undefined;
}
