import type { Answer } from './answers.ts';
import type { Call } from './requests.ts';
import { type ScheduleBody, slackIdsIn, storedBody } from './schedule-rules.ts';
import { openSchedule } from './schedules.ts';
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
