// Decides, once and before anybody is asked, which changes an apply leaves. A change is left if this run
// could not read what it changes, or if it would undo what somebody changed in Omni and nobody who may decide that has seen
// it. A change that is left still sends what only takes something away: a pause, and the removal of those no longer declared.

import { destinationOf, receiversAt } from '../model/fields/delivery.ts';
import type { Observation, Observed } from '../model/plan/observation.ts';
import type { Change, FieldDiff, PlanDocument } from '../model/plan/plan.ts';
import { groupsOf, type StateResource, trackedAt } from '../model/plan/state.ts';
import type { Groups, RecordedGroup } from '../model/plan/user-groups.ts';
import { type Address, kindAt } from '../model/values/address.ts';
import { once } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo, valueAt } from '../model/values/pointer.ts';
import { maskAttributes } from '../model/values/secret.ts';
import { nameSome, shortText } from '../model/values/words.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { type SealedResource, userGroupsIn, withPaused, withUserGroups } from '../model/workspace/resource.ts';
import { followersOf } from '../plan/dashboard-filters.ts';
import { diffAttributes } from '../plan/difference.ts';
import { needsNoReview } from '../plan/digest.ts';
import { withObserved } from '../plan/drift.ts';
import { trackedAs } from '../plan/match.ts';
import { type Asked, notShown } from '../plan/not-shown.ts';
import { type Step, stepOf, summarise } from '../plan/plan.ts';
import { dangersOf, type Proposal } from '../plan/proposal.ts';
import { onlyTakes, type RequestKind, sendsDeclaration } from '../plan/requests.ts';
import type { ApplyRequest } from './apply-request.ts';
import { keyOf, reviewedIn } from './check-before-asking.ts';
import { areGroupsKnown, emailsReceived, groupsBefore, recipientsSent, withTargets } from './recipients-sent.ts';
import type { GroupTargets } from './resolve-groups.ts';

export type LeftSteps = ReadonlyMap<Step, Failure>;

export function leftAmong(steps: readonly Step[], why: (step: Step) => Failure | undefined): LeftSteps {
  return new Map(
    steps.flatMap((step): readonly (readonly [Step, Failure])[] => {
      const left = why(step);
      return left === undefined ? [] : [[step, left]];
    }),
  );
}

/** The plan as it was before a look at what it changes. */
export interface Outline {
  readonly proposal: Proposal;
  /** The addresses that had to be looked at, as the state names them. */
  readonly touched: ReadonlySet<Address>;
  /** All that was looked at, including followers of a dashboard's filters that change. */
  readonly around: Observed;
  readonly formerly: Observation['formerly'];
}

/** Finds a step as the state alone plans it. */
export function recordedIn({ proposal }: Outline): (step: Step) => Step {
  const before = new Map(proposal.steps.map((step) => [keyOf(step.change), step]));
  return (step) => before.get(keyOf(step.change)) ?? step;
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
  const open = steps.filter(({ change }) => change.blocked === undefined);
  const ofOwn = leftAmong(
    open,
    (step) =>
      unproven.get(step) ??
      leftUnread(step, proposal, outline) ??
      leftAsUndoing(step, drifts, proposal, request) ??
      leftAsRotation(step, proposal, request) ??
      leftSteps.get(step),
  );
  const isSent = new Set(
    steps.flatMap((step) => {
      const { address, previousAddress = address } = step.change;
      return ofOwn.has(step) || step.calls.length === 0 ? [] : previousAddress;
    }),
  );
  const followers = followersOf(proposal, proposal.inputs.state);
  const matches = once(() => new Map(proposal.inputs.matching.value.map((each) => [trackedAs(each), each])));
  const declaredAt = (address: Address) => matches().get(address)?.desired;
  const ofFollowers = leftAmong(steps, (step) =>
    leftForFollower(step, followers.get(step), isSent, outline, declaredAt),
  );
  const reasons = new Map([...ofFollowers, ...ofOwn]);
  if (isAllOrNothing(request))
    refuseAll([...new Set(steps.flatMap((step) => reasons.get(step) ?? []))].map(refusalOfAll));
  const recordedOf = recordedIn(outline);
  const keptSteps = steps.map((step) => {
    const left = reasons.get(step);
    const recorded = recordedOf(step);
    const { address, id = '' } = step.change;
    const restOf = (why: Failure, isShown: boolean) =>
      leftStep(step, recorded, why, groups.get(address), rows.has(id), isShown);
    if (left === undefined) return { ...step, ifLeft: (why: Failure) => restOf(why, false) };
    return step.isUnproven || unproven.has(step) ? nothingOf(step, recorded, left) : restOf(left, true);
  });
  if (reasons.size === 0) return { ...proposal, steps: keptSteps };
  const changes = keptSteps.map(({ change }) => change);
  const recorded = groupsOf(proposal.inputs.state);
  const sent = keptSteps.flatMap((step) => (step.left === undefined ? step : takingOf(step, recorded)));
  const plan = { ...document, changes: sent.map(({ change }) => change) };
  const dangers = dangersOf({ plan, steps: sent }, proposal.inputs, request, proposal);
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
    (finding) => finding.address === previousAddress && finding.code === 'not-read',
  );
  const message = found?.message ?? `Almanac cannot tell what became of \`${previousAddress}\`.`;
  return new Failure('blocked', message, { addresses: [address], hint: found?.hint });
}

