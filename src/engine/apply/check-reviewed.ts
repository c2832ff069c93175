// Compares a plan with the changes that were reviewed, one by one. Where a secret has another value, the plan is compared
// as it would be without: whoever sets the secrets of the job decides about their values, and no review shows them.

import { actions } from '../../model/plan/action.ts';
import type { Change, FieldDiff } from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { equalJson } from '../../model/values/json.ts';
import { variablesIn } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { withDigests } from '../propose/digest.ts';
import { isOfVariables, planWithoutSecrets } from '../propose/plan-without-secrets.ts';
import type { Proposal } from '../propose/propose.ts';
import type { ApplyPorts } from './apply-request.ts';

/**
 * Throws Failure not-reviewed where a change is not in the list of digests. Returns the changes that are there only
 * because the value of a secret differs.
 */
export function checkReviewed(proposal: Proposal, reviewed: ReadonlySet<string>): readonly Change[] {
  const isListed = ({ digest }: Change) => digest !== undefined && reviewed.has(digest);
  const open = proposal.document.changes.filter((change) => !isListed(change));
  if (open.length === 0) return [];
  const reviewable = new Map(withDigests(planWithoutSecrets(proposal)).map((change) => [nameOf(change), change]));
  const counterpart = (change: Change) => reviewable.get(nameOf(change));
  const isAllowed = (change: Change) => {
    const shown = counterpart(change);
    return (shown === undefined || (isListed(shown) && isSameThing(shown, change))) && differsInValues(change, shown);
  };
  refuseUnlessNone(open.filter((change) => !isAllowed(change)));
  return open.filter((change) => counterpart(change) === undefined);
}

/** Several changes of an address are told apart by what they delete. */
function nameOf({ address, reason, id }: Change): string {
  return reason === 'replaced' ? `${address} ${id}` : address;
}

function isSameThing(shown: Change, change: Change): boolean {
  return shown.id === change.id && shown.previousAddress === change.previousAddress;
}

/** Whether a change says no more than `shown` does, except that secrets of the same text have other values. */
function differsInValues({ diff }: Change, shown: Change | undefined): boolean {
  const said = shown?.diff ?? [];
  const more = diff.filter((entry) => !said.some((each) => isSame(each, entry)));
  return more.length > 0 && more.every(isRotation) && said.every((each) => diff.some((entry) => isSame(each, entry)));
}

function isSame(one: FieldDiff, other: FieldDiff): boolean {
  return equalJson({ ...one }, { ...other });
}

function isRotation({ op, before, after, sensitive }: FieldDiff): boolean {
  return sensitive && op === 'change' && typeof after === 'string' && before === after && isOfVariables(after);
}

function refuseUnlessNone(unreviewed: readonly Change[]): void {
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
      hint: 'almanac plan shows what would be done. Have it reviewed, and list the digests of its changes, which almanac plan --format json prints. Nothing was changed.',
      addresses: [...new Set(unreviewed.map(({ address }): Address => address))],
    },
  );
}

/** Says which variables have other values, and what is sent for that alone. */
export function noteRotated(rotated: readonly Change[], { reporter }: ApplyPorts): void {
  if (rotated.length === 0) return;
  const entries = rotated.flatMap(({ diff }) => diff.filter(isRotation));
  const names = [...new Set(entries.flatMap(({ after }) => variablesIn(String(after))))].sort();
  const addresses = rotated.map(({ address }) => address).join(', ');
  const what = names.length === 1 ? 'The value of' : 'The values of';
  const have = names.length === 1 ? 'has' : 'have';
  const message = `${what} ${names.join(', ')} ${have} changed, so no review is needed for ${addresses}.`;
  reporter.emit({ type: 'note', message });
}
