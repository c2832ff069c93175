// What a plan that is made is checked by before anybody is asked, in this order: what needs no request comes first, and the first
// check that refuses ends the apply. What is refused before, the story in apply.ts says.

import { identities } from '../model/fields/identity.ts';
import type { RunCost } from '../model/plan/apply-outcome.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import type { Listed } from '../model/plan/observation.ts';
import type { Change } from '../model/plan/plan.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { ownerRefusals } from '../observe/owners/check-owners.ts';
import { noBaseUrl, type Service, secondsUntilSent } from '../observe/service.ts';
import { guardPlan } from '../plan/guard-plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { digestsIn, madeForOther, unexpected } from '../plan/saved-plan.ts';
import type { ApplyPorts, ApplyRequest } from './apply-request.ts';
import { checkReviewed, noteRefused } from './check-before-asking.ts';
import { claimsOf, existingIn, type Makers, makersOf, neededRows } from './claims.ts';
import { followRenamed, leftOnRenamed, neighboursOf, onRenamed, renamedWords } from './follow-renamed.ts';
import { duplicatesOf, judgeClaims, type Left, rowsIn } from './judge-claims.ts';
import { joinedLists, readLists } from './read-lists.ts';
import { type GroupTargets, resolveGroups } from './resolve-groups.ts';

/** What the checks have learned. */
interface Checked {
  /** What is sent about renamed dashboards goes to them. */
  readonly proposal: Proposal;
  /** What the journal keeps of the list; undefined where nothing is made, or nothing can be listed. */
  readonly existing: JournalHeader['existing'];
  /** The user groups that are sent to. */
  readonly groups: GroupTargets;
  /** The rows that were needed, with others. */
  readonly listed: Listed;
  readonly makers: Makers;
  readonly left: Left;
}

/** Throws the refusals of the first check that has any, as one Failure. */
export async function checkAgainstOmni(
  proposal: Proposal,
  request: ApplyRequest,
  { service, store, reporter }: ApplyPorts,
): Promise<Checked> {
  const { document, steps, seen, selection, inputs } = proposal;
  const { expect } = request;
  const reviewed = reviewedIn(request);
  // It is not the plan that was reviewed.
  if (expect !== undefined) refuseAll(unexpected(expect, document));
  if (selection.saved !== undefined) refuseAll(madeForOther(selection.saved, document));
  refuseAll(guarded(proposal, request));
  refuseAll(tooLarge(proposal, store));
  if (document.baseUrl === null) throw noBaseUrl();
  // A base URL that may not be used is refused before anybody is asked to confirm.
  if (requestsOf(document.changes) > 0) await service.api();
  // Whoever is to own something must be there. The lists of members are known by who that is.
  const owned = steps.filter(({ change }) => identities[change.kind].isOwners);
  refuseAll(await ownerRefusals(owned, service));
  const makers = await makersOf(steps, service);
  const claims = claimsOf(proposal, makers);
  const known = [...claims, ...neighboursOf(claims, inputs.state)];
  const found = await readLists(neededRows(known, seen?.listed ?? {}), service);
  const listed = joinedLists(seen?.listed ?? {}, found);
  const followed = await followRenamed(known, rowsIn(listed), inputs.state, service, seen?.observed);
  const { rows } = followed;
  const isWhole = isAllOrNothing(request);
  const unseen = judgeClaims(proposal, { claims, rows, isReviewed: reviewed !== undefined, isWhole });
  if (reviewed !== undefined) checkReviewed(proposal, reviewed, rows);
  refuseAll(await ownerRefusals(steps, service));
  const sent = { ...proposal, steps: onRenamed(steps, followed, inputs.state) };
  const renamed = leftOnRenamed(sent.steps);
  if (isWhole) refuseAll([...new Set(renamed.values())]);
  const left = new Map([...unseen, ...renamed]);
  const groups = await resolveGroups(sent, service);
  const isMaking = claims.some(({ use }) => use === 'make');
  if (isMaking && !request.allowDuplicates) refuseAll(duplicatesOf(proposal, claims, found));
  const existing = isMaking ? existingIn(claims, found, inputs.state) : undefined;
  // A look names them among its findings.
  noteRefused(unseen, reporter);
  noteRefused(renamed, reporter, 'dashboard-renamed');
  if (seen === undefined)
    for (const message of renamedWords(sent.steps, left))
      reporter.emit({ type: 'note', code: 'dashboard-renamed', message });
  return { proposal: sent, listed, makers, groups, existing, left };
}

/** Whether one change that is not sent stops all of them. */
export function isAllOrNothing({ expect, saved, failFast }: ApplyRequest): boolean {
  return expect !== undefined || saved !== undefined || failFast === true;
}

/** The digests of the changes that were reviewed; undefined where any change may be applied. */
export function reviewedIn({ saved, expectChanges }: ApplyRequest): ReadonlySet<string> | undefined {
  return expectChanges ?? (saved && digestsIn(saved));
}

/** Blocked changes, orphans and mass removals, all at once. */
function guarded(
  { document, inputs, guardContext }: Proposal,
  { force, allowOrphans, allowBehind = false, autoApprove = false }: ApplyRequest,
): readonly Failure[] {
  const { safety } = inputs.config;
  return guardPlan(
    document,
    {
      ...safety,
      allowBehind,
      isUnattended: autoApprove,
      force: force === true,
      allowOrphans: allowOrphans || safety.allowOrphans,
    },
    guardContext,
  );
}

const encoder = new TextEncoder();

/** What was sent must be recorded, so a state that grows keeps a tenth of its room for what becomes of the requests. */
function tooLarge(
  { steps, inputs: { state } }: Proposal,
  { name, mostBytes = Number.POSITIVE_INFINITY }: ApplyPorts['store'],
): readonly Failure[] {
  const sizeOf = (value: unknown) => encoder.encode(JSON.stringify(JSON.stringify(value ?? {}, null, 2))).length;
  const growth = steps.reduce((sum, { before, after }) => sum + sizeOf(after) - sizeOf(before), 0);
  const bytes = sizeOf(state) + growth;
  if (growth <= 0 || bytes <= mostBytes * 0.9) return [];
  const [size, limit] = [bytes, mostBytes].map((each) => `${(each / 1e6).toFixed(1)} MB`);
  const message = `With these changes the state would have ${size}, and ${name} takes at most ${limit}, of which a tenth stays free.`;
  return [new Failure('refused', message, { hint: 'Divide the workspace: each part has a state of its own.' })];
}

/** What carrying out the plan costs without what is left, with what was asked for it; undefined where it takes no request. */
export function costOf({ steps }: Proposal, left: Left, service: Service): RunCost | undefined {
  const toCome = requestsOf(steps.filter((step) => !left.has(step)).map(({ change }) => change));
  const sent = service.sent();
  if (toCome + sent === 0) return undefined;
  return { requests: sent + toCome, sent, seconds: secondsUntilSent(toCome, service) };
}

function requestsOf(changes: readonly Change[]): number {
  return changes.reduce((sum, { requests }) => sum + requests, 0);
}
