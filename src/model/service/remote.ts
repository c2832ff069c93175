// The content of the service, as far as its answers are documented. The room observe makes of it what can be compared
// with a declaration; the room omni knows the format on the wire.

import type { JsonObject } from '../values/json.ts';
import {
  anId,
  count,
  flag,
  listOf,
  map,
  nonEmptyText,
  number,
  openRecord,
  orNull,
  type RecordOf,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { countOf } from '../values/words.ts';

export const listedSchema = openRecord({
  id: anId,
  // The dashboard's short identifier, as declarations name it.
  identifier: text,
  name: text,
  schedule: text,
  timezone: text,
  format: text,
  destinationType: text,
  'dashboardName?': text,
  // Only for an e-mail delivery; undefined for other destinations.
  'recipientCount?': count,
  'slackRecipientType?': text,
  // It delivers one tile instead of the whole dashboard; undefined if the service does not say.
  'isTile?': flag,
  // Someone paused it.
  paused: flag,
  // The reason why the service itself stopped it; undefined while it has not.
  'stopped?': text,
  // The condition that makes an alert fire.
  'conditionType?': text,
  // A membership id, or the id of the organization.
  'ownerId?': anId,
  'ownerName?': text,
  // The time at which its last run ended, as the service writes it; undefined if it never ran.
  'lastCompletedAt?': text,
  // The end of that run: COMPLETE, ERROR, ERROR_DELIVERED, KILLED, CONDITION_UNMET, or what the service adds to these.
  'lastStatus?': text,
  // The row has neither of these two fields, not even as null.
  'runsUntold?': flag,
});
/** A row of the list of schedules. A text that the service does not report is empty. */
export type ListedSchedule = TypeOf<typeof listedSchema>;

/** A row in the list of any kind. `identifier` names what the resource is on: a dashboard, or a model. */
export interface ListedRow
  extends Pick<
    ListedSchedule,
    'id' | 'identifier' | 'name' | 'destinationType' | 'lastCompletedAt' | 'lastStatus' | 'runsUntold'
  > {
  /** The membership id of the owner whose list it is, where each has one. */
  readonly madeBy?: string | undefined;
  /** The routine itself: its row is whole. */
  readonly routine?: ListedRoutine | undefined;
}

/** The most schedules that one page of the list holds. */
export const maxSchedulesOnAPage = 100;

/** Beyond this number of lists of dashboards, the one that shows everything takes fewer requests. */
export const mostListsOfDashboards = 5;

const routineDestinationSchema = openRecord({
  // email or slack, or what the service adds to these.
  type: text,
  'recipientEmails?': listOf(text),
  'userGroupIds?': listOf(anId),
  'recipientId?': text,
  'slackRecipientType?': text,
});

export const listedRoutineSchema = openRecord({
  id: anId,
  modelId: text,
  // null if it has none, undefined if the service does not say; the same for the other two.
  'branchId?': orNull(text),
  'topicName?': orNull(text),
  name: text,
  'description?': orNull(text),
  prompt: text,
  schedule: text,
  timezone: text,
  // The addresses are those that its members have now, so one of them may differ from what was sent.
  'destination?': routineDestinationSchema,
  // Its owner paused it.
  paused: flag,
  // The reason why the service itself stopped it; undefined while it has not.
  'stopped?': text,
  // The number of people, each counted once, with those of its groups.
  'recipientCount?': count,
  // The last run that ended: its time, its end in the words of the service, and its state, such as COMPLETE.
  'lastCompletedAt?': text,
  'lastLabel?': text,
  'lastStatus?': text,
  'createdAt?': text,
  'updatedAt?': text,
});
/** A routine, whole, as the list of its owner has it. A text that the service does not report is empty. */
export type ListedRoutine = TypeOf<typeof listedRoutineSchema>;

/** The most routines that one page of the list holds. */
export const maxRoutinesOnAPage = 100;

const destinationSchema = openRecord({
  format: text,
  // Undefined if the service does not say.
  'type?': text,
  metadata: map,
  // The addresses, if there is one for each recipient and no user group is among them.
  'emails?': listOf(text),
});

export const remoteScheduleSchema = openRecord({
  id: anId,
  name: nonEmptyText,
  schedule: text,
  timezone: text,
  paused: flag,
  'stopped?': text,
  // ISO 8601.
  createdAt: nonEmptyText,
  updatedAt: text,
  'ownerId?': anId,
  // The id of its dashboard.
  'entityId?': anId,
  'fanOut?': flag,
  'conditionType?': text,
  // Fields that only the details have, by name: null if not set, absent if the service does not say.
  fields: map,
  // The effective one: the dashboard's defaults with the stored overrides on top.
  'filterConfig?': map,
  // Options of format and delivery; their names are not documented.
  metadata: map,
  destinations: listOf(destinationSchema),
});
/** A schedule in detail; it does not name its dashboard as declarations do. */
export type RemoteSchedule = TypeOf<typeof remoteScheduleSchema>;

/** A user group that receives a schedule, with the addresses of its members. Has no id if the service does not say. */
const groupSchema = record({ 'id?': anId, name: text, emails: listOf(text) });

export const principalSchema = record({ id: anId, name: text });
/** A user group that may view a dashboard. Names may repeat. */
export type Principal = TypeOf<typeof principalSchema>;

export const recipientsSchema = openRecord({
  type: text,
  'emails?': listOf(text),
  // The recipients, direct or by a group, of whom the service knows nothing but the address.
  'emailOnly?': listOf(text),
  // The user groups; empty if it has none.
  'groups?': listOf(groupSchema),
  'slackRecipientType?': text,
  'slackIds?': listOf(text),
  // Declared under the same names: url, address, port, username, bucketName, region, roleArn and so on.
  settings: map,
});
/** The receivers of a schedule. Fields that a type does not have are left out. */
export type RemoteRecipients = TypeOf<typeof recipientsSchema>;

/** The answer of the service when it has created something. */
export interface Created {
  /** Missing for a test delivery, which creates nothing recurring. */
  readonly id?: string;
  /** Values of the answer that people need, such as delivererRoleArn or omniChatUrl. */
  readonly outputs: JsonObject;
}

/** A member of the organization. */
export interface RemoteUser {
  /** The membership id. */
  readonly id: string;
  readonly email: string;
  readonly name?: string;
  /** False for a deactivated account; true if the service does not say. */
  readonly active: boolean;
}

/** The holder of the token, as the service says. */
export interface TokenHolder {
  /** `organization` or `user`, or what the service adds to these. */
  readonly keyScope: string;
  readonly orgRole: string | undefined;
  /** The permissions that it has on any model. */
  readonly permissions: ReadonlySet<string>;
  /** There are more models than the answer has. */
  readonly isPartial: boolean;
}

/** An unpublished draft of a dashboard. */
export interface RemoteDraft {
  /** The person who edited it last. */
  readonly by: string | undefined;
  /** ISO 8601. */
  readonly editedAt: string | undefined;
}

/** A model that AI jobs may name; routines, only a shared one. */
export type ModelKind = 'SHARED' | 'SHARED_EXTENSION';

export interface RemoteModel {
  readonly id: string;
  readonly name: string;
  readonly branches: readonly { readonly id: string; readonly name: string }[];
}

export const aiJobRows = {
  // QUEUED, EXECUTING, DELIVERING, COMPLETE, FAILED or CANCELLED; or what the service adds to these.
  state: nonEmptyText,
  'conversationId?': text,
  'omniChatUrl?': text,
  'progress?': record({ 'iteration?': number, 'message?': text }),
  'error?': record({ 'code?': text, 'message?': text, 'detail?': text }),
  // Markdown.
  'resultSummary?': text,
};
export type RemoteAiJob = RecordOf<typeof aiJobRows>;

export const filtersSchema = openRecord({
  identifier: nonEmptyText,
  filters: map,
  controls: map,
  filterOrder: listOf(text),
});
/** A dashboard's filters and controls as they are now. */
export type RemoteFilters = TypeOf<typeof filtersSchema>;

// The end of a schedule's last run, in the words of the service.

/** Bad ends of a run. After an error some may have it. An AI job ends as FAILED, and a routine may. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED', 'FAILED']);

const underWay: ReadonlySet<string> = new Set(['QUEUED', 'EXECUTING', 'DELIVERING']);

export function isUnderWay(lastStatus: string): boolean {
  return underWay.has(lastStatus);
}

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}

// The kinds of token, as far as the service documents their difference.

/** The beginning of organization keys; that of other tokens is not documented. */
export const organizationKeyPrefix = 'omni_osk_';

/** True for a token that may look people up and act for others. */
export function isOrganizationKey(token: string): boolean {
  return token.startsWith(organizationKeyPrefix);
}

// The schedules that `almanac doctor --probe` makes for a few minutes, and deletes. No import declares them and no report
// calls them untracked. Anybody may choose such a name in Omni, so a name alone hides nothing that is delivered.

export function probeName(uuid: string): string {
  return `Almanac probe ${uuid}, may be deleted`;
}

const form = /^Almanac probe [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}, may be deleted$/;

export function hasProbeName({ name }: Pick<ListedSchedule, 'name'>): boolean {
  return form.test(name);
}

/** The one run of each of them: the first minute of the year 2099. */
export const probeRun = '0 0 1 1 ? 2099';

/** True if it has the name, and delivers nothing: it is paused, or its one run is in 2099. */
export function isProbe(row: Pick<ListedSchedule, 'name' | 'schedule' | 'paused'>): boolean {
  return hasProbeName(row) && (row.paused || row.schedule === probeRun);
}

/** Words about probe schedules; empty for none. */
export function probesWords(count: number): string {
  if (count === 0) return '';
  return `${countOf(count, 'schedule')} of a probe ${count === 1 ? 'was' : 'were'} left out.`;
}
