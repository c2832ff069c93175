// The operations of the emulator: the documented minimum, and the rest of the vendor's public API.

import { aiJobOperations, createAiJob } from './ai-jobs.ts';
import { type Answer, Rejection } from './answers.ts';
import {
  aBoolean,
  aNonEmptyString,
  aNumberFrom,
  aString,
  aText,
  checkFields,
  needed,
  oneOf,
  refuse,
} from './checks.ts';
import { canView, getDocument, listAccess, listDocuments, listQueries } from './documents.ts';
import { findDashboard, getFilters, listDrafts, updateFilters } from './filters.ts';
import { listModels } from './models.ts';
import { peopleOperations, whoami } from './people.ts';
import { getSchedule, listSchedules } from './read-schedules.ts';
import { addRecipients, getRecipients, removeRecipients } from './recipients.ts';
import { renderDashboard } from './render-dashboard.ts';
import { type Operation, type OperationInput, readActingMember, sameId } from './requests.ts';
import { routineOperations } from './routines.ts';
import { checkNames } from './schedule-rules.ts';
import {
  createSchedule,
  deleteSchedule,
  setPaused,
  transferOwnership,
  triggerSchedule,
  updateSchedule,
} from './schedules.ts';
import { anEmulatedObject, type Download } from './store.ts';

// Downloads of dashboards: a job makes the file of a dashboard with given filters, and its address answers 202 until it
// is done. One at a time for each dashboard and user. Jobs are kept in memory only.

const fields = {
  format: needed(oneOf('pdf', 'png', 'csv', 'xlsx', 'json')),
  filterConfig: { check: anEmulatedObject },
  queryIdentifierMapKey: { check: aNonEmptyString },
  enableFormatting: { check: aBoolean },
  hideHiddenFields: { check: aBoolean },
  hideTitle: { check: aBoolean },
  overrideRowLimit: { check: aBoolean },
  useCache: { check: aBoolean },
  showContentLink: { check: aBoolean },
  showFilters: { check: aBoolean },
  expandTablesToShowAllRows: { check: aBoolean },
  singleColumnLayout: { check: aBoolean },
  maxRowLimit: { check: aNumberFrom(1) },
  paperFormat: { check: oneOf('a3', 'a4', 'fit_page', 'legal', 'letter', 'tabloid') },
  paperOrientation: { check: oneOf('portrait', 'landscape') },
  filename: { check: aText((text) => (text.length < 1 || text.length > 255) && 'Must contain 1 to 255 character(s)') },
} as const;

/** POST /v1/dashboards/{dashboardId}/download: begins to make a file. */
function startDownload(call: OperationInput): Answer {
  const { store, downloadDurationMs } = call;
  const { memberId, document, dashboard } = openDashboard(call);
  const body = checkFields(call.body, fields);
  const { format, filterConfig, queryIdentifierMapKey: tile, filename = document.name } = body;
  if (document.canDownload === false) throw new Rejection(403, 'User cannot download this dashboard');
  checkNames(dashboard, filterConfig, [tile]);
  if (format === 'json' && tile === undefined) refuse('queryIdentifierMapKey', 'Required for json');
  const of = { identifier: document.identifier, memberId };
  const running = store.downloads.find((job) => isSame(job, of) && job.endsAt > store.now());
  if (running !== undefined) throw new Rejection(409, `A download of this dashboard is in progress: ${running.id}`);
  const [id, endsAt, fails] = [store.newId(), store.now() + downloadDurationMs, call.atWork.includes('download-error')];
  store.downloads.push({ ...of, id, format, filterConfig, tile, filename, createdAt: store.time(), endsAt, fails });
  return { status: 200, body: { job_id: id, message: 'Download started' } };
}

const failure = 'The dashboard could not be rendered';

/** GET …/download/{jobId}/status: its progress. */
function readDownload(call: OperationInput): Answer {
  const { id, format, createdAt, fails, endsAt } = findDownload(call);
  const common = { job_id: id, format, created_at: createdAt };
  if (endsAt > call.store.now()) return { status: 200, body: { ...common, status: 'in_progress' } };
  return {
    status: 200,
    body: { ...common, ...(fails ? { status: 'error', error: failure } : { status: 'complete' }) },
  };
}

/** GET …/download/{jobId}: the file; 202 while it is made, 410 if that failed. */
function getDownload(call: OperationInput): Answer {
  const job = findDownload(call);
  const { id, filename, fails, endsAt } = job;
  if (endsAt > call.store.now()) return { status: 202, body: { job_id: id, status: 'in_progress' } };
  const file = renderDashboard(job, call.store, call.quirks);
  if (fails || file === undefined) throw new Rejection(410, failure);
  const name = encodeURIComponent(`${filename}.${file.extension}`.replace(/\p{Surrogate}/gu, '_'));
  const headers = { 'Content-Type': file.type, 'Content-Disposition': `attachment; filename*=UTF-8''${name}` };
  return { status: 200, headers, body: null, file: file.bytes };
}

/** The dashboard, and the member for whom it is rendered: only members who may view it download it. */
function openDashboard(call: OperationInput) {
  const memberId = readActingMember(call, aString);
  const found = findDashboard(call);
  if (memberId !== null && !canView(memberId, found.document, call.store.data))
    throw new Rejection(403, 'User cannot view the dashboard');
  return { memberId, ...found };
}

/** The jobs of others do not exist for the caller. */
function findDownload(call: OperationInput): Download {
  const { memberId, document } = openDashboard(call);
  const job = call.store.downloads.find(({ id }) => sameId(id, call.jobId));
  if (job !== undefined && isSame(job, { identifier: document.identifier, memberId })) return job;
  throw new Rejection(404, `Download job with id ${call.jobId} does not exist`);
}

function isSame(job: Download, { identifier, memberId }: Pick<Download, 'identifier' | 'memberId'>): boolean {
  return job.identifier === identifier && job.memberId === memberId;
}

const download = '/v1/dashboards/{dashboardId}/download';

const downloadOperations: readonly Operation[] = [
  { method: 'POST', path: download, hasBody: true, answer: startDownload },
  { method: 'GET', path: `${download}/{jobId}`, answer: getDownload },
  { method: 'GET', path: `${download}/{jobId}/status`, answer: readDownload },
];

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
