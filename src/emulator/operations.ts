// The operations of the emulator: the documented minimum, and the rest of the vendor's public API.

import { cancelAiJob } from './ai-jobs/cancel-ai-job.ts';
import { createAiJob } from './ai-jobs/create-ai-job.ts';
import { getAiJob } from './ai-jobs/get-ai-job.ts';
import { getAiJobResult } from './ai-jobs/get-ai-job-result.ts';
import { getFilters } from './dashboards/get-filters.ts';
import { updateFilters } from './dashboards/update-filters.ts';
import { listDocuments } from './documents/list-documents.ts';
import { listQueries } from './documents/list-queries.ts';
import { peopleOperations } from './people/people-operations.ts';
import type { Operation } from './pipeline/exchange.ts';
import { addRecipients, removeRecipients } from './schedules/change-recipients.ts';
import { createSchedule } from './schedules/create-schedule.ts';
import { deleteSchedule } from './schedules/delete-schedule.ts';
import { getSchedule } from './schedules/get-schedule.ts';
import { listSchedules } from './schedules/list-schedules.ts';
import { pauseSchedule, resumeSchedule } from './schedules/pause-schedule.ts';
import { getRecipients } from './schedules/recipients.ts';
import { transferOwnership } from './schedules/transfer-ownership.ts';
import { triggerSchedule } from './schedules/trigger-schedule.ts';
import { updateSchedule } from './schedules/update-schedule.ts';

const schedule = '/v1/schedules/{scheduleId}';
const job = '/v1/ai/jobs/{jobId}';

export const coreOperations: readonly Operation[] = [
  { method: 'GET', path: '/v1/documents', hasBody: false, answer: listDocuments },
  { method: 'PATCH', path: '/v1/dashboards/{dashboardId}/filters', hasBody: true, answer: updateFilters },
  { method: 'POST', path: '/v1/schedules', hasBody: true, answer: createSchedule },
  { method: 'POST', path: '/v1/ai/jobs', hasBody: true, answer: createAiJob },
];

export const fullOperations: readonly Operation[] = [
  ...coreOperations,
  { method: 'GET', path: '/v1/documents/{documentId}/queries', hasBody: false, answer: listQueries },
  { method: 'GET', path: '/v1/dashboards/{dashboardId}/filters', hasBody: false, answer: getFilters },
  { method: 'GET', path: '/v1/schedules', hasBody: false, answer: listSchedules },
  { method: 'GET', path: schedule, hasBody: false, answer: getSchedule },
  { method: 'PUT', path: schedule, hasBody: true, answer: updateSchedule },
  { method: 'DELETE', path: schedule, hasBody: false, answer: deleteSchedule },
  { method: 'PUT', path: `${schedule}/pause`, hasBody: false, answer: pauseSchedule },
  { method: 'PUT', path: `${schedule}/resume`, hasBody: false, answer: resumeSchedule },
  { method: 'POST', path: `${schedule}/trigger`, hasBody: false, answer: triggerSchedule },
  { method: 'GET', path: `${schedule}/recipients`, hasBody: false, answer: getRecipients },
  { method: 'PUT', path: `${schedule}/add-recipients`, hasBody: true, answer: addRecipients },
  { method: 'PUT', path: `${schedule}/remove-recipients`, hasBody: true, answer: removeRecipients },
  { method: 'PUT', path: `${schedule}/transfer-ownership`, hasBody: true, answer: transferOwnership },
  ...peopleOperations,
  { method: 'GET', path: job, hasBody: false, answer: getAiJob },
  { method: 'GET', path: `${job}/result`, hasBody: false, answer: getAiJobResult },
  { method: 'POST', path: `${job}/cancel`, hasBody: false, answer: cancelAiJob },
];
