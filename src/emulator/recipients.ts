import { isEmailAddress, slackIdsIn } from './destinations.ts';
import { type Answer, Rejection } from './pipeline.ts';
import { aListOfStrings, type Call, type Check, checkFields, isUuid, sameId } from './requests.ts';
import type { ScheduleBody } from './schedule-rules.ts';
import { openSchedule, saveChanged, storedBody } from './schedules.ts';
import { deriveUuid, type Store, type StoredSchedule } from './store.ts';

/** Who or what receives a schedule, as the service returns it, and GET /v1/schedules/{scheduleId}/recipients. */
interface EmailRecipient {
  readonly id: string;
  readonly membershipId: string;
  readonly email: string;
  /** null: the service knows only the address. */
  readonly name: string | null;
}

export function getRecipients(call: Call): Answer {
  const schedule = openSchedule(call);
  return { status: 200, body: toRecipients(schedule, call.store) };
}

function toRecipients(schedule: StoredSchedule, store: Store): Record<string, unknown> {
  const body = storedBody(schedule);
  switch (body.destinationType) {
    case 'email': {
      const recipients = emailRecipients(schedule, store).map(toRecipient);
      const userGroupRecipients = groupRecipients(schedule, store).map((group) => ({
        ...group,
        recipients: group.recipients.map(toRecipient),
      }));
      return { type: 'email', recipients, userGroupRecipients };
    }
    case 'slack': {
      const ids = [body.recipients ?? []].flat().flatMap(slackIdsIn);
      return {
        type: 'slack',
        recipients: ids.map((slackId) => ({ recipientType: body.slackRecipientType, slackId })),
      };
    }
    case 'sftp':
      return { type: 'sftp', address: body.address, port: body.port, username: body.username };
    case 'webhook':
    case 's3':
      return destinationSettings(body, store);
    default:
      // A destination that the API cannot create, such as google_sheets: created by hand, or edited into the data.
      return { type: body.destinationType };
  }
}

function toRecipient({ id, email, name }: EmailRecipient): Record<string, unknown> {
  return { id, email, name: name ?? email, emailOnly: name === null };
}

/** The settings of the destination, distinguished by `type`. Never a password. */
export function destinationSettings(body: ScheduleBody, store: Store): Record<string, unknown> {
  const { destinationType: type, textBody } = body;
  switch (type) {
    case 'email':
      return { type, subject: body.subject, textBody };
    case 'slack':
      return { type, slackRecipientType: body.slackRecipientType, recipients: body.recipients, textBody };
    case 'sftp':
      return { type, address: body.address, port: body.port, username: body.username, path: body.path };
    case 'webhook':
      return { type, url: body.url };
    case 's3': {
      const { bucketName, region, roleArn, keyPrefix, filename } = body;
      return { type, bucketName, region, roleArn, externalId: store.data.organization.id, keyPrefix, filename };
    }
  }
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

/** The user groups that receive a schedule, each with its members. */
export function groupRecipients(schedule: StoredSchedule, store: Store): GroupRecipient[] {
  const { members, userGroups = [] } = store.data;
  return userGroups
    .filter(({ id }) => schedule.userGroupIds?.includes(id))
    .map(({ id, name, memberIds }) => ({
      id,
      name,
      recipients: members
        .filter((member) => memberIds.includes(member.id))
        .map(({ email }) => toPerson(email, schedule, store)),
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

/** PUT .../add-recipients and .../remove-recipients: only for mail, by address, by member or by user group. */
const aListOfEmails: Check<string[]> = (value) =>
  aListOfStrings(value) ?? ((value as string[]).every(isEmailAddress) ? undefined : 'Invalid email address');

const aListOfUuids: Check<string[]> = (value) =>
  aListOfStrings(value) ?? ((value as string[]).every(isUuid) ? undefined : 'Invalid uuid');

const fields = {
  emails: { check: aListOfEmails },
  userIds: { check: aListOfUuids },
  userGroupIds: { check: aListOfUuids },
} as const;

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
  const { emails = [], userIds = [], userGroupIds = [] } = checkFields(body, fields);
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
  saveChanged(schedule, store);
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
