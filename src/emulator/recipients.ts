// Who or what receives a schedule, as the service returns it, and GET /v1/schedules/{scheduleId}/recipients.

import type { Answer } from './answers.ts';
import type { Call } from './requests.ts';
import { type ScheduleBody, slackIdsIn, storedBody } from './schedule-rules.ts';
import { openSchedule } from './schedules.ts';
import { deriveUuid, type Store, type StoredSchedule } from './store.ts';

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

/** Only the type of a destination that the API cannot create, such as google_sheets: it was edited into the data. */
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
