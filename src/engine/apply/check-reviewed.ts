// Compares a plan with the changes that were reviewed, one by one. A change without a digest needs no review.

import { actions } from '../../model/plan/action.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { variablesIn } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { isRotation } from '../propose/digest.ts';
import type { ApplyPorts } from './apply-request.ts';

/** Throws Failure not-reviewed where a change is not in the list of digests. */
export function checkReviewed({ changes }: PlanDocument, reviewed: ReadonlySet<string>): void {
  const unreviewed = changes.filter(({ digest }) => digest !== undefined && !reviewed.has(digest));
  const [first, ...others] = unreviewed;
  if (first === undefined) return;
  const more =
    others.length === 0
      ? ''
      : `; neither ${others.length === 1 ? 'is 1 more change' : `are ${others.length} more changes`} of the plan`;
  throw new Failure(
    'not-reviewed',
    `${first.address} ${actions[first.action].words}, and that is not among the reviewed changes${more}.`,
    {
      hint: `${hintOf(unreviewed)} Have it reviewed, and list the digests of its changes, which almanac plan --format json prints. Nothing was changed.`,
      addresses: [...new Set(unreviewed.map(({ address }) => address))],
    },
  );
}

function hintOf(unreviewed: readonly Change[]): string {
  const open = unreviewed.filter(({ reason }) => reason === 'unresolved').map(({ address }) => address);
  if (open.length === 0) return 'almanac plan shows what would be done.';
  const them = open.length === 1 ? 'it' : 'them';
  return `By the state, an earlier apply began to change ${open.join(', ')} and did not finish, and what would be sent is not what was reviewed then. The plan of any pull request shows ${them}, and so does almanac plan.`;
}

/** Says which secrets have other values, and what is sent for that alone. */
export function noteRotated({ changes }: PlanDocument, { reporter }: ApplyPorts): void {
  const rotated = changes.filter(({ digest, diff }) => digest === undefined && diff.some(isRotation));
  if (rotated.length === 0) return;
  const entries = rotated.flatMap(({ diff }: Change) => diff.filter(isRotation));
  const names = [...new Set(entries.flatMap(({ after }) => variablesIn(String(after))))].sort();
  const addresses = rotated.map(({ address }) => address).join(', ');
  const values = names.length === 1 ? 'The value of' : 'The values of';
  const have = names.length === 1 ? 'has' : 'have';
  const message = `${values} ${names.join(', ')} ${have} changed, so no review is needed for ${addresses}.`;
  reporter.emit({ type: 'note', message });
}
