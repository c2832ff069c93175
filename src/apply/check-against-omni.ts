// Checks a plan against Omni before anybody is asked. Checks that need no request come first, and the first one that
// refuses ends the apply. The plan is then compared with what Omni lists, and the changes to leave are decided.

import { identities } from '../model/fields/identity.ts';
import type { RunCost } from '../model/plan/apply-outcome.ts';
import type { ListedRows } from '../model/plan/observation.ts';
import type { RemoteDraft } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { ownerRefusals } from '../observe/owners/check-owners.ts';
import { unlessOpen } from '../observe/sending.ts';
import { noBaseUrl, type Service, secondsUntilSent } from '../observe/service.ts';
import type { CallOptions } from '../omni/api.ts';
import { followersOf } from '../plan/dashboard-filters.ts';
import { guardPlan } from '../plan/guard-plan.ts';
import { discardsDraft, requestsToSend } from '../plan/looks.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { madeForOther, unexpected } from '../plan/saved-plan.ts';
import type { ApplyPorts, ApplyRequest } from './apply-request.ts';
import { checkReviewed, reviewedIn } from './check-before-asking.ts';
import {
  type ActingUsers,
  actingUsersOf,
  type Claim,
  claimsOf,
  deliveredClaims,
  existingIn,
  madeIn,
  neededRows,
} from './claims.ts';
import type { Effects } from './effects.ts';
import type { ExecuteOptions } from './execute.ts';
import { duplicatesOf, judgeClaims, nothingTwice, rowsIn } from './judge-claims.ts';
import { leave, leftAmong, type Outline, recordedIn } from './leave.ts';
import { type ListedOnOthers, leftOnOthers, listedOnOthers, neighboursOf, rowsAsRecorded } from './other-dashboards.ts';
import { joinedLists, readLists } from './read-lists.ts';
import { withTargets } from './recipients-sent.ts';
import { dashboardNow, resolveGroups } from './resolve-groups.ts';
import { leftError, notStarted, type StepResult } from './results.ts';

/** Runs the checks that need no request. Throws the refusals of the first check that has any, as one Failure. */
export function checkPlan(proposal: Proposal, request: ApplyRequest, store: ApplyPorts['store']): void {
  const { document, selection } = proposal;
  if (selection.saved !== undefined) refuseAll(madeForOther(selection.saved, document));
  refuseAll(guarded(proposal, request));
  refuseAll(tooLarge(proposal, store));
  if (document.baseUrl === null) throw noBaseUrl();
}

/** Reads the lists that show what the plan relies on, with other rows, unless a look has read them. */
export async function listsFor(
  { steps, document, observation, inputs }: Proposal,
  service: Service,
): Promise<OmniFacts> {
  // A base URL that may not be used is refused before anybody is asked to confirm.
  if (document.requests > 0) await service.api();
  // Future owners must exist. Their lists are known by their membership ids.
  const owned = steps.filter(({ change }) => identities[change.kind].isOwners);
  const refused = byAddress(await ownerRefusals(owned, service));
  const { actingUsers, claims } = await reliedOn({ steps, document, inputs }, refused, service);
  // The row of a schedule that follows a filter proves, with its details, who receives it.
  const followers = [...followersOf({ steps, document }, inputs.state).values()].flatMap((each) => [...each.keys()]);
  const read = inputs.state === undefined ? [] : deliveredClaims(followers, inputs.state);
  const known = [...claims, ...neighboursOf(claims, inputs.state)];
  const rowsRead = await readLists(neededRows([...known, ...read], observation?.listed ?? {}), service, refused);
  const listed = joinedLists(observation?.listed ?? {}, rowsRead);
  return {
    rowsRead,
    refused,
    listed,
    elsewhere: listedOnOthers(known, rowsIn(listed), inputs.state),
    made: madeIn(claims),
    actingUsers,
  };
}

/** What the steps that are not refused rely on. */
async function reliedOn(
  planned: Pick<Proposal, 'steps' | 'document' | 'inputs'>,
  refused: ReadonlyMap<Address, Failure>,
  service: Service,
) {
  const fit = planned.steps.filter(({ change }) => !refused.has(change.address));
  const actingUsers = await actingUsersOf(fit, service);
  return { actingUsers, claims: withoutRefused(claimsOf(planned, actingUsers), refused) };
}

/** Nothing is made at the addresses that are refused. The ids of what is there are proven all the same: what takes away is sent. */
function withoutRefused(claims: readonly Claim[], refused: ReadonlyMap<Address, Failure>): readonly Claim[] {
  return claims.filter(({ use, address }) => use !== 'make' || !refused.has(address));
}

