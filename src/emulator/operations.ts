// The operations of the emulator: the documented minimum, and the rest of the vendor's public API.

import { aiJobOperations, createAiJob } from './ai-jobs.ts';
import { getDocument, listAccess, listDocuments, listQueries } from './documents.ts';
import { downloadOperations } from './downloads.ts';
import { getFilters, listDrafts, updateFilters } from './filters.ts';
import { listModels } from './models.ts';
import { peopleOperations, whoami } from './people.ts';
import { getSchedule, listSchedules } from './read-schedules.ts';
import { addRecipients, getRecipients, removeRecipients } from './recipients.ts';
import type { Operation } from './requests.ts';
import { routineOperations } from './routines.ts';
import {
  createSchedule,
  deleteSchedule,
  setPaused,
  transferOwnership,
  triggerSchedule,
  updateSchedule,
} from './schedules.ts';

const schedule = '/v1/schedules/{scheduleId}';

/** @internal */
export const coreOperations: readonly Operation[] = [
  { method: 'GET', path: '/v1/documents', answer: listDocuments },
  { method: 'PATCH', path: '/v1/dashboards/{dashboardId}/filters', hasBody: true, answer: updateFilters },
  { method: 'POST', path: '/v1/schedules', hasBody: true, answer: createSchedule },
  { method: 'POST', path: '/v1/ai/jobs', hasBody: true, answer: createAiJob },
];

/** @internal */
export const fullOperations: readonly Operation[] = [
  ...coreOperations,
  { method: 'GET', path: '/v1/documents/{documentId}/queries', answer: listQueries },
  { method: 'GET', path: '/v1/documents/{documentId}/access-list', answer: listAccess },
  { method: 'GET', path: '/v2/documents/{documentId}', answer: getDocument },
  { method: 'GET', path: '/v1/dashboards/{dashboardId}/filters', answer: getFilters },
  { method: 'GET', path: '/v1/schedules', answer: listSchedules },
  { method: 'GET', path: schedule, answer: getSchedule },
  { method: 'PUT', path: schedule, hasBody: true, answer: updateSchedule },
  { method: 'DELETE', path: schedule, answer: deleteSchedule },
  { method: 'PUT', path: `${schedule}/pause`, answer: (call) => setPaused(call, true) },
  { method: 'PUT', path: `${schedule}/resume`, answer: (call) => setPaused(call, false) },
  { method: 'POST', path: `${schedule}/trigger`, answer: triggerSchedule },
  { method: 'GET', path: `${schedule}/recipients`, answer: getRecipients },
  { method: 'PUT', path: `${schedule}/add-recipients`, hasBody: true, answer: addRecipients },
  { method: 'PUT', path: `${schedule}/remove-recipients`, hasBody: true, answer: removeRecipients },
  { method: 'PUT', path: `${schedule}/transfer-ownership`, hasBody: true, answer: transferOwnership },
  { method: 'GET', path: '/v1/whoami', answer: whoami },
  { method: 'GET', path: '/v1/documents/{documentId}/drafts', answer: listDrafts },
  { method: 'GET', path: '/v1/models', answer: listModels },
  ...downloadOperations,
  ...peopleOperations,
  ...aiJobOperations,
  ...routineOperations,
];