/**
 * The reason for leaving a change that would undo what others changed. A person who sees the plan, a review that showed it, or an
 * explicit refresh may undo it.
 */
function leftAsUndoing(
  step: Step,
  drifts: ReadonlyMap<Address, PlanDocument['drift'][number]>,
  proposal: Proposal,
  request: ApplyRequest,
): Failure | undefined {
  const { change, calls } = step;
  const { address, previousAddress = address, action, reason } = change;
  const drift = drifts.get(previousAddress);
  if (drift === undefined || calls.length === 0 || action === 'delete') return undefined;
  const { changed } = notShown('update', askedAbout(step, drift.diff, proposal));
  if (changed.length === 0 || isShown(change, proposal, request)) return undefined;
  // The list alone shows nothing that would make an update where the declaration did not change.
  const depth = reason === 'requested' ? '--refresh=deep' : '--refresh';
  const hint = changed.some(isAllGone) ? keepGone(address) : keepOrUndo(address, depth);
  return new Failure('blocked', undoingWords(address, changed), { addresses: [address], hint });
}

/** True if a person sees this plan before it is sent, a review has shown the change, or an explicit refresh asks for it. */
function isShown(change: Change, { document, selection }: Proposal, request: ApplyRequest): boolean {
  const { expect, autoApprove } = request;
  const reviewed = reviewedIn(request);
  if (expect !== undefined) return expect === document.digest;
  if (reviewed !== undefined) return reviewed.has(change.digest ?? '');
  return !autoApprove || selection.refresh !== undefined;
}

/**
 * The reason for leaving a change of which no review is asked, because only the value of a secret differs: its request holds the
 * whole declaration, and so would set what no apply has sent. A body without that would take it off.
 */
function leftAsRotation(step: Step, proposal: Proposal, request: ApplyRequest): Failure | undefined {
  const { change, calls } = step;
  const { address } = change;
  if (!needsNoReview(change) || !sendsDeclaration(calls)) return undefined;
  const { unsent } = notShown('rotation', askedAbout(step, [], proposal));
  if (unsent.length === 0 || isShown(change, proposal, request)) return undefined;
  const names = unsent.flatMap((path) => pointerSegments(path).join('.') || (path === '' ? [] : path));
  const what = names.length === 0 ? 'all of it, as nothing was sent since it was adopted' : nameSome(names);
  const message = `The value of a secret of ${address} has changed, and the update that sends it would set what no apply has sent and nobody has reviewed: ${what}.`;
  const hint = `Change something else of it in a pull request, whose plan shows what becomes its own, or run \`${command('apply', '--refresh', '--target', address)}\`.`;
  return new Failure('blocked', message, { addresses: [address], hint });
}

