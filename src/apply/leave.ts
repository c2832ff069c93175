// Decides, once and before anybody is asked, which changes an apply leaves. A change is left if this run
// could not read what it changes, or if it would undo what somebody changed in Omni and nobody who may decide that has seen
// it. A change that is left still sends what only takes something away: a pause, and the removal of those no longer declared.

import { userGroupsIn, withPaused, withUserGroups } from '../model/fields/attributes.ts';
import type { Observation, Observed } from '../model/plan/observation.ts';
import type { Change, FieldDiff, PlanDocument } from '../model/plan/plan.ts';
import { groupsOf, type StateResource, trackedAt } from '../model/plan/state.ts';
import type { Groups, RecordedGroup } from '../model/plan/user-groups.ts';
import type { Address } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { equalJson, type Json, type JsonObject } from '../model/values/json.ts';
import { isWithin, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { maskAttributes } from '../model/values/secret.ts';
import { nameSome, shortText } from '../model/values/words.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { followersOf } from '../plan/dashboard-filters.ts';
import { diffAttributes } from '../plan/difference.ts';
import { needsNoReview } from '../plan/digest.ts';
import { notShownIn, withObserved } from '../plan/drift.ts';
import { type Step, stepOf, summarise } from '../plan/plan.ts';
import { plannedAs } from '../plan/planned-as.ts';
import { dangersOf, type Proposal } from '../plan/proposal.ts';
import { onlyTakes, type RequestKind, requestsOf, sendsDeclaration } from '../plan/requests.ts';
import { governed, ofReceivers } from '../plan/sinks.ts';
import type { ApplyRequest } from './apply-request.ts';
import { keyOf, reviewedIn } from './check-before-asking.ts';
import { areGroupsKnown, emailsReceived, groupsBefore, recipientsSent, withTargets } from './recipients-sent.ts';
import type { GroupTargets } from './resolve-groups.ts';

/** Steps that are left, each with the reason. */
export type LeftSteps = ReadonlyMap<Step, Failure>;

/** The plan as it was before a look at what it changes. */
export interface Outline {
  readonly proposal: Proposal;
  /** The addresses that had to be looked at, as the state names them. */
  readonly touched: ReadonlySet<Address>;
  /** All that was looked at, including followers of a dashboard's filters that change. */
  readonly around: Observed;
  readonly formerly: Observation['formerly'];
}

/** What the checks against Omni have found. */
interface Checked {
  /** The steps that are left for reasons of their own. */
  readonly leftSteps: LeftSteps;
  /** The steps whose ids are not proven to be theirs. */
  readonly unproven: LeftSteps;
  readonly groups: GroupTargets;
  /** The rows that Omni lists, by id. */
  readonly rows: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

/** Throws Failure blocked if one change stops all of them. */
export function leave(
  proposal: Proposal,
  outline: Outline,
  request: ApplyRequest,
  { leftSteps, unproven, groups, rows }: Checked,
): Proposal {
  const { steps, document } = proposal;
  const drifts = new Map(document.drift.map((drift) => [drift.address, drift]));
  const own = steps.map((step, index) =>
    step.change.blocked === undefined
      ? (unproven.get(step) ??
        leftUnread(step, proposal, outline) ??
        leftAsUndoing(step, document.changes[index], drifts, proposal, request) ??
        leftAsRotation(step, document.changes[index], proposal, request) ??
        leftSteps.get(step))
      : undefined,
  );
  const isSent = new Set(
    steps.flatMap(({ change: { address, previousAddress = address }, calls }, index) =>
      own[index] || calls.length === 0 ? [] : previousAddress,
    ),
  );
  const followers = followersOf(proposal, proposal.inputs.state);
  const reasons = steps.map((step, index) => own[index] ?? leftForFollower(step, followers.get(step), isSent, outline));
  const distinct = [...new Set(reasons.flatMap((left) => left ?? []))];
  if (isAllOrNothing(request)) refuseAll(distinct.map(refusalOfAll));
  const before = new Map(
    outline.proposal.steps.map((step, index) => [
      keyOf(step.change),
      { step, shown: outline.proposal.document.changes[index] },
    ]),
  );
  const keptSteps = steps.map((step, index) => {
    const left = reasons[index];
    const recorded = before.get(keyOf(step.change))?.step ?? step;
    const { address, id = '' } = step.change;
    const restOf = (why: Failure, isShown: boolean) =>
      leftStep(step, recorded, why, groups.get(address), rows.has(id), isShown);
    if (left === undefined) return { ...step, ifLeft: (why: Failure) => restOf(why, false) };
    return step.isUnproven || unproven.has(step) ? nothingOf(step, recorded, left) : restOf(left, true);
  });
  if (distinct.length === 0) return { ...proposal, steps: keptSteps };
  const changes = document.changes.map((change, index): Change => {
    const step = keptSteps[index];
    if (step === undefined || reasons[index] === undefined) return change;
    return step.left === undefined
      ? { ...(before.get(keyOf(step.change))?.shown ?? change), requests: step.calls.length }
      : { ...step.change, digest: change.digest };
  });
  const recorded = groupsOf(proposal.inputs.state);
  const sent = keptSteps.flatMap((step) => (step.left === undefined ? step : takingOf(step, recorded)));
  const plan = { ...document, changes: sent.map(({ change }) => change) };
  const dangers = dangersOf({ plan, steps: sent }, proposal.inputs, request, proposal.dashboards);
  const summary = summarise(changes, document.summary.noop);
  return { ...proposal, steps: keptSteps, document: { ...document, summary, changes, dangers } };
}

/** The part of a change that is sent although the change is left, as dangers judge it. */
function takingOf(step: Step, groups: Groups): readonly Step[] {
  const { delivered: _, ...work } = step;
  const { calls, change, before = {}, after = {} } = work;
  if (calls.length === 0) return [];
  const [was, is] = [maskAttributes(before), maskAttributes(after)];
  const diff = diffAttributes(change.kind, was, is);
  return [stepOf({ ...work, change: { ...change, before: was, after: is, diff } }, groups)];
}

/** The refusal of the whole plan, which says below each change why that is left. */
function refusalOfAll(left: Failure): Failure {
  const { message, hint, addresses: [address] = [] } = left;
  const isNamed = address === undefined || message.includes(address);
  return left.with({
    message: isNamed ? message : `${address} is not sent. ${message}`,
    hint: [hint, 'Nothing was sent.'].join(' ').trim(),
  });
}

/** True if one change that is not sent stops all of them. */
function isAllOrNothing({ expect, saved, failFast }: ApplyRequest): boolean {
  return expect !== undefined || saved !== undefined || failFast === true;
}

/** The reason for leaving a change whose resource could not be read: it is not known what would be undone. */
function leftUnread({ change }: Step, { observation }: Proposal, { touched }: Outline): Failure | undefined {
  const { address, previousAddress = address, left } = change;
  if (left !== undefined) return new Failure('blocked', left, { addresses: [address] });
  if (!touched.has(previousAddress) || observation?.observed.has(previousAddress)) return undefined;
  const found = observation?.findings.find(
    (finding) => finding.address === previousAddress && finding.code === 'not-observed',
  );
  const message = found?.message ?? `Almanac cannot tell what became of \`${previousAddress}\`.`;
  return new Failure('blocked', message, { addresses: [address], hint: found?.hint });
}

/**
 * The reason for leaving a change that would undo what others changed. A person who sees the plan, a review that showed it, or an
 * explicit refresh may undo it. `shown` is the change with its digest, which holds what is undone.
 */
function leftAsUndoing(
  { change, calls, sinks }: Step,
  shown: Change | undefined,
  drifts: ReadonlyMap<Address, PlanDocument['drift'][number]>,
  proposal: Proposal,
  request: ApplyRequest,
): Failure | undefined {
  const { address, previousAddress = address, kind, action, reason } = change;
  const drift = drifts.get(previousAddress);
  if (drift === undefined || calls.length === 0 || action === 'delete') return undefined;
  // No PATCH holds those, and a sink takes the place of everybody.
  const never = new Set([...(plannedAs[kind].patched?.never ?? []), ...(sinks ? governed : [])]);
  const isStoredSo = storedOtherwise(trackedAt(proposal.inputs.state, previousAddress));
  const otherDiffs = notShownIn(drift.diff, (field) => !never.has(field)).filter(({ path }) => !isStoredSo(path));
  if (otherDiffs.length === 0 || isShown(shown, proposal, request)) return undefined;
  // The list alone shows nothing that would make an update where the declaration did not change.
  const depth = reason === 'requested' ? '--refresh=deep' : '--refresh';
  const hint = otherDiffs.some(isAllGone) ? keepGone(address) : keepOrUndo(address, depth);
  return new Failure('blocked', undoingWords(address, otherDiffs), { addresses: [address], hint });
}

/** True if a person sees this plan before it is sent, a review has shown the change, or an explicit refresh asks for it. */
function isShown(change: Change | undefined, { document, selection }: Proposal, request: ApplyRequest): boolean {
  const { expect, autoApprove } = request;
  const reviewed = reviewedIn(request);
  if (expect !== undefined) return expect === document.digest;
  if (reviewed !== undefined) return reviewed.has(change?.digest ?? '');
  return !autoApprove || selection.refresh !== undefined;
}

/**
 * The reason for leaving a change of which no review is asked, because only the value of a secret differs: its request holds the
 * whole declaration, and so would set what no apply has sent. A body without that would take it off.
 */
function leftAsRotation(
  { change, calls, unread = [] }: Step,
  shown: Change | undefined,
  proposal: Proposal,
  request: ApplyRequest,
): Failure | undefined {
  const { address, previousAddress = address } = change;
  if (!needsNoReview(change) || !sendsDeclaration(calls.map(({ send }) => send))) return undefined;
  if (isShown(shown, proposal, request)) return undefined;
  const { adopted, createdAt, updatedAt } = trackedAt(proposal.inputs.state, previousAddress) ?? {};
  const isUnsent = adopted === true && createdAt === updatedAt;
  if (unread.length === 0 && !isUnsent) return undefined;
  const names = unread.map((path) => pointerSegments(path).join('.') || path);
  const what = names.length === 0 ? 'all of it, as nothing was sent since it was adopted' : nameSome(names);
  const message = `The value of a secret of ${address} has changed, and the update that sends it would set what no apply has sent and nobody has reviewed: ${what}.`;
  const hint = `Change something else of it in a pull request, whose plan shows what becomes its own, or run \`${command('apply', '--refresh', '--target', address)}\`.`;
  return new Failure('blocked', message, { addresses: [address], hint });
}

/** Filters that Omni never stored as they were sent are nobody's change: an update sends them again, and is read back. */
function storedOtherwise({ notReadBack }: Partial<StateResource> = {}): (path: string) => boolean {
  const sent = notReadBack?.other === undefined ? {} : notReadBack.sent;
  return (path) => Object.keys(sent).some((id) => isWithin(path, pointerTo('filterConfig', id)));
}

/** True for a resource that is gone from Omni as a whole. */
function isAllGone({ path }: FieldDiff): boolean {
  return path === '';
}

/** No command removes a declaration. */
function keepGone(address: Address): string {
  return `To undo it, run \`${command('apply', '--refresh', '--target', address)}\`; to keep it, remove its declaration.`;
}

function undoingWords(address: Address, diff: readonly FieldDiff[]): string {
  if (diff.some(isAllGone)) return `Somebody deleted ${address} in Omni, and this change would create it again.`;
  return `This change would undo what somebody changed in ${address} in Omni, and no plan has shown that: ${nameSome(diff.map(differenceWords))}.`;
}

/**
 * The reason for leaving a change of a dashboard's filter, which updates the schedules that follow it, if one goes to a receiver
 * whom no plan has shown. `isSent` holds the addresses that this plan changes itself, in the order that it takes.
 */
function leftForFollower(
  { change, after }: Step,
  followers: ReadonlyMap<Address, StateResource> = new Map(),
  isSent: ReadonlySet<Address>,
  { around }: Outline,
): Failure | undefined {
  for (const [address, prior] of followers) {
    if (isSent.has(address)) continue;
    const observed = around.get(address);
    const hint = keepOrUndo(address, '--refresh=deep');
    const [on, name] = [prior.attributes['identifier'], after?.['identifier']];
    // Only a list of dashboards tells a new name from another dashboard.
    const where = on === name ? '' : ` if ${String(on)} is called ${String(name)} now`;
    const refused = (words: string) =>
      new Failure('blocked', `This change makes ${address} show different rows${where}, and ${words}`, {
        addresses: [change.address],
        hint,
      });
    if (observed === undefined || (observed.found && observed.doubt !== undefined))
      return refused('Almanac cannot tell who receives it.');
    const { drift } = withObserved({ address, prior }, observed);
    if (!observed.found || drift === undefined) continue;
    // A removed receiver is shown nothing.
    const otherDiffs = notShownIn(drift.diff, (field, op) => op !== 'remove' && ofReceivers.has(field));
    if (otherDiffs.length > 0)
      return refused(
        `somebody changed its recipients in Omni, which no plan has shown: ${nameSome(otherDiffs.map(differenceWords))}.`,
      );
  }
  return undefined;
}

/** `schedule "0 9 ? * MON *" -> "0 7 ? * TUE *"`, or `+ recipients "eve@acme.com"`. */
export function differenceWords({ path, op, before, after }: FieldDiff): string {
  const field = pointerSegments(path)
    .filter((part) => !/^(?:\d+|-)$/.test(part))
    .join('.');
  // A secret is masked in a difference.
  const words = (value: Json = null) => shortText(JSON.stringify(value), 60);
  if (op === 'change') return `${field} ${words(before)} -> ${words(after)}`;
  return op === 'add' ? `+ ${field} ${words(after)}` : `- ${field} ${words(before)}`;
}

/** The hint for changes that others made, in words. */
export function keepOrUndo(address: Address, depth: '--refresh' | '--refresh=deep' = '--refresh'): string {
  return `To undo it, run \`${command('apply', depth, '--target', address)}\`; to keep it, run \`${command('drift', '--deep', '--write', '--target', address)}\` in a branch.`;
}

/** A left step of which nothing is sent. */
function nothingOf({ change }: Step, before: Step, left: Failure): Step {
  const words = [left.message, left.hint].join(' ').trim();
  return { ...before, after: before.before, calls: [], left, change: { ...change, left: words, requests: 0 } };
}

/**
 * Plans a left step from the state before the look: what others changed is neither undone nor recorded. If that only takes something
 * away, it undoes nothing, and all of it is sent.
 */
function leftStep(
  { change, received }: Step,
  before: Step,
  left: Failure,
  targets: readonly RecordedGroup[] | undefined,
  isListed: boolean,
  isShown: boolean,
): Step {
  // Once the whole change was shown and confirmed, its rest is said to be left.
  if (isShown && before.calls.length > 0 && before.calls.every(onlyTakes)) return { ...before, received };
  const isUpdate = change.action === 'update' && before.change.action === 'update';
  // Somebody is taken off only what this run has seen.
  const isSeen = received !== undefined || isListed;
  const pauses = isUpdate && before.calls.some(({ send }) => send === 'pause');
  const sends: readonly RequestKind[] = [
    ...(pauses ? (['pause'] as const) : []),
    ...(isUpdate && before.groups !== undefined && isSeen ? (['remove'] as const) : []),
  ];
  const keptStep = { ...before, change, calls: requestsOf(sends), received, left };
  const aimed = withTargets(keptStep, targets);
  const { leaving, staysSomebody } = leavingIn(aimed);
  const calls = aimed.calls.filter(({ send }) => send !== 'remove' || staysSomebody);
  const why = staysSomebody ? left : left.with({ message: `${left.message} ${lastWords(leaving)}` });
  const words = [why.message, why.hint].join(' ').trim();
  const done = calls.map(({ send }) => (send === 'pause' ? 'paused' : `taken off: ${nameSome(leaving)}`));
  const takes = calls.length === 0 ? undefined : done.join('; ');
  return {
    ...keptStep,
    calls,
    after: sentOf(before, pauses, calls.some(({ send }) => send === 'remove') ? aimed : undefined),
    left: why,
    change: { ...change, left: words, takes, requests: calls.length },
  };
}

/** The receivers whom the step takes off. Omni refuses a removal that would leave nobody. */
function leavingIn(step: Step): { readonly leaving: readonly string[]; readonly staysSomebody: boolean } {
  if (!step.calls.some(({ send }) => send === 'remove')) return { leaving: [], staysSomebody: true };
  const sent = recipientsSent(step, { send: 'remove' }, groupsBefore(step));
  const { emails = [], remove = [], now } = sent ?? {};
  const staysSomebody = emailsReceived(step).length > emails.length || (now?.has ?? []).length > 0;
  return { leaving: [...emails, ...remove.map(({ name, text }) => name ?? text)], staysSomebody };
}

function lastWords(stay: readonly string[]): string {
  const [receive, them] = stay.length === 1 ? ['receives', 'the last receiver'] : ['receive', 'the last receivers'];
  return `${nameSome(stay)} still ${receive} it: Omni does not remove ${them}.`;
}

/** The attributes once what takes away is sent. `removing` is undefined where nobody is taken off. */
function sentOf({ before = {}, after = {} }: Step, pauses: boolean, removing: Step | undefined): JsonObject {
  const rest = pauses ? withPaused(before, true) : before;
  return removing === undefined ? rest : withoutRemoved(rest, after, removing);
}

function withoutRemoved(before: JsonObject, after: JsonObject, aimed: Step): JsonObject {
  const stay = userGroupsIn(before).filter((name) => !areGroupsKnown(aimed) || userGroupsIn(after).includes(name));
  const { recipients } = before;
  const people = Array.isArray(recipients)
    ? recipients.filter((each: Json) => isIn(after['recipients'], each))
    : recipients;
  return withUserGroups(people === undefined ? before : { ...before, recipients: people }, stay);
}

function isIn(list: Json | undefined, value: Json): boolean {
  return Array.isArray(list) && list.some((each: Json) => equalJson(each, value));
}
