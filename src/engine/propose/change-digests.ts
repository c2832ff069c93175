// The digest of each change: of what a reviewer decides. Whether the value of a secret differs is decided by whoever sets the
// secrets of the job, and a plan shows it only where they are known. So a change has the digest that it has in a plan
// without the secrets, and none if it is planned only because a value differs.

import { isRemark } from '../../model/fields/fields.ts';
import type { Change, FieldDiff, Plan } from '../../model/plan/plan.ts';
import { equalJson } from '../../model/values/json.ts';
import { changeDigest } from './digest.ts';
import { saysAll } from './plan-of.ts';

/** `plain` makes the same plan without the secrets. */
export function withDigests(plan: Plan, plain: () => Plan): readonly Change[] {
  const hasRotated = plan.changes.some(({ diff }) => diff.some(isRotation));
  const changes = hasRotated ? plain().changes.filter((change) => !isOnlyRepeated(change)) : [];
  const shown = new Map(changes.map((change) => [identityOf(change), change]));
  return plan.changes.map((change) => {
    if (needsNoReview(change)) return change;
    const reviewed = change.diff.some(isRotation) ? whatIsReviewed(change, shown.get(identityOf(change))) : change;
    return reviewed === undefined || needsNoReview(reviewed)
      ? change
      : { ...change, digest: changeDigest(plan, reviewed) };
  });
}

/** Whether nothing is done but to remember what only people and `validate` read, or what Omni has already. */
function needsNoReview({ reason, previousAddress, diff }: Change): boolean {
  if (previousAddress !== undefined) return false;
  if (reason === 'as-declared') return diff.length === 0;
  return reason === 'state-only' && diff.length > 0 && diff.every(({ path }) => isRemark(path));
}

/** An update whose answer was lost, and which sends nothing but values of secrets. */
function isOnlyRepeated({ reason, diff }: Change): boolean {
  return reason === 'unresolved' && diff.length === 0;
}

/** Whether the text of a secret is the same, and only the values of its variables differ. */
export function isRotation({ op, before, after, sensitive }: FieldDiff): boolean {
  return sensitive && op === 'change' && typeof after === 'string' && before === after && saysAll(after);
}

/** Undefined where nothing is left to review. A change that differs in more than values of secrets is reviewed as it is. */
function whatIsReviewed(change: Change, shown: Change | undefined): Change | undefined {
  const { id, previousAddress, diff = [] } = shown ?? change;
  const isSameThing = id === change.id && previousAddress === change.previousAddress;
  const rest = change.diff.filter((entry) => !isRotation(entry));
  return isSameThing && equalJson(asJson(rest), asJson(shown === undefined ? [] : diff)) ? shown : change;
}

function asJson(diff: readonly FieldDiff[]) {
  return diff.map((entry) => ({ ...entry }));
}

/** Several changes of one address are told apart by what they delete. */
function identityOf({ address, reason, id }: Change): string {
  return reason === 'replaced' ? `${address} ${id}` : address;
}
