// Which requests of a step are sent, and whom each adds or removes. Asked once it is known whom the step reaches. Ids
// of groups are those of the state, those that were written, or those that resolve-groups.ts has found.

import { type Attributes, deliveryOf } from '../model/fields/delivery.ts';
import { mergeGroups, type RecordedGroup } from '../model/plan/user-groups.ts';
import { type GroupWork, isCalled } from '../plan/group-work.ts';
import type { Step } from '../plan/plan.ts';
import type { PlannedRequest, RequestKind } from '../plan/requests.ts';

/** With the ids of its groups, and without the requests that have nothing to do. */
export function withTargets(given: Step, targets: readonly RecordedGroup[] | undefined): Step {
  const step = { ...given, targets };
  const { calls, groups, change } = step;
  if (groups === undefined || change.action !== 'update') return step;
  const does = (send: RequestKind) => {
    const { add = [], remove = [], emails = [] } = recipientsSent(step, { send }, groupsBefore(step)) ?? {};
    return add.length + remove.length + emails.length > 0;
  };
  return { ...step, calls: calls.filter(({ send }) => (send !== 'remove' && send !== 'add') || does(send)) };
}

/** What one request does to those who receive a schedule. */
export interface RecipientsSent {
  readonly add: readonly RecordedGroup[];
  /** Those of them that it had before this change. */
  readonly had: readonly RecordedGroup[];
  readonly remove: readonly RecordedGroup[];
  /** Addresses, where nothing else of the change is sent. */
  readonly emails: readonly string[];
  /** What is known of its groups afterwards. */
  readonly now: GroupsNow;
}

/** What is known of the groups of a schedule between two requests. */
export interface GroupsNow {
  /** Those that it has in Omni. */
  readonly has: readonly RecordedGroup[];
  /** Those that the state would know. */
  readonly knownToState: readonly RecordedGroup[];
}

export function groupsBefore({ groups, received }: Step): GroupsNow | undefined {
  return groups && { has: received?.groups ?? groups.inOmni, knownToState: groups.inOmni };
}

/** Undefined for what has no groups. */
export function recipientsSent(
  step: Step,
  { send }: Pick<PlannedRequest, 'send'>,
  now: GroupsNow | undefined,
): RecipientsSent | undefined {
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
  { before = {}, after = {}, received, withheld, targets = [] }: Step,
  now: GroupsNow,
  { onRecord, unmatched: unknown, toSink }: GroupWork,
): RecipientsOfStep {
  const ids = new Set(targets.map(({ id }) => id));
  // One that the state calls gone names nobody.
  const ofUs = new Set([...now.knownToState, ...onRecord.filter(({ gone }) => !gone)].map(({ id }) => id));
  const leaving = emailsOf(before).filter((email) => !isAmong(email, emailsOf(after)));
  const { emails: receivedEmails = [] } = received ?? {};
  return {
    remove: now.has.filter(
      ({ id, text }) =>
        !ids.has(id) && (toSink || ofUs.has(id) || unknown.some((each) => isCalled({ id, text }, each))),
    ),
    // Otherwise the PUT leaves them out.
    emails: withheld === undefined ? [] : receivedEmails.filter((email) => isAmong(email, leaving)),
    inOmni: now.knownToState.filter(({ id }) => ids.has(id)),
  };
}

function addedTo({ targets = [] }: Step, { has }: GroupsNow): RecipientsOfStep {
  return {
    add: targets.filter(({ id }) => !has.some((group) => group.id === id)),
    inOmni: targets.map((group) => withPeople(group, has)),
  };
}

/** With what a read saw of its people, and of what it is called. */
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