function byAddress(refusals: readonly Failure[]): Map<Address, Failure> {
  return new Map(refusals.flatMap((each) => (each.addresses ?? []).map((address) => [address, each] as const)));
}

interface OmniFacts {
  /** The reasons why a resource can have no owner, or is made on a list that Omni refuses, by address. */
  readonly refused: ReadonlyMap<Address, Failure>;
  /** The rows that were read for the plan. */
  readonly rowsRead: ListedRows;
  /** The same rows with those of a look. */
  readonly listed: ListedRows;
  /** Resources to look at because they are listed on another dashboard. */
  readonly elsewhere: ListedOnOthers;
  /** The resources that are made on lists that were read whole. */
  readonly made: ReadonlySet<Address>;
  readonly actingUsers: ActingUsers;
}

interface CheckResult extends Pick<ExecuteOptions, 'existing' | 'actingUsers' | 'drafts'> {
  /** The proposal without what is left, and with the ids of the user groups that are sent to. */
  readonly proposal: Proposal;
}

/** Throws the refusals of the first check that has any, as one Failure. */
export async function checkAgainstOmni(
  proposal: Proposal,
  outline: Outline,
  relied: OmniFacts,
  request: ApplyRequest,
  { service, store, reporter, others }: ApplyPorts,
): Promise<CheckResult> {
  const { document, steps, selection, inputs } = proposal;
  const { expect } = request;
  const reviewed = reviewedIn(request);
  if (expect !== undefined && expect !== outline.proposal.document.digest) refuseAll(unexpected(expect, document));
  const refused = new Map([...relied.refused, ...byAddress(await ownerRefusals(steps, service))]);
  const { actingUsers, claims } = await reliedOn(proposal, refused, service);
  // A resource that turns out to be gone is made again.
  const claimsToReread = claims.filter((claim) => claim.use === 'make' && !relied.made.has(claim.address));
  const rowsReread = await readLists(neededRows(claimsToReread, relied.listed), service, refused);
  const foundRows = joinedLists(relied.rowsRead, rowsReread);
  const listed = joinedLists(relied.listed, foundRows);
  const rows = rowsAsRecorded(rowsIn(listed), outline.formerly);
  const unproven = judgeClaims(proposal, { claims, rows, isReviewed: reviewed !== undefined });
  checkPlan(proposal, request, store);
  if (reviewed !== undefined) checkReviewed(proposal, outline.proposal, reviewed, rows, unproven);
  const onOthers = leftOnOthers(steps, rows, outline.around, inputs.state);
  // Nothing is sent for a resource that is left and does not exist yet.
  const sending = steps.filter((step) => step.change.id !== undefined || !onOthers.has(step));
  const isShown = selection.refresh !== undefined || !request.autoApprove;
  const groups = await resolveGroups(proposal, { steps: sending, recordedOf: recordedIn(outline), isShown }, service);
  const ofOwners = leftAmong(steps, ({ change }) => refused.get(change.address));
  const drafts = await readDrafts(proposal, service);
  const ofDrafts = leftAmong(isShown ? [] : steps, ({ change: { address } }) =>
    drafts.has(address) ? keptDraft(address, drafts.get(address)) : undefined,
  );
  for (const [address, seen] of isShown ? drafts : []) {
    const message = discardWords(address, seen);
    if (message !== undefined) reporter.emit({ type: 'note', message });
  }
  const findings = [...proposal.findings, ...groups.findings];
  const sendable = withoutRefused(claims, refused);
  const isMaking = sendable.some(({ use }) => use === 'make');
  const mayBeTwice = isMaking && !request.allow?.duplicates;
  const found = mayBeTwice ? duplicatesOf(proposal, sendable, foundRows) : nothingTwice;
  const isTwice = found.whole.length + found.left.size > 0;
  const again = isTwice ? duplicatesOf(proposal, sendable, foundRows, await others?.()) : found;
  refuseAll(again.whole);
  // Where a step has two reasons, the later one is said.
  const leftSteps = new Map([ofDrafts, groups.left, ofOwners, onOthers, again.left].flatMap((left) => [...left]));
  const keptProposal = leave({ ...proposal, findings }, outline, request, {
    leftSteps,
    unproven,
    groups: groups.targets,
    rows,
  });
  const aimed = keptProposal.steps.map((step) => withTargets(step, groups.targets.get(step.change.address)));
  const sent = {
    ...keptProposal,
    steps: aimed,
    document: { ...keptProposal.document, requests: requestsToSend(keptProposal) },
  };
  // The part of the lists that the journal keeps.
  const existing = isMaking ? existingIn(sendable, foundRows, inputs.state) : undefined;
  return { proposal: sent, actingUsers, existing, drafts };
}

