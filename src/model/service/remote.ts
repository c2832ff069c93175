// What the service holds, as far as its answers are documented. The engine derives from it what can be compared with a
// declaration; the adapter knows the format on the wire.

import type { JsonObject } from '../values/json.ts';

/** A row of the list of schedules. A text that the service does not report is empty. */
export interface ListedSchedule {
  readonly id: string;
  /** The dashboard's short identifier, as declarations name it. */
  readonly identifier: string;
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly format: string;
  readonly destinationType: string;
  readonly dashboardName?: string;
  /** Of an e-mail delivery; undefined for other destinations. */
  readonly recipientCount?: number;
  readonly slackRecipientType?: string;
  /** It delivers one tile instead of the whole dashboard; undefined where the service does not say. */
  readonly isTile?: boolean;
  /** Someone paused it. */
  readonly paused: boolean;
  /** Why the service itself stopped it; undefined while it has not. */
  readonly stopped?: string;
  /** Of an alert: what makes it fire. */
  readonly conditionType?: string;
  /** A membership id, or the id of the organization. */
  readonly ownerId?: string;
  readonly ownerName?: string;
  /** When its last run ended, as the service writes it; undefined if it never ran. */
  readonly lastCompletedAt?: string;
  /** How that run ended: COMPLETE, ERROR, ERROR_DELIVERED, KILLED, CONDITION_UNMET; or what the service adds to these. */
  readonly lastStatus?: string;
  /** The row has neither of these two fields, not even as null. */
  readonly runsUntold?: boolean;
}

/** The most schedules that one page of the list holds. */
export const mostSchedulesOnAPage = 100;

/** Whether a row may be the schedule of that name on that dashboard: an empty text may stand for any. */
export function mayBeNamed(
  row: Pick<ListedSchedule, 'identifier' | 'name'>,
  identifier: string,
  name: string,
): boolean {
  return (row.identifier === identifier || row.identifier === '') && (row.name === name || row.name === '');
}

/** A schedule in detail; it does not name its dashboard as declarations do. */
export interface RemoteSchedule {
  readonly id: string;
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly paused: boolean;
  readonly stopped?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ownerId?: string;
  readonly fanOut?: boolean;
  readonly killJobsOnFailure?: boolean;
  readonly conditionType?: string;
  readonly conditionQueryMapKey?: string;
  /** The effective one: the dashboard's defaults with the stored overrides on top. */
  readonly filterConfig?: JsonObject;
  /** Options of format and delivery; their names are not documented. */
  readonly metadata: JsonObject;
  readonly destinations: readonly RemoteDestination[];
}

export interface RemoteDestination {
  readonly format: string;
  /** Undefined where the service does not say. */
  readonly type?: string;
  readonly metadata: JsonObject;
}

/** Whom, or where, a schedule delivers to. Fields that a type does not have are left out. */
export interface RemoteRecipients {
  readonly type: string;
  readonly emails?: readonly string[];
  /** Those of them, and of the groups, of whom the service knows nothing but the address. */
  readonly emailOnly?: readonly string[];
  /** Groups of users: no declaration can hold them. */
  readonly groups?: readonly RemoteGroup[];
  readonly slackRecipientType?: string;
  readonly slackIds?: readonly string[];
  /** What is declared under the same names: url, address, port, username, bucketName, region, roleArn and so on. */
  readonly settings: JsonObject;
}

export interface RemoteGroup {
  readonly name: string;
  /** Of its members. */
  readonly emails: readonly string[];
}

/** A member of the organization. */
export interface RemoteUser {
  /** The membership id. */
  readonly id: string;
  readonly email: string;
  readonly name?: string;
  /** False for a deactivated account; true also where the service does not say. */
  readonly active: boolean;
  /** The groups that they are in; undefined where the service does not say. */
  readonly groups?: readonly { readonly id?: string; readonly name?: string }[];
}

/** How far an AI job is. */
export interface RemoteAiJob {
  /** QUEUED, EXECUTING, DELIVERING, COMPLETE, FAILED or CANCELLED; or what the service adds to these. */
  readonly state: string;
  readonly progress?: { readonly iteration?: number; readonly message?: string };
  readonly error?: { readonly code?: string; readonly message?: string; readonly detail?: string };
  /** Markdown. */
  readonly resultSummary?: string;
  readonly conversationId?: string;
  readonly omniChatUrl?: string;
}

/** A dashboard's filters and controls as they are now. */
export interface RemoteFilters {
  readonly identifier: string;
  readonly filters: JsonObject;
  readonly controls: JsonObject;
  readonly filterOrder: readonly string[];
}
