// Writes what the journal says before an effect: the state after its step.

import type { Clock } from '../model/outside.ts';
import type { JournalIntent } from '../model/plan/journal.ts';
import type { Change } from '../model/plan/plan.ts';
import type { StateResource } from '../model/plan/state.ts';
import { mergeGroups } from '../model/plan/user-groups.ts';
import type { JsonObject } from '../model/values/json.ts';
import { withPaused, withUserGroups } from '../model/workspace/resource.ts';
import type { PlanInputs } from '../plan/inputs.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { RequestKind } from '../plan/requests.ts';
import { plainNamed } from '../state/fold-journal.ts';
import { appliedKinds } from './applied-kinds.ts';
import type { ActingUsers } from './claims.ts';
import { type GroupsNow, groupsBefore, recipientsSent } from './recipients-sent.ts';

/** The context of a request: for whom it acts, and what was known before. */
export interface IntentContext {
  readonly actingUsers: ActingUsers;
  readonly proposal: Proposal;
  /** Omni's ids of dashboards, by identifier, for resources that are made there. */
  readonly entityIds: () => ReadonlyMap<string, string>;
  /** The filters of a step that the state keeps until they are read back; empty if it ends what was kept. */
  readonly filtersToKeep: (step: Step) => JsonObject | undefined;
}

export type IntentFields = Omit<JournalIntent, 'type' | 'seq' | 'at'>;

/** The intent of a step that moves, whatever else it does. */
export function moveIntent({ change: { address, previousAddress } }: Step): IntentFields {
  return { kind: 'move', address, action: 'move', previousAddress };
}

/** The intent of a step that sends nothing, which also holds if its groups are there already. */
export function quietIntent(step: Step): IntentFields {
  const { change, after, unread, throughSink, groups, entityId } = step;
  const { address, action, kind } = change;
  const { now } = (step.targets && recipientsSent(step, 'add', groupsBefore(step))) ?? {};
  const seenGroups = step.seenGroups ?? (now && groupsAfter(step, now));
  const unseen = action === 'adopt' ? (appliedKinds[kind].unseen?.(after ?? {}) ?? []) : [];
  return {
    kind: quietKind(change),
    address,
    action,
    attributes: after,
    unread: after && [...(unread ?? []), ...unseen],
    groups: after && (seenGroups ?? groups?.inOmni),
    throughSink: after && throughSink,
    entityId: after && entityId,
  };
}

function quietKind({ action, reason }: Change): JournalIntent['kind'] {
  if (action === 'adopt') return 'adopt';
  if (action === 'forget') return reason === 'removed' || reason === 'missing' ? 'release' : 'forget';
  // Observing some fields does not settle what an earlier apply left open.
  return reason === 'refreshed' ? 'refresh' : 'record';
}

/** The groups that the state keeps for a step; undefined if the step has none, or nothing is known of them now. */
export function groupsAfter(
  { groups }: Step,
  now: Pick<GroupsNow, 'knownToState'> | undefined,
): StateResource['groups'] {
  return groups && now?.knownToState;
}

/** True if a request has an intent of its own. The others of a step share one, and while it is open it is not known how far they got. */
function isAlone({ action }: Change, send: RequestKind): boolean {
  return send === 'post' || send === 'delete' || (action !== 'update' && send === 'patch');
}

export function isLastOfIntent({ change, calls }: Step, call: RequestKind): boolean {
  return isAlone(change, call) || calls.slice(calls.indexOf(call) + 1).every((each) => isAlone(change, each));
}

/** The intent of a request, and of those that share it. */
export function callIntent(step: Step, call: RequestKind, acting: IntentContext): IntentFields {
  const { change, calls, after = {}, unread, sinks, throughSink } = step;
  const { address, kind, action, id, reason } = change;
  const isReplacing = reason === 'replaced' || (action === 'replace' && calls.at(-1) === 'delete');
  const replaced = isReplacing ? id : undefined;
  if (call === 'delete') return { kind: isReplacing ? 'end' : 'request', address, action: 'delete', replaced };
  const on = String(after['identifier']);
  const isMade = isAlone(change, call);
  // What is left sends no more than what takes something away.
  const isSent = change.left === undefined && calls.some((send) => ['post', 'patch', 'put'].includes(send));
  const isFirst = isMade && calls.some((each) => !isAlone(change, each));
  return {
    kind: 'request',
    address,
    action: isMade ? action : 'update',
    // The requests that follow update it.
    attributes: isFirst ? withUserGroups(withPaused(after, false), []) : after,
    ...(isMade ? plainNamed(kind, after) : {}),
    madeBy: madeByOf(step, call, acting),
    unread: isSent ? undefined : unread,
    groups: isMade
      ? undefined
      : groupsAfter(step, { knownToState: mergeGroups(groupsBefore(step)?.knownToState ?? [], step.targets ?? []) }),
    throughSink: isSent ? sinks : throughSink,
    sendsContent: isSent || undefined,
    entityId: step.entityId ?? (call === 'post' ? acting.entityIds().get(on) : undefined),
    sentFilters: call === 'post' || calls.includes('put') ? acting.filtersToKeep(step) : undefined,
    replaced: call === 'post' ? replaced : undefined,
  };
}

/** An intent of each step that the state will hold; none if nothing is sent. */
export function comingIntents(acting: IntentContext, clock: Clock): readonly JournalIntent[] {
  const steps = acting.proposal.steps.filter(
    ({ change, calls, left }) => calls.length > 0 || (left === undefined && change.action !== 'move'),
  );
  if (steps.every(({ calls }) => calls.length === 0)) return [];
  const at = new Date(clock.now()).toISOString();
  return steps.map((step, seq) => {
    const [first] = step.calls;
    return { type: 'intent', seq, at, ...(first === undefined ? quietIntent(step) : callIntent(step, first, acting)) };
  });
}

/** When the resource of a change was created, ISO 8601, and for whom; empty if it does not exist yet. */
export function recordedOf(
  { id, reason, address, previousAddress = address }: Change,
  { state }: PlanInputs,
): Partial<Pick<StateResource, 'createdAt' | 'madeBy'>> {
  if (reason !== 'replaced') return state?.resources[previousAddress] ?? {};
  const { since: createdAt, madeBy } = state?.orphans.find((orphan) => orphan.id === id) ?? {};
  return { createdAt, madeBy };
}

/** The member for whom a request acts: the future owner of what it makes, or the member for whom it was made. */
export function madeByOf(
  { change }: Step,
  send: RequestKind,
  { actingUsers, proposal }: IntentContext,
): string | undefined {
  return send === 'post' ? actingUsers.get(change.address) : recordedOf(change, proposal.inputs).madeBy;
}
