// What the journal says before an effect of a step: what the state is to hold once it is done.

import type { JournalIntent } from '../model/plan/journal.ts';
import type { Change } from '../model/plan/plan.ts';
import type { StateResource } from '../model/plan/state.ts';
import { groupsToKeep } from '../plan/group-work.ts';
import type { PlanInputs } from '../plan/inputs.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import type { PlannedRequest } from '../plan/requests.ts';
import { plainNamed } from '../state/fold-journal.ts';
import { appliedKinds } from './applied-kinds.ts';
import type { ActingUsers } from './claims.ts';
import { groupsBefore, type RecipientsSent, recipientsSent } from './recipients-sent.ts';

/** For whom requests act, and what was known before. */
export interface IntentContext {
  readonly actingUsers: ActingUsers;
  readonly proposal: Proposal;
  /** What Omni calls dashboards by, by their identifiers: for what is made there. */
  readonly entityIds: () => ReadonlyMap<string, string>;
}

/** What is journalled before an effect. */
export type IntentFields = Omit<JournalIntent, 'type' | 'seq' | 'at'>;

/** Of a step that moves, whatever else it does. */
export function moveIntent({ change: { address, previousAddress } }: Step): IntentFields {
  return { kind: 'move', address, action: 'move', previousAddress };
}

/** Of a step that sends nothing, also because its groups are there already. */
export function quietIntent(step: Step): IntentFields {
  const { change, after, unread, throughSink, groups, entityId } = step;
  const { address, action, kind } = change;
  const { after: groupsAfter } = (step.targets && recipientsSent(step, { send: 'add' }, groupsBefore(step))) ?? {};
  const seenGroups = step.seenGroups ?? groupsAfter;
  const unseen = action === 'adopt' ? (appliedKinds[kind].unseen?.(after ?? {}) ?? []) : [];
  return {
    kind: quietKind(change),
    address,
    action,
    attributes: after,
    unread: after && [...(unread ?? []), ...unseen],
    groups: after && (seenGroups ?? (groups && groupsToKeep(groups))),
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

/** Of one request of a step. */
export function callIntent(
  step: Step,
  call: PlannedRequest,
  recipients: RecipientsSent | undefined,
  acting: IntentContext,
): IntentFields {
  const { change, calls, after = {}, unread, sinks, throughSink } = step;
  const { address, kind, action, id, reason } = change;
  const isReplacing = reason === 'replaced' || (action === 'replace' && calls.at(-1)?.send === 'delete');
  const replaced = isReplacing ? id : undefined;
  if (call.send === 'delete') return { kind: isReplacing ? 'end' : 'request', address, action: 'delete', replaced };
  const on = String(after['identifier']);
  const isMade = call.send === 'post' || call.send === 'patch';
  const isSent = calls.slice(0, calls.indexOf(call) + 1).some(({ send }) => ['post', 'patch', 'put'].includes(send));
  return {
    kind: action === 'update' && (step.withheld !== undefined || call !== calls.at(-1)) ? 'part' : 'request',
    address,
    action: isMade ? action : 'update',
    attributes: call.recordedAfter,
    ...plainNamed(kind, after),
    madeBy: madeByOf(step, call, acting),
    unread: isSent ? undefined : unread,
    groups: recipients?.after,
    throughSink: isSent ? sinks : throughSink,
    entityId: step.entityId ?? (call.send === 'post' ? acting.entityIds().get(on) : undefined),
    replaced: call.send === 'post' ? replaced : undefined,
  };
}

/** When what a change is about was created, ISO 8601, and for whom; nothing of what does not exist yet. */
export function recordedOf(
  { id, reason, address, previousAddress = address }: Change,
  { state }: PlanInputs,
): Partial<Pick<StateResource, 'createdAt' | 'madeBy'>> {
  if (reason !== 'replaced') return state?.resources[previousAddress] ?? {};
  const { since: createdAt, madeBy } = state?.orphans.find((orphan) => orphan.id === id) ?? {};
  return { createdAt, madeBy };
}

/** For whom a request acts: whoever is to own what it makes, or the member for whom that was made. */
export function madeByOf(
  { change }: Step,
  { send }: PlannedRequest,
  { actingUsers, proposal }: IntentContext,
): string | undefined {
  return send === 'post' ? actingUsers.get(change.address) : recordedOf(change, proposal.inputs).madeBy;
}
