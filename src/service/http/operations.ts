// The operations of the service that Almanac calls: method, path, what reads the answer, and hints for 404 and 409.

import type { Json } from '../../model/values/json.ts';
import { readCreatedAiJob, readCreatedSchedule, readDone } from '../answers/read-created.ts';
import { readDocumentPage, readQueries } from '../answers/read-documents.ts';
import { readAccessPage, readEmailOnlyPage, readUserPage } from '../answers/read-people.ts';
import {
  readAiJob,
  readAiJobResult,
  readFilters,
  readRecipients,
  readSchedule,
  readSchedulePage,
} from '../answers/read-remote.ts';
import type { Reading } from '../answers/reading.ts';
import type { Method } from './exchange.ts';

export interface Operation<T = unknown> {
  readonly method: Method;
  /** As written in the service's reference. */
  readonly path: string;
  readonly read: (answer: Json | undefined) => Reading<T>;
  /** What a 404 can mean. */
  readonly notFoundHint: string;
  /** What a 409 can mean. */
  readonly conflictHint?: string;
  /** A POST that is safe to repeat. */
  readonly repeatable?: true;
}

const scheduleGone =
  'It may have been removed in Omni, or the base URL belongs to another organization. `almanac plan --refresh` shows what exists.';
const jobGone = 'It may have been removed in Omni, or the base URL belongs to another organization.';
const dashboardUnknown =
  'Check `identifier`, the last part of the dashboard’s URL, and that the base URL belongs to the same organization.';
const documentUnknown = 'Check `identifier`: the document must exist in the organization of the base URL.';

export const operations = {
  updateFilters: {
    method: 'PATCH',
    path: '/v1/dashboards/{dashboardId}/filters',
    read: readDone,
    notFoundHint: dashboardUnknown,
    conflictHint:
      'The dashboard has an unpublished draft. Publish or discard it in Omni, or declare clearExistingDraft: true. That discards the draft, including unpublished work of others: all editors of a dashboard share one draft.',
  },
  getFilters: {
    method: 'GET',
    path: '/v1/dashboards/{dashboardId}/filters',
    read: readFilters,
    notFoundHint: dashboardUnknown,
  },
  createSchedule: {
    method: 'POST',
    path: '/v1/schedules',
    read: (answer: Json | undefined) => readCreatedSchedule(answer, false),
    notFoundHint: 'Check `identifier`: the dashboard must exist in the organization of the base URL, and be published.',
  },
  updateSchedule: { method: 'PUT', path: '/v1/schedules/{scheduleId}', read: readDone, notFoundHint: scheduleGone },
  deleteSchedule: { method: 'DELETE', path: '/v1/schedules/{scheduleId}', read: readDone, notFoundHint: scheduleGone },
  pauseSchedule: {
    method: 'PUT',
    path: '/v1/schedules/{scheduleId}/pause',
    read: readDone,
    notFoundHint: scheduleGone,
  },
  resumeSchedule: {
    method: 'PUT',
    path: '/v1/schedules/{scheduleId}/resume',
    read: readDone,
    notFoundHint: scheduleGone,
  },
  triggerSchedule: {
    method: 'POST',
    path: '/v1/schedules/{scheduleId}/trigger',
    read: readDone,
    notFoundHint: scheduleGone,
    conflictHint:
      'A run of it is under way, or it is paused, or Omni has stopped it; or it is a personalised e-mail to more than 50 people. `almanac status -v` says which. Nothing was delivered by this request.',
  },
  transferOwnership: {
    method: 'PUT',
    path: '/v1/schedules/{scheduleId}/transfer-ownership',
    read: readDone,
    notFoundHint: scheduleGone,
  },
  getSchedule: { method: 'GET', path: '/v1/schedules/{scheduleId}', read: readSchedule, notFoundHint: scheduleGone },
  getRecipients: {
    method: 'GET',
    path: '/v1/schedules/{scheduleId}/recipients',
    read: readRecipients,
    notFoundHint: scheduleGone,
  },
  listSchedules: {
    method: 'GET',
    path: '/v1/schedules',
    read: readSchedulePage,
    notFoundHint: 'Check the base URL: this operation is part of the full set of the service’s API.',
  },
  createAiJob: {
    method: 'POST',
    path: '/v1/ai/jobs',
    read: readCreatedAiJob,
    notFoundHint: 'Check `modelId`, and branchId, conversationId and topicName if they are declared.',
    conflictHint:
      'A conversation works on one job at a time, and this one has a job running. Apply again when that job has ended, cancel it (`almanac ai cancel ADDRESS` if Almanac ran it), or remove conversationId to start a new conversation.',
  },
  getAiJob: { method: 'GET', path: '/v1/ai/jobs/{jobId}', read: readAiJob, notFoundHint: jobGone },
  getAiJobResult: { method: 'GET', path: '/v1/ai/jobs/{jobId}/result', read: readAiJobResult, notFoundHint: jobGone },
  cancelAiJob: {
    method: 'POST',
    path: '/v1/ai/jobs/{jobId}/cancel',
    read: readDone,
    notFoundHint: jobGone,
    conflictHint:
      'Something else changed the job at the same moment, or it is delivering its result. Run the command again; `almanac ai status ADDRESS` says how far the job is.',
    repeatable: true,
  },
  listDocuments: {
    method: 'GET',
    path: '/v1/documents',
    read: readDocumentPage,
    notFoundHint: 'Check the base URL, and the ids of --user, --creator and --folder.',
  },
  listQueries: {
    method: 'GET',
    path: '/v1/documents/{documentId}/queries',
    read: readQueries,
    notFoundHint: documentUnknown,
  },
  listAccess: {
    method: 'GET',
    path: '/v1/documents/{documentId}/access-list',
    read: readAccessPage,
    notFoundHint: documentUnknown,
  },
  listUsers: {
    method: 'GET',
    path: '/scim/v2/Users',
    read: readUserPage,
    notFoundHint: 'Check the base URL: the list of people is below it, at `/scim/v2/Users`.',
  },
  listEmailOnlyUsers: {
    method: 'GET',
    path: '/v1/users/email-only',
    read: readEmailOnlyPage,
    notFoundHint: 'Check the base URL of the organization.',
  },
} as const satisfies Readonly<Record<string, Operation>>;
