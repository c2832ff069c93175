// What refuses a plan that is made, in one list and in the order in which it is checked. What needs no request comes first;
// the first check that refuses ends the apply. What is refused before, the story in apply.ts says.

import type { RunCost } from '../model/plan/apply-outcome.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import type { PlanDocument } from '../model/plan/plan.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import { type Failure, refuseAll } from '../model/workspace/failure.ts';
import { guardPlan } from '../plan/block.ts';
import { ownerRefusals } from '../service/owners/owner-refusals.ts';
import { noBaseUrl, type Service, secondsUntilSent } from '../service/service.ts';
import type { ApplyPorts, ApplyRequest } from './apply-request.ts';
import { duplicatesOf, existingOn, listExisting, makesSchedules } from './create-guard.ts';
import type { Proposal } from './propose/propose.ts';
import { staleness, unexpected } from './propose/saved-plan.ts';

/** What the checks have learned. */
interface Checked {
  /** Undefined where nothing was listed. */
  readonly existing: JournalHeader['existing'];
}

/** Throws the refusals of the first check that has any, as one Failure. */
export async function refuse(proposal: Proposal, request: ApplyRequest, { service }: ApplyPorts): Promise<Checked> {
  const { document, steps } = proposal;
  const { saved, expect } = request;
  // It is not the plan that was reviewed.
  if (expect !== undefined) refuseAll(unexpected(expect, document));
  if (saved !== undefined) refuseAll(staleness(saved, proposal));
  refuseAll(guarded(proposal, request));
  if (document.baseUrl === null) throw noBaseUrl();
  // Whoever is to own something must be there.
  refuseAll(await ownerRefusals(steps, service));
  const listed = await list(proposal, service);
  if (listed !== undefined && !request.allowDuplicates) refuseAll(duplicatesOf(proposal, listed));
  return { existing: listed && existingOn(proposal, listed) };
}

/** Blocked changes, orphans and mass removals, all at once. */
function guarded(
  { document, basis, guardContext }: Proposal,
  { force, allowOrphans }: ApplyRequest,
): readonly Failure[] {
  const { safety } = basis.config;
  return guardPlan(
    document,
    { ...safety, force: force === true, allowOrphans: allowOrphans || safety.allowOrphans },
    guardContext,
  );
}

/** Connects first: a base URL that may not be used is refused before anybody is asked to confirm. */
async function list(proposal: Proposal, service: Service): Promise<readonly ListedSchedule[] | undefined> {
  if (requestsOf(proposal.document) === 0) return undefined;
  const api = await service.api();
  const isListed = proposal.document.operations === 'full' && makesSchedules(proposal);
  return isListed ? listExisting(proposal, api, service.call) : undefined;
}

/** What carrying out the plan costs; undefined where it sends nothing. */
export function costOf(document: PlanDocument, service: Service): RunCost | undefined {
  const toCome = requestsOf(document);
  if (toCome === 0) return undefined;
  const sent = service.sent();
  return { requests: sent + toCome, sent, seconds: secondsUntilSent(toCome, service) };
}

function requestsOf({ changes }: PlanDocument): number {
  return changes.reduce((sum, { requests }) => sum + requests, 0);
}