/** Refuses blocked changes, orphans and mass removals, all at once. */
function guarded(
  { document, inputs, guardContext }: Proposal,
  { force, allow, autoApprove = false }: ApplyRequest,
): readonly Failure[] {
  const { safety } = inputs.config;
  return guardPlan(
    document,
    {
      maxDeletePercent: safety.maxDeletePercent,
      allow: { ...allow, orphans: safety.allowOrphans || allow?.orphans },
      isUnattended: autoApprove,
      force: force === true,
    },
    guardContext,
  );
}

const encoder = new TextEncoder();

/** Refuses a state that would be too large: results must be recorded, so one that grows keeps a tenth of its room for them. */
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

/** The cost of carrying out the plan, with the requests sent for it so far; undefined if it takes none. */
export function costOf({ document }: Proposal, service: Service): RunCost | undefined {
  const { requests: toCome } = document;
  const sent = service.sent();
  if (toCome + sent === 0) return undefined;
  return { requests: sent + toCome, sent, seconds: secondsUntilSent(toCome, service) };
}

// The drafts that a PATCH with clearExistingDraft would discard: all editors of a dashboard share one. Whoever discards it has seen
// whose it is: a person who is asked, or an apply with an explicit --refresh. One that was edited after that stays.

/** The drafts that were seen, by address; undefined if Omni does not list them. */
export type SeenDrafts = ReadonlyMap<Address, readonly RemoteDraft[] | undefined>;

/** Sends one request for each dashboard. Throws what the service throws. */
async function readDrafts(proposal: Proposal, service: Service): Promise<SeenDrafts> {
  const drafts = new Map<Address, readonly RemoteDraft[] | undefined>();
  for (const step of proposal.steps) {
    if (!discardsDraft(step, proposal)) continue;
    const api = await service.api();
    const asked = api.listDrafts(dashboardNow(step), service.call);
    drafts.set(step.change.address, await unlessOpen(asked));
  }
  return drafts;
}

/** Returns undefined if nothing is discarded. */
function discardWords(address: Address, drafts: readonly RemoteDraft[] | undefined): string | undefined {
  if (drafts === undefined) return `Omni does not say whether ${address} discards a draft (clearExistingDraft).`;
  return drafts.length === 0 ? undefined : `${address} discards ${drafts.map(draftWords).join(' and ')}.`;
}

function draftWords({ by, editedAt }: RemoteDraft): string {
  const whose = by === undefined ? 'a draft of somebody whom Omni does not name' : `the draft of ${by}`;
  return editedAt === undefined
    ? whose
    : `${whose}, edited on ${new Date(editedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Returns the reason for leaving a PATCH that would discard drafts to which nobody has agreed, such as one edited since. */
function keptDraft(address: Address, drafts: readonly RemoteDraft[] | undefined): Failure | undefined {
  const words = discardWords(address, drafts);
  if (words === undefined) return undefined;
  return new Failure('blocked', `${words} Nobody has confirmed that, so the change is not sent.`, {
    addresses: [address],
    hint: `Publish or discard the draft in Omni, or run \`${command('apply', '--target', address)}\` by hand, which names it and asks.`,
  });
}

/** Leaves a change whose draft was edited after somebody had seen whose it is. */
export async function whyDraftStays(
  step: Step,
  options: CallOptions,
  { proposal, ports, drafts, effects }: DraftsOfRun,
): Promise<Omit<StepResult, 'requests'> | undefined> {
  const { address } = step.change;
  // Drafts that Omni did not list then, it does not list now.
  if (!discardsDraft(step, proposal) || drafts.get(address) === undefined) return undefined;
  const draftsAnswer = await effects.ask(async () =>
    (await ports.service.api()).listDrafts(dashboardNow(step), options),
  );
  if (draftsAnswer.status === 'skipped') return { status: 'skipped', error: notStarted(draftsAnswer.halt) };
  if (draftsAnswer.status !== 'applied') return { status: 'failed', error: draftsAnswer.error };
  const kept = keptDraft(address, editedSince(drafts, address, draftsAnswer.created));
  return kept && { status: 'skipped', error: leftError(kept) };
}

/** The run that asks for the drafts once more, right before its request. */
interface DraftsOfRun {
  readonly proposal: Proposal;
  readonly ports: { readonly service: Service };
  readonly drafts: SeenDrafts;
  readonly effects: Effects;
}

function editedSince(seenDrafts: SeenDrafts, address: Address, now: readonly RemoteDraft[]): readonly RemoteDraft[] {
  const known = seenDrafts.get(address) ?? [];
  return now.filter(({ by, editedAt }) => !known.some((each) => each.by === by && each.editedAt === editedAt));
}
