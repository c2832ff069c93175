// Finds which requests of a step are sent, and whom each adds or removes. Asked once it is known whom the step reaches.
// The ids of groups come from the state, from the declaration, or from resolve-groups.ts.

import { type Attributes, deliveryOf } from '../model/fields/delivery.ts';
import { mergeGroups, type RecordedGroup } from '../model/plan/user-groups.ts';
import { type GroupWork, isCalled } from '../plan/group-work.ts';
import type { Step } from '../plan/plan.ts';
import type { RequestKind } from '../plan/requests.ts';

/** Adds the ids of its groups to a step, and removes the requests that have nothing to do. */
export function withTargets(given: Step, targets: readonly RecordedGroup[] | undefined): Step {
  const step = { ...given, targets };
  const { calls, groups, change } = step;
  if (groups === undefined || change.action !== 'update') return step;
  const does = (send: RequestKind) => {
    const { add = [], remove = [], emails = [] } = recipientsSent(step, send, groupsBefore(step)) ?? {};
    return add.length + remove.length + emails.length > 0;
  };
  return { ...step, calls: calls.filter((send) => (send !== 'remove' && send !== 'add') || does(send)) };
}

/** The effect of one request on those who receive a schedule. */
export interface RecipientsSent {
  readonly add: readonly RecordedGroup[];
  /** The groups among them that it had before this change. */
  readonly had: readonly RecordedGroup[];
  readonly remove: readonly RecordedGroup[];
  /** Addresses, if the change sends nothing else for them. */
  readonly emails: readonly string[];
  /** The groups that it has afterwards. */
  readonly now: GroupsNow;
}

/** The knowledge of a schedule's groups between two requests. */
export interface GroupsNow {
  /** The groups that it has in Omni. */
  readonly has: readonly RecordedGroup[];
  /** The groups that the state would know. */
  readonly knownToState: readonly RecordedGroup[];
}

export function groupsBefore({ groups, received }: Step): GroupsNow | undefined {
  return groups && { has: received?.groups ?? groups.inOmni, knownToState: groups.inOmni };
}

/** The addresses that receive it in Omni; where those could not be read, those that the state has. */
export function emailsReceived({ before = {}, received }: Step): readonly string[] {
  return received?.emails ?? emailsOf(before);
}

/** False where a declared name means no group that is known: then no group is taken off, as it may be the one that is meant. */
export function areGroupsKnown({ groups, targets }: Step): boolean {
  return groups === undefined || groups.declared.length === 0 || targets !== undefined;
}

/** Returns undefined for a resource without groups. */
export function recipientsSent(step: Step, send: RequestKind, now: GroupsNow | undefined): RecipientsSent | undefined {
  const { groups, received } = step;
  if (groups === undefined || now === undefined) return undefined;
  const { add = [], remove = [], emails = [], inOmni = now.knownToState } = sentBy[send]?.(step, now, groups) ?? {};
  const isRemoved = ({ id }: RecordedGroup) => remove.some((group) => group.id === id);
  const has = send === 'post' ? [] : mergeGroups(now.has, add).filter((group) => !isRemoved(group));
  const had = received?.groups ?? [];
  return { add, had, remove, emails, now: { has, knownToState: inOmni } };
}

interface RecipientsOfStep {
  readonly add?: readonly RecordedGroup[];
  readonly remove?: readonly RecordedGroup[];
  readonly emails?: readonly string[];
  readonly inOmni: readonly RecordedGroup[];
}

const sentBy: Readonly<
  Partial<Record<RequestKind, (step: Step, now: GroupsNow, groups: GroupWork) => RecipientsOfStep>>
> = {
  post: () => ({ inOmni: [] }),
  remove: removedRecipients,
  add: addedTo,
  settle: addedTo,
};

function removedRecipients(
  step: Step,
  now: GroupsNow,
  { onRecord, unmatched: unknown, toSink }: GroupWork,
): RecipientsOfStep {
  const { before = {}, after = {}, left, targets = [] } = step;
  const areKnown = areGroupsKnown(step);
  const ids = new Set(targets.map(({ id }) => id));
  const ofUs = new Set([...now.knownToState, ...onRecord].map(({ id }) => id));
  const leaving = emailsOf(before).filter((email) => !isAmong(email, emailsOf(after)));
  return {
    remove: now.has.filter(
      ({ id, text }) =>
        areKnown && !ids.has(id) && (toSink || ofUs.has(id) || unknown.some((each) => isCalled({ id, text }, each))),
    ),
    // If the change is sent, the PUT leaves them out.
    emails: left === undefined ? [] : emailsReceived(step).filter((email) => isAmong(email, leaving)),
    inOmni: areKnown ? now.knownToState.filter(({ id }) => ids.has(id)) : now.knownToState,
  };
}

function addedTo({ targets = [] }: Step, { has }: GroupsNow): RecipientsOfStep {
  return {
    add: targets.filter(({ id }) => !has.some((group) => group.id === id)),
    inOmni: targets.map((group) => withPeople(group, has)),
  };
}

/** Adds the people and the name that a read saw for a group. */
function withPeople(group: RecordedGroup, has: readonly RecordedGroup[]): RecordedGroup {
  const { people, outside, name } = has.find(({ id }) => id === group.id) ?? group;
  return { ...group, people, outside, name: name ?? group.name };
}

function emailsOf(attributes: Attributes): readonly string[] {
  return deliveryOf('schedule', attributes).to.flatMap(({ kind, compared: email }) => (kind === 'email' ? email : []));
}

function isAmong(email: string, emails: readonly string[]): boolean {
  return emails.includes(email.toLowerCase());
}
