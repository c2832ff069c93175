// The operations that the emulator knows. `full` will add to the table; nothing else has to change for it.

import { createAiJob } from './create-ai-job.ts';
import { createSchedule } from './create-schedule.ts';
import type { Operation } from './exchange.ts';
import { listDocuments } from './list-documents.ts';
import { updateFilters } from './update-filters.ts';

export const coreOperations: readonly Operation[] = [
  { method: 'GET', path: '/v1/documents', hasBody: false, answer: listDocuments },
  { method: 'PATCH', path: '/v1/dashboards/{dashboardId}/filters', hasBody: true, answer: updateFilters },
  { method: 'POST', path: '/v1/schedules', hasBody: true, answer: createSchedule },
  { method: 'POST', path: '/v1/ai/jobs', hasBody: true, answer: createAiJob },
];
