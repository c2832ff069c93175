// GET /v1/schedules: the schedules that the caller may see, sorted and page by page. The cursor is a page number, so a
// reader may see a schedule twice or not at all if schedules are added or removed meanwhile.

import { queryName } from '../documents/query-name.ts';
import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { sameId } from '../pipeline/fields.ts';
import { findDocument, type Store, type StoredSchedule } from '../store/store.ts';
import { isThereYet, ownerOf } from './find-schedule.ts';
import { readScheduleQuery, type ScheduleQuery, type SortField, type Status } from './schedule-query.ts';
import { storedBody } from './stored-body.ts';

type Listed = ReturnType<typeof toRecord>;

const sortValues: Readonly<{ [Field in SortField]: (record: Listed) => string }> = {
  scheduleName: (record) => record.name,
  dashboardName: (record) => record.dashboardName,
  ownerName: (record) => record.ownerName,
  lastRun: (record) => record.lastCompletedAt ?? '',
  lastRunStatus: (record) => record.lastStatus ?? '',
};

const statuses: Readonly<{ [Name in Status]: readonly (string | null)[] }> = {
  success: ['COMPLETE', 'CONDITION_UNMET'],
  error: ['ERROR', 'ERROR_DELIVERED'],
  canceled: ['KILLED'],
  none: [null],
};

export function listSchedules(call: Call): Answer {
  const { store, caller } = call;
  const query = readScheduleQuery(call.query);
  if (query.ownerId !== undefined) checkOwner(query.ownerId, call);
  const sign = query.sortDirection === 'asc' ? 1 : -1;
  const sortValueOf = sortValues[query.sortField];
  call.runs.catchUp(store.data.schedules);
  const found = store.data.schedules
    .filter((schedule) => isThereYet(schedule, call))
    .filter((schedule) => caller.kind === 'organization' || schedule.ownerId === caller.memberId)
    .map((schedule) => toRecord(schedule, store))
    .filter((record) => isWanted(record, query))
    .sort((a, b) => sign * (compare(sortValueOf(a), sortValueOf(b)) || compare(a.id, b.id)));
  return { status: 200, body: cutPage(found, query) };
}

function cutPage(found: readonly Listed[], { page, pageSize }: ScheduleQuery) {
  const lastPage = Math.max(1, Math.ceil(found.length / pageSize));
  if (page > lastPage) {
    throw new Rejection(400, `Invalid page number. The last valid page is ${lastPage}.`);
  }
  const hasNextPage = page < lastPage;
  return {
    pageInfo: {
      hasNextPage,
      nextCursor: hasNextPage ? String(page + 1) : null,
      pageSize,
      totalRecords: found.length,
    },
    records: found.slice((page - 1) * pageSize, page * pageSize),
  };
}

function checkOwner(ownerId: string, { caller, store }: Call): void {
  if (caller.kind === 'personal' && !sameId(caller.memberId, ownerId)) {
    throw new Rejection(403, 'A personal access token can only list the schedules of its own user');
  }
  const known = [store.data.organization.id, ...store.data.members.map(({ id }) => id)];
  if (!known.some((id) => sameId(id, ownerId))) throw new Rejection(404, `User with id ${ownerId} does not exist`);
}

function isWanted(record: Listed, query: ScheduleQuery): boolean {
  const { q, status, destination, scheduleType, contentType, ownerId, identifier, embedEntity } = query;
  const names = [record.name, record.dashboardName, record.ownerName].map((name) => name.toLowerCase());
  if (q !== undefined && !names.some((name) => name.includes(q.toLowerCase()))) return false;
  if (status !== undefined && !statuses[status].includes(record.lastStatus)) return false;
  if (destination !== undefined && record.destinationType !== destination) return false;
  const isAlert = record['alert'] !== undefined;
  if (scheduleType !== undefined && isAlert !== (scheduleType === 'alert')) return false;
  if (contentType !== undefined && (record.content === 'tile') !== (contentType === 'single tile')) return false;
  if (ownerId !== undefined && !sameId(record.ownerId, ownerId)) return false;
  // The organization has no embedded content.
  return embedEntity === undefined && (identifier === undefined || record.identifier === identifier);
}

function toRecord(schedule: StoredSchedule, store: Store) {
  const body = storedBody(schedule);
  const document = store.data.documents.find(({ identifier }) => identifier === body.identifier);
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
    recipientCount: body.destinationType === 'email' ? (body.recipients?.length ?? 0) : -1,
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

function conditionQueryName(body: ReturnType<typeof storedBody>, store: Store): string | null {
  const { conditionQueryMapKey: key, identifier } = body;
  const keys = findDocument(store, identifier)?.dashboard?.queryKeys ?? [];
  return key !== undefined && keys.includes(key) ? queryName(key) : null;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
