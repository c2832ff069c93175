// The receivers of a schedule as the service returns them, and changes of them.

import { type Answer, Rejection } from './answers.ts';
import { aListOf, anId, checkFields, refuse } from './checks.ts';
import { anEmailAddress } from './formats.ts';
import { findGroup, membersOf } from './people.ts';
import { type OperationInput, sameId } from './requests.ts';
import { refuseDomains, type ScheduleBody, slackIdsIn, storedBody } from './schedule-rules.ts';
import { openSchedule, saveChanged } from './schedules.ts';
import { deriveUuid, type Store, type StoredSchedule } from './store.ts';

interface EmailRecipient {
  readonly id: string;
  readonly membershipId: string;
  readonly email: string;
  /** Null if the service knows only the address. */
  readonly name: string | null;
}

export function getRecipients(call: OperationInput): Answer {
  const schedule = openSchedule(call);
  return { status: 200, body: toRecipients(schedule, call.store) };
}

function toRecipients(schedule: StoredSchedule, store: Store): Record<string, unknown> {
  const body = storedBody(schedule);
  const { destinationType: type, slackRecipientType: recipientType } = body;
  if (type === 'email') {
    const recipients = emailRecipients(schedule, store).map(toRecipient);
    const userGroupRecipients = groupRecipients(schedule, store).map((group) => ({
      ...group,
      recipients: group.recipients.map(toRecipient),
    }));
    return { type, recipients, userGroupRecipients };
  }
  if (type === 'slack') {
    const ids = [body.recipients ?? []].flat().flatMap(slackIdsIn);
    return { type, recipients: ids.map((slackId) => ({ recipientType, slackId })) };
  }
  const { path: _, ...settings } = destinationSettings(body, store);
  return settings;
}

function toRecipient({ id, email, name }: EmailRecipient): Record<string, unknown> {
  return { id, email, name: name ?? email, emailOnly: name === null };
}

/** The settings that the service returns for each destination: never a password, nor the recipients of e-mail. */
const settingsOf: Readonly<Record<string, readonly (keyof ScheduleBody)[]>> = {
  email: ['subject', 'textBody'],
  slack: ['slackRecipientType', 'recipients', 'textBody'],
  sftp: ['address', 'port', 'username', 'path'],
  webhook: ['url'],
  s3: ['bucketName', 'region', 'roleArn', 'keyPrefix', 'filename'],
};

/** Only the type for a destination that the API cannot create, such as google_sheets: it was edited into the data. */
export function destinationSettings(body: ScheduleBody, store: Store): Record<string, unknown> {
  const { destinationType: type } = body;
  const settings = Object.fromEntries((settingsOf[type] ?? []).map((name) => [name, body[name]]));
  return { type, ...settings, ...(type === 's3' && { externalId: store.data.organization.id }) };
}

/** Empty for other destinations. An address without a member becomes a user who has only an address. */
export function emailRecipients(schedule: StoredSchedule, store: Store): EmailRecipient[] {
  const { destinationType, recipients = [] } = storedBody(schedule);
  if (destinationType !== 'email') return [];
  return [recipients].flat().map((email) => toPerson(email, schedule, store));
}

interface GroupRecipient {
  readonly id: string;
  readonly name: string;
  readonly recipients: readonly EmailRecipient[];
}

export function groupRecipients(schedule: StoredSchedule, store: Store): GroupRecipient[] {
  const groups = (schedule.userGroupIds ?? []).flatMap((id) => findGroup(id, store.data) ?? []);
  return groups.map((group) => ({
    id: group.id,
    name: group.name,
    recipients: membersOf(group, store.data).map(({ email }) => toPerson(email, schedule, store)),
  }));
}

function toPerson(email: string, schedule: StoredSchedule, store: Store): EmailRecipient {
  const key = email.toLowerCase();
  const member = store.data.members.find((known) => known.email.toLowerCase() === key);
  return {
    id: deriveUuid('recipient', schedule.id, key),
    membershipId: member?.id ?? deriveUuid('membership', key),
    email,
    name: member?.name ?? null,
  };
}