function askedAbout(
  { change: { address, previousAddress = address, kind }, sinks }: Step,
  changedByOthers: readonly FieldDiff[],
  { inputs: { state } }: Proposal,
): Asked {
  return { kind, changedByOthers, recorded: trackedAt(state, previousAddress), isToSink: sinks !== undefined };
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
  declaredAt: (address: Address) => SealedResource | undefined,
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
    const { drift } = withObserved({ address, prior, desired: declaredAt(address) }, observed);
    if (!observed.found || drift === undefined) continue;
    const asked = { kind: kindAt(address), changedByOthers: drift.counted, recorded: prior };
    const { changed } = notShown('filters', asked);
    if (changed.length > 0)
      return refused(
        `somebody changed its recipients in Omni, which no plan has shown: ${nameSome(changed.map(differenceWords))}.`,
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

function nothingOf({ change }: Step, before: Step, left: Failure): Step {
  const words = [left.message, left.hint].join(' ').trim();
  return { ...before, after: before.before, calls: [], left, change: { ...change, left: words, requests: 0 } };
}

/**
 * Plans a left step from the state before the look: what others changed is neither undone nor recorded. If that only takes something
 * away, it undoes nothing, and all of it is sent.
 */
function leftStep(
  seen: Step,
  before: Step,
  left: Failure,
  targets: readonly RecordedGroup[] | undefined,
  isListed: boolean,
  isShown: boolean,
): Step {
  const { change, received } = seen;
  // Once the whole change was shown and confirmed, its rest is said to be left.
  const { calls: given } = before;
  if (isShown && given.length > 0 && given.every(onlyTakes))
    return { ...before, change: { ...before.change, requests: given.length }, received };
  const isUpdate = change.action === 'update' && before.change.action === 'update';
  // Somebody is taken off only what this run has seen.
  const isSeen = received !== undefined || isListed;
  const pauses = isUpdate && before.calls.includes('pause');
  const patched = isUpdate && isListed ? takenInPatch(seen, before) : undefined;
  const sends: readonly RequestKind[] = [
    ...(pauses ? (['pause'] as const) : []),
    ...(isUpdate && before.groups !== undefined && isSeen ? (['remove'] as const) : []),
    ...(patched === undefined ? [] : (['patch'] as const)),
  ];
  const keptStep = { ...before, ...patched?.sent, change, calls: sends, received, left };
  const aimed = withTargets(keptStep, targets);
  const { leaving, staysSomebody } = patched ?? leavingIn(aimed);
  const calls = aimed.calls.filter((send) => send === 'pause' || staysSomebody);
  const why = staysSomebody ? left : left.with({ message: `${left.message} ${lastWords(leaving)}` });
  const words = [why.message, why.hint].join(' ').trim();
  const done = calls.map((send) => (send === 'pause' ? 'paused' : `taken off: ${nameSome(leaving)}`));
  const takes = calls.length === 0 ? undefined : done.join('; ');
  const removing = calls.includes('remove') ? aimed : undefined;
  return {
    ...keptStep,
    calls,
    after: patched !== undefined && calls.length > 0 ? patched.after : sentOf(before, pauses, removing),
    left: why,
    change: { ...change, left: words, takes, requests: calls.length },
  };
}

interface Leaving {
  readonly leaving: readonly string[];
  readonly staysSomebody: boolean;
}

/**
 * The receivers whom a PATCH takes off alone, from those that a look has found, where one field holds the receivers. Undefined if
 * there are none, or if a schedule has requests of their own for them.
 */
function takenInPatch(
  { before: found = {} }: Step,
  { change: { kind }, before = {}, after = {}, patch }: Step,
): (Leaving & { readonly sent: Pick<Step, 'patch' | 'ignored'>; readonly after: JsonObject }) | undefined {
  const { email, group } = receiversAt(kind);
  const isByMail = [before, after, found].every((attributes) => destinationOf({ kind, attributes }) === 'email');
  if (patch === undefined || email === undefined || !isByMail) return undefined;
  const parts = [email, ...(group === undefined ? [] : [group])].map((at) => {
    const [was, is, has] = [before, after, found].map((attributes) => textsAt(attributes, at));
    const goes = (text: string) => isNamedIn(was, text) && !isNamedIn(is, text);
    const [, name = ''] = pointerSegments(at);
    return { name, goes, stay: has?.filter((text) => !goes(text)) ?? [], leaving: has?.filter(goes) ?? [] };
  });
  const leaving = parts.flatMap((part) => part.leaving);
  if (leaving.length === 0) return undefined;
  const [field = ''] = pointerSegments(email);
  const without = (attributes: JsonObject): JsonObject => {
    const lists = parts.map(({ name, goes }) => [
      name,
      textsAt(attributes, pointerTo(field, name)).filter((text) => !goes(text)),
    ]);
    const held = attributes[field];
    return { ...attributes, [field]: { ...(isJsonObject(held) ? held : {}), ...Object.fromEntries(lists) } };
  };
  return {
    leaving,
    staysSomebody: parts.some(({ stay }) => stay.length > 0),
    sent: {
      patch: Object.fromEntries(Object.keys(patch).map((name) => [name, name === field])),
      ignored: { [field]: without(found)[field] },
    },
    after: without(before),
  };
}

function textsAt(attributes: JsonObject, at: Pointer): readonly string[] {
  const list = valueAt(attributes, at);
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
}

function isNamedIn(list: readonly string[] = [], text: string): boolean {
  return list.some((each) => each.toLowerCase() === text.toLowerCase());
}

/** The receivers whom the step takes off. Omni refuses a removal that would leave nobody. */
function leavingIn(step: Step): Leaving {
  if (!step.calls.includes('remove')) return { leaving: [], staysSomebody: true };
  const sent = recipientsSent(step, 'remove', groupsBefore(step));
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
  if (removing === undefined) return rest;
  const stay = userGroupsIn(rest).filter((name) => !areGroupsKnown(removing) || userGroupsIn(after).includes(name));
  const { recipients } = rest;
  const people = Array.isArray(recipients)
    ? recipients.filter((each: Json) => isIn(after['recipients'], each))
    : recipients;
  return withUserGroups(people === undefined ? rest : { ...rest, recipients: people }, stay);
}

function isIn(list: Json | undefined, value: Json): boolean {
  return Array.isArray(list) && list.some((each: Json) => equalJson(each, value));
}
