// The fields of a routine's bodies, their rules, and a routine's receivers.

import { Rejection } from './answers.ts';
import {
  aListUpTo,
  aNonEmptyString,
  aNonEmptyStringUpTo,
  anId,
  anObjectOf,
  anObjectOfOnly,
  aStringUpTo,
  aText,
  type Check,
  needed,
  oneOf,
  orNull,
  type RecordOf,
  refuse,
  type TypeOf,
} from './checks.ts';
import { readCron } from './cron.ts';
import { anEmailAddress, aTimeZone } from './formats.ts';
import { findModel, kindOf, requireModel, whatIsMissing } from './models.ts';
import { findGroup, membersOf } from './people.ts';
import type { EmulatedObject, Member, Store, StoredRoutine } from './store.ts';

const maxRecipients = 100;

const anEmailDestination = anObjectOfOnly({
  type: needed(oneOf('email')),
  recipientEmails: { check: aListUpTo(maxRecipients, anEmailAddress) },
  userGroupIds: { check: aListUpTo(maxRecipients, anId) },
});

/** One recipient: another one needs another routine. */
const aSlackDestination = anObjectOfOnly({
  type: needed(oneOf('slack')),
  recipientId: needed(aNonEmptyString),
  slackRecipientType: needed(oneOf('channel', 'users')),
});

export type Destination = TypeOf<typeof anEmailDestination> | TypeOf<typeof aSlackDestination>;

const aDestination = ((value, at) =>
  anObjectOf({ type: needed(oneOf('email', 'slack')) })(value, at) ??
  ((value as Destination).type === 'email' ? anEmailDestination : aSlackDestination)(value, at)) as Check<Destination>;

const minutesOfAnHour = 60;

const aRoutineCron = aText((text) => {
  const minutes = readCron(text)?.minutes;
  if (minutes === undefined) return 'Schedule is an invalid cron expression';
  const isOften = minutes.some((minute, index) => minute - (minutes[index + 1] ?? -1440) < minutesOfAnHour);
  return isOften && 'The minimum frequency of a routine is once per hour';
});

const changeable = {
  name: { check: aNonEmptyStringUpTo(512) },
  prompt: { check: aNonEmptyString },
  schedule: { check: aRoutineCron },
  timezone: { check: aTimeZone },
  destination: { check: aDestination },
};

const aDescription = aStringUpTo(2000);

export const createFields = {
  modelId: needed(anId),
  name: needed(changeable.name.check),
  prompt: needed(changeable.prompt.check),
  schedule: needed(changeable.schedule.check),
  timezone: needed(changeable.timezone.check),
  destination: needed(changeable.destination.check),
  branchId: { check: anId },
  description: { check: aDescription },
  topicName: { check: aStringUpTo(256) },
};

/** The fields that a PATCH may have: not the model, its branch or its topic. null removes the description. */
export const updateFields = { ...changeable, description: { check: orNull(aDescription) } };

type RoutineBody = Omit<RecordOf<typeof createFields>, 'description'> & { description?: string | null };

/** The fields from requests, as the store keeps them. */
export function storedRoutine(routine: StoredRoutine): RoutineBody {
  return routine.fields as unknown as RoutineBody;
}

export function isOff({ disabled, systemDisabled }: StoredRoutine): boolean {
  return disabled === true || systemDisabled === true;
}

/** The model, its branch and its topic must exist, and the model must be a shared one. */
export function checkRoutineModel(fields: RecordOf<typeof createFields>, store: Store, prefix: string): void {
  requireModel(fields as EmulatedObject, store);
  const model = findModel(fields.modelId, store);
  if (model !== undefined && kindOf(model) !== 'SHARED') refuse(`${prefix}modelId`, 'Only shared models are supported');
}

export function checkDestination(destination: Destination, store: Store, prefix: string): void {
  if (destination.type === 'slack') {
    if (store.data.organization.slackConnected) return;
    throw new Rejection(400, `${prefix}No Slack workspace is connected to this organization`);
  }
  const unknown = destination.userGroupIds?.find((id) => findGroup(id, store.data) === undefined);
  if (unknown !== undefined)
    refuse(`${prefix}destination.userGroupIds`, `User group with id ${unknown} does not exist`);
}

/** A sentence that says why no run of a routine can work; undefined if one can. */
export function whyBroken(routine: StoredRoutine, store: Store): string | undefined {
  const fields = routine.fields;
  if (findActiveMember(routine.ownerId, store) === undefined) return 'The owner of the routine is not an active member';
  const missing = whatIsMissing(fields, store);
  if (missing !== undefined) return missing;
  return countRecipients(routine, store) === 0 ? 'The routine has no recipients' : undefined;
}

function findActiveMember(id: string | undefined, { data }: Store): Member | undefined {
  return data.members.find((member) => member.id === id && member.active !== false);
}

/** The memberships of the members' addresses, keyed by the address in lower case. */
export function membershipsOf(destination: Destination, { data }: Store): Record<string, string> {
  const emails = destination.type === 'email' ? (destination.recipientEmails ?? []) : [];
  const asked = new Set(emails.map((email) => email.toLowerCase()));
  const members = data.members.filter(({ email, active }) => active !== false && asked.has(email.toLowerCase()));
  return Object.fromEntries(members.map(({ id, email }) => [email.toLowerCase(), id]));
}

/** The current addresses: a member has the present one, and one who left has none. */
function currentEmails({ memberships = {}, ...routine }: StoredRoutine, store: Store): string[] {
  const { destination } = storedRoutine(routine);
  const emails = destination.type === 'email' ? (destination.recipientEmails ?? []) : [];
  return emails.flatMap((email) => {
    const id = memberships[email.toLowerCase()];
    return id === undefined ? [email] : (findActiveMember(id, store)?.email ?? []);
  });
}

/** The destination as it is read: for e-mail it has both lists. */
export function currentDestination(routine: StoredRoutine, store: Store): Destination {
  const { destination } = storedRoutine(routine);
  if (destination.type === 'slack') return destination;
  const recipientEmails = currentEmails(routine, store);
  return { type: 'email', recipientEmails, userGroupIds: destination.userGroupIds ?? [] };
}

/** The number of receivers, each person once, and with the members of groups. A Slack recipient counts as one. */
export function countRecipients(routine: StoredRoutine, store: Store): number {
  const destination = currentDestination(routine, store);
  if (destination.type === 'slack') return 1;
  const groups = (destination.userGroupIds ?? []).flatMap((id) => findGroup(id, store.data) ?? []);
  const ofGroups = groups.flatMap((group) => membersOf(group, store.data)).map(({ email }) => email);
  const emails = [...(destination.recipientEmails ?? []), ...ofGroups];
  return new Set(emails.map((email) => email.toLowerCase())).size;
}