const fields = {
  emails: { check: aListOf(anEmailAddress) },
  userIds: { check: aListOf(anId) },
  userGroupIds: { check: aListOf(anId) },
};

/** The addresses and groups that a request names, each as the organization writes it. */
function readNamed({ body, store: { data } }: OperationInput): { emails: string[]; groupIds: string[] } {
  const { emails = [], userIds = [], userGroupIds = [] } = checkFields(body, fields);
  if (emails.length + userIds.length + userGroupIds.length === 0) {
    throw new Rejection(400, 'At least one email, userId, or userGroupId must be provided');
  }
  const ofUsers = userIds.map((id) => {
    const member = data.members.find((known) => sameId(known.id, id));
    return member?.email ?? refuse('userIds', `User with id ${id} does not exist`);
  });
  const groupIds = userGroupIds.map(
    (id) => findGroup(id, data)?.id ?? refuse('userGroupIds', `User group with id ${id} does not exist`),
  );
  return { emails: distinct([...emails, ...ofUsers]), groupIds: [...new Set(groupIds)] };
}

/** Removes addresses that differ only in case from one before. */
function distinct(emails: readonly string[]): string[] {
  return [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()];
}

function openEmailSchedule(call: OperationInput): StoredSchedule {
  const schedule = openSchedule(call);
  if (storedBody(schedule).destinationType === 'email') return schedule;
  throw new Rejection(400, 'Recipients can only be managed for email destinations');
}

function directRecipients(schedule: StoredSchedule): string[] {
  return [storedBody(schedule).recipients ?? []].flat();
}

/** PUT .../add-recipients. Those who receive the schedule already are not counted, so it can be repeated. */
export function addRecipients(call: OperationInput): Answer {
  const schedule = openEmailSchedule(call);
  const named = readNamed(call);
  refuseDomains(named.emails, call.quirks);
  const { userGroupIds = [] } = schedule;
  const direct = directRecipients(schedule);
  const known = new Set(direct.map((email) => email.toLowerCase()));
  const emails = named.emails.filter((email) => !known.has(email.toLowerCase()));
  const groupIds = named.groupIds.filter((id) => !userGroupIds.includes(id));
  schedule.fields['recipients'] = [...direct, ...emails];
  schedule.userGroupIds = [...userGroupIds, ...groupIds];
  saveChanged(schedule, call.store);
  const counts = { addedRecipientsCount: emails.length, addedGroupRecipientsCount: groupIds.length };
  return { status: 200, body: { success: true, ...counts } };
}

/** PUT .../remove-recipients. Those who do not receive the schedule are not counted, so it can be repeated. */
export function removeRecipients(call: OperationInput): Answer {
  const schedule = openEmailSchedule(call);
  const named = readNamed(call);
  const { userGroupIds = [] } = schedule;
  const direct = directRecipients(schedule);
  const asked = new Set(named.emails.map((email) => email.toLowerCase()));
  const emails = direct.filter((email) => !asked.has(email.toLowerCase()));
  const groupIds = userGroupIds.filter((id) => !named.groupIds.includes(id));
  if (emails.length + groupIds.length === 0) throw new Rejection(400, 'A schedule needs at least one recipient');
  schedule.fields['recipients'] = emails;
  schedule.userGroupIds = groupIds;
  saveChanged(schedule, call.store);
  const counts = {
    removedRecipientsCount: direct.length - emails.length,
    removedGroupRecipientsCount: userGroupIds.length - groupIds.length,
  };
  return { status: 200, body: { success: true, ...counts } };
}

/** The number in the list: without the members of groups, or with them and each person once; -1 except for e-mail. */
export function countRecipients(schedule: StoredSchedule, { store, quirks }: OperationInput): number {
  if (storedBody(schedule).destinationType !== 'email') return -1;
  const direct = directRecipients(schedule);
  if (quirks.recipientCount !== 'people') return direct.length;
  const ofGroups = groupRecipients(schedule, store).flatMap(({ recipients }) => recipients.map(({ email }) => email));
  return distinct([...direct, ...ofGroups]).length;
}
