// The operations of the service that Almanac calls, with hints for 404 and 409.

import type { Operation } from './api-failure.ts';

export type { Operation } from './api-failure.ts';

export const updateFilters: Operation = {
  method: 'PATCH',
  path: '/v1/dashboards/{dashboardId}/filters',
  notFoundHint:
    'Check `identifier`, the last part of the dashboard’s URL, and that the base URL belongs to the same organization.',
  conflictHint:
    'The dashboard has an unpublished draft. Publish or discard it in Omni, or declare clearExistingDraft: true. That discards the draft, including unpublished work of others: all editors of a dashboard share one draft.',
};
export const createSchedule: Operation = {
  method: 'POST',
  path: '/v1/schedules',
  notFoundHint: 'Check `identifier`: the dashboard must exist in the organization of the base URL, and be published.',
};
export const createAiJob: Operation = {
  method: 'POST',
  path: '/v1/ai/jobs',
  notFoundHint: 'Check `modelId`, and branchId, conversationId and topicName if they are declared.',
  conflictHint:
    'A conversation works on one job at a time, and this one has a job running. Apply again when that job has ended, cancel it (`almanac ai cancel ADDRESS` if Almanac ran it), or remove conversationId to start a new conversation.',
};

const scheduleGone =
  'It may have been removed in Omni, or the base URL belongs to another organization. `almanac plan --refresh` shows what exists.';
const onSchedule = (method: Operation['method'], action = ''): Operation => ({
  method,
  path: `/v1/schedules/{scheduleId}${action}`,
  notFoundHint: scheduleGone,
});
export const updateSchedule = onSchedule('PUT');
export const deleteSchedule = onSchedule('DELETE');
export const pauseSchedule = onSchedule('PUT', '/pause');
export const resumeSchedule = onSchedule('PUT', '/resume');
export const triggerSchedule: Operation = {
  ...onSchedule('POST', '/trigger'),
  conflictHint:
    'A run of it is under way, or it is paused, or Omni has stopped it; or it is a personalised e-mail to more than 50 people. `almanac status -v` says which. Nothing was delivered by this request.',
};
export const transferOwnership = onSchedule('PUT', '/transfer-ownership');
export const getSchedule = onSchedule('GET');
export const getRecipients = onSchedule('GET', '/recipients');
export const listSchedules: Operation = {
  method: 'GET',
  path: '/v1/schedules',
  notFoundHint: 'Check the base URL: this operation is part of the full set of the service’s API.',
};
const onAiJob = (method: Operation['method'], action = ''): Operation => ({
  method,
  path: `/v1/ai/jobs/{jobId}${action}`,
  notFoundHint: 'It may have been removed in Omni, or the base URL belongs to another organization.',
});
export const getAiJob = onAiJob('GET');
export const getAiJobResult = onAiJob('GET', '/result');
export const cancelAiJob: Operation = {
  ...onAiJob('POST', '/cancel'),
  conflictHint:
    'Something else changed the job at the same moment, or it is delivering its result. Run the command again; `almanac ai status ADDRESS` says how far the job is.',
  repeatable: true,
};
export const getFilters: Operation = { ...updateFilters, method: 'GET' };

export const listDocuments: Operation = {
  method: 'GET',
  path: '/v1/documents',
  notFoundHint: 'Check the base URL, and the ids of --user, --creator and --folder.',
};
export const listUsers: Operation = {
  method: 'GET',
  path: '/scim/v2/Users',
  notFoundHint: 'Check the base URL: the list of people is below it, at `/scim/v2/Users`.',
};
export const listEmailOnlyUsers: Operation = {
  method: 'GET',
  path: '/v1/users/email-only',
  notFoundHint: 'Check the base URL of the organization.',
};
export const listAccess: Operation = {
  method: 'GET',
  path: '/v1/documents/{documentId}/access-list',
  notFoundHint: 'Check `identifier`: the document must exist in the organization of the base URL.',
};
export const listQueries: Operation = {
  method: 'GET',
  path: '/v1/documents/{documentId}/queries',
  notFoundHint: 'Check `identifier`: the document must exist in the organization of the base URL.',
};
