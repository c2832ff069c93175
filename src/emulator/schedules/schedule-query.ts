// Reads the parameters of the schedule list. Its cursor is the number of a page.

import { Rejection } from '../pipeline/answer.ts';
import { checkUuid, readChoice, readPageSize } from '../pipeline/query-values.ts';
import { readQuery } from '../pipeline/read-query.ts';

const choices = {
  status: ['success', 'error', 'canceled', 'none'],
  destination: ['email', 'google_sheets', 's3', 'sftp', 'slack', 'webhook'],
  scheduleType: ['alert', 'schedule'],
  contentType: ['dashboard', 'single tile'],
} as const;
const sortFields = ['scheduleName', 'dashboardName', 'ownerName', 'lastRun', 'lastRunStatus'] as const;

type Choice<Name extends keyof typeof choices> = (typeof choices)[Name][number];

export type Status = Choice<'status'>;
export type SortField = (typeof sortFields)[number];

export interface ScheduleQuery {
  readonly q?: string;
  readonly status?: Status;
  readonly destination?: Choice<'destination'>;
  readonly scheduleType?: Choice<'scheduleType'>;
  readonly contentType?: Choice<'contentType'>;
  readonly ownerId?: string;
  readonly identifier?: string;
  readonly embedEntity?: string;
  readonly sortField: SortField;
  readonly sortDirection: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
}

const parameters = [
  'q',
  'status',
  'destination',
  'scheduleType',
  'contentType',
  'ownerId',
  'identifier',
  'embedEntity',
  'sortField',
  'sortDirection',
  'cursor',
  'pageSize',
] as const;

export function readScheduleQuery(query: URLSearchParams): ScheduleQuery {
  const { cursor, pageSize, sortField, sortDirection, ...filters } = readQuery(query, parameters);
  for (const [name, allowed] of Object.entries(choices)) {
    const value = filters[name as keyof typeof choices];
    if (value !== undefined) readChoice(name, value, allowed);
  }
  checkUuid('ownerId', filters.ownerId);
  return {
    ...(filters as Partial<ScheduleQuery>),
    sortField: readChoice('sortField', sortField ?? 'scheduleName', sortFields),
    sortDirection: readChoice('sortDirection', sortDirection ?? 'desc', ['asc', 'desc']),
    page: readPage(cursor),
    pageSize: readPageSize(pageSize),
  };
}

function readPage(cursor = '1'): number {
  if (!/^\d{1,9}$/.test(cursor)) throw new Rejection(400, 'cursor: Expected number, received nan');
  if (Number(cursor) < 1) throw new Rejection(400, 'cursor: Number must be greater than or equal to 1');
  return Number(cursor);
}
