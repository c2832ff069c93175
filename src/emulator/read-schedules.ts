// Schedules as the service returns them: one, and a page of the list.

import { type Answer, Rejection } from './answers.ts';
import { aNumberUpTo, aString, oneOf, readQuery } from './checks.ts';
import { queryName } from './documents.ts';
import { countRecipients, destinationSettings, emailRecipients, groupRecipients } from './recipients.ts';
import { effectiveFilters } from './render-dashboard.ts';
import { aPageSize, compare, type OperationInput, pageInfo, readActingMember } from './requests.ts';
import { optionsOf, type ScheduleBody, storedBody } from './schedule-rules.ts';
import { findSchedule, isThereYet, ownerOf } from './schedules.ts';
import {
  deriveUuid,
  type EmulatedDocument,
  entityIdOf,
  findDocument,
  type Store,
  type StoredSchedule,
  tileKeys,
} from './store.ts';

/**
 * GET /v1/schedules/{scheduleId}: a schedule in a form that no other operation accepts: the dashboard by its UUID,
 * options in `metadata`, the destination in a list, the effective filters. Without the password.
 */
export function getSchedule(call: OperationInput): Answer {
  const { store } = call;
  const schedule = findSchedule(call, readActingMember(call));
  const body = storedBody(schedule);
  const owner = ownerOf(schedule, store.data);
  return {
    status: 200,
    body: {
      id: schedule.id,
      name: body.name,
      organizationId: store.data.organization.id,
      entityId: entityIdOf(documentOf(body, store) ?? body),
      ownerId: owner.id,
      owner: { name: owner.name },
      schedule: body.schedule,
      timezone: body.timezone,
      fanOut: body.fanOut ?? false,
      killJobsOnFailure: body.killJobsOnFailure ?? false,
      filterConfig: effectiveFilters(findDocument(store, body.identifier), body.filterConfig),
      metadata: {
        ...schedule.options,
        ...optionsOf(body),
        timezoneOverride: body.timezoneOverride ?? null,
        queryIdentifierMapKey: body.queryIdentifierMapKey,
      },
      conditionType: body.conditionType ?? null,
      conditionQueryMapKey: body.conditionQueryMapKey ?? null,
      disabledAt: schedule.disabledAt ?? null,
      systemDisabledAt: schedule.systemDisabled?.at ?? null,
      systemDisabledReason: schedule.systemDisabled?.reason ?? null,
      createdAt: schedule.createdAt,
      updatedAt: schedule.updatedAt,
      destinations: [toDestination(schedule, store)],
    },
  };
}

/** Finds deleted documents as well. */
function documentOf(body: ScheduleBody, { data }: Store): EmulatedDocument | undefined {
  return data.documents.find(({ identifier }) => identifier === body.identifier);
}

function toDestination(schedule: StoredSchedule, store: Store): Record<string, unknown> {
  const body = storedBody(schedule);
  return {
    id: deriveUuid('destination', schedule.id),
    format: body.format,
    lastStatus: schedule.lastRun?.status ?? null,
    lastCompletedAt: schedule.lastRun?.at ?? null,
    metadata: destinationSettings(body, store),
    recipients: emailRecipients(schedule, store).map(({ id, membershipId, email, name }) => ({
      id,
      membershipId,
      membership: { user: { email, name } },
    })),
    userGroupRecipients: groupRecipients(schedule, store).map(({ id, name }) => ({ id, name })),
  };
}

type ScheduleRecord = ReturnType<typeof toRecord>;

const sortValues = {
  scheduleName: (record) => record.name,
  dashboardName: (record) => record.dashboardName,
  ownerName: (record) => record.ownerName,
  lastRun: (record) => record.lastCompletedAt ?? '',
  lastRunStatus: (record) => record.lastStatus ?? '',
} satisfies Readonly<Record<string, (record: ScheduleRecord) => string>>;

const parameters = {
  identifier: aString,
  sortField: oneOf(...(Object.keys(sortValues) as (keyof typeof sortValues)[])),
  sortDirection: oneOf('asc', 'desc'),
  cursor: aNumberUpTo(999_999_999),
  pageSize: aPageSize,
};

/**
 * GET /v1/schedules: the schedules that the caller may see, sorted and page by page. The cursor is a page number, so a
 * reader may see a schedule twice or not at all if schedules are added or removed meanwhile.
 */
export function listSchedules(call: OperationInput): Answer {
  const { store, caller } = call;
  const query = readQuery(call.query, parameters);
  const sign = query.sortDirection === 'asc' ? 1 : -1;
  const sortValueOf = sortValues[query.sortField ?? 'scheduleName'];
  call.runs.schedules.catchUp(store.data.schedules);
  const found = store.data.schedules
    .filter((schedule) => isThereYet(schedule, call))
    .filter((schedule) => caller.kind === 'organization' || schedule.ownerId === caller.memberId)
    .map((schedule) => toRecord(schedule, call))
    .filter(({ identifier }) => query.identifier === undefined || identifier === query.identifier)
    .sort((a, b) => sign * (compare(sortValueOf(a), sortValueOf(b)) || compare(a.id, b.id)));
  return { status: 200, body: cutPage(found, Number(query.cursor ?? 1), Number(query.pageSize ?? 20)) };
}

function cutPage(found: readonly ScheduleRecord[], page: number, pageSize: number) {
  const lastPage = Math.max(1, Math.ceil(found.length / pageSize));
  if (page > lastPage) {
    throw new Rejection(400, `Invalid page number. The last valid page is ${lastPage}.`);
  }
  return {
    pageInfo: pageInfo(pageSize, found.length, page < lastPage ? String(page + 1) : null),
    records: found.slice((page - 1) * pageSize, page * pageSize),
  };
}

function toRecord(schedule: StoredSchedule, call: OperationInput) {
  const { store } = call;
  const body = storedBody(schedule);
  const document = documentOf(body, store);
  const owner = ownerOf(schedule, store.data);
  return {
    id: schedule.id,
    name: body.name,
    schedule: body.schedule,
    timezone: body.timezone,
    identifier: body.identifier,
    dashboardName: document?.name ?? '',
    ownerId: owner.id,
    ownerName: owner.name,
    destinationType: body.destinationType,
    format: body.format,
    recipientCount: countRecipients(schedule, call),
    content: body.queryIdentifierMapKey === undefined ? 'dashboard' : 'tile',
    slackRecipientType: body.slackRecipientType ?? null,
    lastCompletedAt: schedule.lastRun?.at ?? null,
    lastStatus: schedule.lastRun?.status ?? null,
    disabledAt: schedule.disabledAt ?? null,
    systemDisabledAt: schedule.systemDisabled?.at ?? null,
    systemDisabledReason: schedule.systemDisabled?.reason ?? null,
    alert: body.conditionType && {
      conditionQueryName: conditionQueryName(body, store),
      conditionType: body.conditionType,
    },
  };
}

function conditionQueryName(body: ScheduleBody, store: Store): string | null {
  const { conditionQueryMapKey: key, identifier } = body;
  const keys = tileKeys(findDocument(store, identifier)?.dashboard);
  return key !== undefined && keys.includes(key) ? queryName(key) : null;
}
