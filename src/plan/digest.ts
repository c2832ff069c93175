// Digests of a plan and of each change, the same on every machine. Digests prove that what is applied was reviewed.
//
// The digest of a change is of what a reviewer decides. The secrets of a job are set by somebody else, and shown only
// where they are known, so whether the value of a secret differs does not count.

import { createHash } from 'node:crypto';
import { isRemark } from '../model/fields/fields.ts';
import type { Change, FieldDiff, Plan, Reason } from '../model/plan/plan.ts';
import { canonicalJson, type Json, type JsonObject } from '../model/values/json.ts';
import { isWholeText } from '../model/values/secret.ts';

/** SHA-256 as hex over what the plan does; never over files, lines, serials, diagnostics or versions. */
export function planDigest({ baseUrl, operations, changes }: Plan): string {
  // The canonical JSON of all three, with one change after the other: of 10,000 it has 15 MB.
  const hash = createHash('sha256').update(`{"baseUrl":${canonicalJson(baseUrl)},"changes":[`);
  for (const [index, change] of changes.entries())
    hash.update((index === 0 ? '' : ',') + canonicalJson(digested(change)));
  return hash.update(`],"operations":${canonicalJson(operations)}}`).digest('hex');
}

/** The base URL and the operations of the plan of a change. */
type PlannedIn = Pick<Plan, 'baseUrl' | 'operations'>;

/** The change with its digest, which is the same whatever else is planned. None where no review is needed. */
export function withDigest(change: Change, plan: PlannedIn): Change {
  return needsNoReview(change) ? change : { ...change, digest: digestOf(change, plan) };
}

export function withDigests(plan: Plan): readonly Change[] {
  return plan.changes.map((change) => withDigest(change, plan));
}

function digestOf(change: Change, { baseUrl, operations }: PlannedIn): string {
  const reviewed = { ...change, diff: change.diff.filter((entry) => !isRotation(entry)) };
  return sha256({ baseUrl, operations, ...digested(reviewed) });
}

/** The key by which a saved plan knows a change: its digest, or, if it needs no review, a digest of all that is shown of it. */
export function changeKey(change: Change, plan: PlannedIn): string {
  const { baseUrl, operations } = plan;
  return needsNoReview(change) ? sha256({ baseUrl, operations, ...digested(change) }) : digestOf(change, plan);
}

/** The reasons that only a difference gives. A plan that does not show the difference has no such change. */
const fromDifference: readonly Reason[] = ['changed', 'state-only'];

/** True if nothing is done but to send other secret values, or to remember what only people and `validate` read or Omni has. */
export function needsNoReview({ reason, previousAddress, diff }: Change): boolean {
  if (previousAddress !== undefined) return false;
  if (reason === 'as-declared') return diff.length === 0;
  if (diff.length === 0) return false;
  // An update whose answer was lost sends all the rest of its declaration again.
  if (reason === 'unresolved') return diff.every(isRotation);
  return fromDifference.includes(reason) && diff.every((entry) => isRemark(entry.path) || isRotation(entry));
}

/** True if the text of a secret is the same, and only the values of its variables differ. */
export function isRotation({ op, before, after, sensitive: isSecret }: FieldDiff): boolean {
  return isSecret && op === 'change' && typeof after === 'string' && before === after && isWholeText(after);
}

function digested({ address, action, id, previousAddress, kept, groups, diff: whole }: Change): JsonObject {
  const diff = whole.filter(({ path }) => !isRemark(path));
  // A move is recorded before the first request of its change. The rest of that change is what was reviewed: its id says of what.
  const isKnownById = id !== undefined && diff.length > 0;
  // Not what a refresh has found: whoever may write the state decides nothing there.
  const keptBefore = Object.fromEntries(
    (kept ?? []).flatMap(({ field, applied }) => (applied === undefined ? [] : [[field, applied]])),
  );
  return {
    address,
    action,
    ...(id === undefined ? {} : { id }),
    ...(previousAddress === undefined || isKnownById ? {} : { previousAddress }),
    ...(Object.keys(keptBefore).length === 0 ? {} : { kept: keptBefore }),
    ...(groups === undefined ? {} : { groups: { ...groups } }),
    diff: diff as readonly JsonObject[],
  };
}

function sha256(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
