// Everything that can refuse a plan, in one list and in the order in which it is checked. What needs no request comes
// first; the first check that refuses ends the apply.

import type { RunCost } from '../../model/plan/apply-outcome.ts';
import type { JournalHeader } from '../../model/plan/journal.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { guardPlan } from '../../plan/guard.ts';
import { ownerRefusals } from '../owners/owner-refusals.ts';
import type { Proposal } from '../propose/propose.ts';
import { stalenessOf, unexpected } from '../propose/saved-plan.ts';
import { noBaseUrl, type Service, secondsUntilSent } from '../service/service.ts';
import type { ApplyPorts, ApplyRequest } from './apply-request.ts';
import { duplicatesOf, existingOn, listExisting, makesSchedules } from './create-guard.ts';
import { type Refusal, throwRefusals } from './refusal.ts';

interface Candidate {
  readonly proposal: Proposal;
  readonly request: ApplyRequest;
  readonly ports: ApplyPorts;
}

type Check = (candidate: Candidate) => readonly Refusal[] | Promise<readonly Refusal[]>;

const checks: readonly Check[] = [stale, guarded, baseUrlMissing, owners];

/** What the checks have learned. */
interface Checked {
  /** Undefined where nothing was listed. */
  readonly existing: JournalHeader['existing'];
}

/** Throws the refusals of the first check that has any, as one Failure. */
export async function refuse(proposal: Proposal, request: ApplyRequest, ports: ApplyPorts): Promise<Checked> {
  const candidate = { proposal, request, ports };
  for (const check of checks) throwRefusals(await check(candidate));
  const listed = await list(candidate);
  if (listed !== undefined && !request.allowDuplicates) throwRefusals(duplicatesOf(proposal, listed));
  return { existing: listed && existingOn(proposal, listed) };
}

/** It is not the plan that was reviewed. */
function stale({ proposal, request: { saved, expect } }: Candidate): readonly Refusal[] {
  const why =
    (expect === undefined ? undefined : unexpected(expect, proposal.document)) ??
    (saved === undefined ? undefined : stalenessOf(saved, proposal));
  return why === undefined ? [] : [{ code: 'plan-stale', ...why }];
}

/** Blocked changes, orphans and mass removals, all at once. */
function guarded({ proposal, request: { force, allowOrphans } }: Candidate): readonly Refusal[] {
  const { document, basis, guardContext } = proposal;
  const { safety } = basis.config;
  const policy = { ...safety, force, allowOrphans: allowOrphans || safety.allowOrphans };
  return guardPlan(document, policy, guardContext).map((refusal) => ({ code: 'blocked', ...refusal }));
}

function baseUrlMissing({ proposal }: Candidate): readonly Refusal[] {
  if (proposal.document.baseUrl !== null) return [];
  const { message, hint = '' } = noBaseUrl();
  return [{ code: 'missing-base-url', message, hint }];
}

/** Whoever is to own something must be there. */
function owners({ proposal, ports }: Candidate): Promise<readonly Refusal[]> {
  return ownerRefusals(proposal.steps, ports.service);
}

/** Connects first: a base URL that may not be used is refused before anybody is asked to confirm. */
async function list({ proposal, ports }: Candidate): Promise<readonly ListedSchedule[] | undefined> {
  if (requestsOf(proposal.document) === 0) return undefined;
  const api = await ports.service.api();
  const isListed = proposal.document.operations === 'full' && makesSchedules(proposal);
  return isListed ? listExisting(proposal, api, ports.service.call) : undefined;
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
