// PUT .../add-recipients and .../remove-recipients: only for mail, by address, by member or by user group.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { aListOfStrings, checkFields, type Fields, isUuid, sameId } from '../pipeline/fields.ts';
import { isEmailAddress } from '../schedule-rules/email-address.ts';
import type { Store, StoredSchedule } from '../store/store.ts';
import { openSchedule } from './find-schedule.ts';
import { storedBody } from './stored-body.ts';

interface Named {
  readonly emails?: readonly string[];
  readonly userIds?: readonly string[];
  readonly userGroupIds?: readonly string[];
}

const fields: Fields = {
  emails: { check: aListOfEmails },
  userIds: { check: aListOfUuids },
  userGroupIds: { check: aListOfUuids },
};

export function addRecipients(call: Call): Answer {
  const schedule = openSchedule(call);
  const { addresses, groups } = readNamed(call);
  const present = presentRecipients(schedule, (type) => `Cannot add recipients to destination type ${type}`);
  const presentGroups = schedule.userGroupIds ?? [];
  const added = addresses.filter((email) => !present.some((known) => isSameAddress(known, email)));
  const addedGroups = groups.filter((id) => !presentGroups.includes(id));
  replaceRecipients(schedule, [...present, ...added], [...presentGroups, ...addedGroups], call.store);
  return {
    status: 200,
    body: { success: true, addedRecipientsCount: added.length, addedGroupRecipientsCount: addedGroups.length },
  };
}

export function removeRecipients(call: Call): Answer {
  const schedule = openSchedule(call);
  const { addresses, groups } = readNamed(call);
  const refusal = (type: string) => `Cannot change recipients on a scheduled task destination of type ${type}`;
  const present = presentRecipients(schedule, refusal);
  const presentGroups = schedule.userGroupIds ?? [];
  const kept = present.filter((known) => !addresses.some((email) => isSameAddress(known, email)));
  const keptGroups = presentGroups.filter((id) => !groups.includes(id));
  replaceRecipients(schedule, kept, keptGroups, call.store);
  return {
    status: 200,
    body: {
      success: true,
      removedRecipientsCount: present.length - kept.length,
      removedGroupRecipientsCount: presentGroups.length - keptGroups.length,
    },
  };
}

/** Without duplicates. */
function readNamed({ body, store }: Call): { readonly addresses: string[]; readonly groups: string[] } {
  checkFields(body, fields);
  const { emails = [], userIds = [], userGroupIds = [] } = body as Named;
  if (emails.length + userIds.length + userGroupIds.length === 0) {
    throw new Rejection(400, 'At least one recipient must be provided');
  }
  const { members, userGroups = [] } = store.data;
  const strangers = userIds.filter((id) => !members.some((member) => sameId(member.id, id)));
  refuse('members do not exist or do not have access to this organization', strangers);
  const unknownGroups = userGroupIds.filter((id) => !userGroups.some((group) => sameId(group.id, id)));
  refuse('user groups do not exist', unknownGroups);
  const ofMembers = members.filter(({ id }) => userIds.some((given) => sameId(id, given))).map(({ email }) => email);
  return {
    addresses: [...emails, ...ofMembers].filter(
      (email, index, all) => all.findIndex((other) => isSameAddress(email, other)) === index,
    ),
    groups: userGroups.filter(({ id }) => userGroupIds.some((given) => sameId(id, given))).map(({ id }) => id),
  };
}

function refuse(reason: string, ids: readonly string[]): void {
  if (ids.length > 0) throw new Rejection(400, `Invalid recipient(s): The following ${reason}: ${ids.join(', ')}`);
}

function presentRecipients(schedule: StoredSchedule, refusal: (destinationType: string) => string): string[] {
  const { destinationType, recipients = [] } = storedBody(schedule);
  if (destinationType !== 'email') throw new Rejection(400, refusal(destinationType));
  return [recipients].flat();
}

function replaceRecipients(schedule: StoredSchedule, recipients: string[], groups: string[], store: Store): void {
  schedule.fields.recipients = recipients;
  if (groups.length > 0) schedule.userGroupIds = groups;
  else delete schedule.userGroupIds;
  schedule.updatedAt = new Date(store.now()).toISOString();
  store.save();
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function aListOfEmails(value: unknown): string | undefined {
  const message = aListOfStrings(value);
  return message ?? ((value as string[]).every(isEmailAddress) ? undefined : 'Invalid email address');
}

function aListOfUuids(value: unknown): string | undefined {
  const message = aListOfStrings(value);
  return message ?? ((value as string[]).every(isUuid) ? undefined : 'Invalid uuid');
}
