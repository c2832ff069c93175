// The operations of the service that Almanac calls: method, path, what reads the answer, and hints for 404 and 409.

import type { Method } from '../http/exchange.ts';
import type { Field } from '../model/fields/field.ts';
import { fieldApplies, fieldsOf, isUrl } from '../model/fields/fields.ts';
import type { Kind } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { define, type Json, type JsonObject } from '../model/values/json.ts';
import { Secret } from '../model/values/secret.ts';
import { asciiUrl } from '../model/values/urls.ts';
import { type Declared, type DeclaredObject, secretsIn } from '../model/workspace/resource.ts';
import {
  objectIn,
  readAccessPage,
  readAiJob,
  readCreatedAiJob,
  readCreatedRoutine,
  readCreatedSchedule,
  readDelivered,
  readDocumentPage,
  readDone,
  readDrafts,
  readEmailOnlyPage,
  readFilters,
  readGroupPage,
  readLayout,
  readModelPage,
  readQueries,
  readRecipients,
  readRoutinePage,
  readSchedule,
  readSchedulePage,
  readStartedDownload,
  readUserPage,
  readWhoami,
} from './read-answers.ts';

export interface Operation<T = unknown> {
  readonly method: Method;
  /** The path as written in the service's reference. */
  readonly path: string;
  /** Reads the answer about `id`. Throws Undocumented. */
  readonly read: (answer: Json | undefined, id?: string) => T;
  readonly notFoundHint: string;
  /** It answers an organization key alone. */
  readonly needsKey?: true;
  readonly conflictHint?: string;
  /** A POST that is safe to repeat. */
  readonly repeatable?: true;
  /** The advice when the maximum is reached, for a create that the service allows each member only so often. */
  readonly atMaximumHint?: string;
  /** The advice about a 400 that says so, for what the service may run only so often. */
  readonly tooOftenHint?: string;
}

const scheduleGone = `It may have been removed in Omni, or the base URL belongs to another organization. \`${command('plan', '--refresh')}\` shows what exists.`;
const routineGone = `It may have been removed in Omni, it may belong to another member, or the base URL belongs to another organization. \`${command('plan', '--refresh')}\` shows what exists.`;
const tooOftenHint =
  'Omni runs a routine at most once an hour, or less often where the organization says so. Write a `schedule` with fewer runs, or ask an administrator about the limit of the organization.';
const jobGone = 'It may have been removed in Omni, or the base URL belongs to another organization.';
const dashboardUnknown =
  'Check `identifier`, the last part of the dashboard’s URL, and that the base URL belongs to the same organization.';

const schedules = '/v1/schedules';
const schedule = `${schedules}/{scheduleId}`;
const filters = { path: '/v1/dashboards/{dashboardId}/filters', notFoundHint: dashboardUnknown };
const routines = '/v1/ai/routines';
const routine = `${routines}/{routineId}`;
const download = '/v1/dashboards/{dashboardId}/download';
const jobs = '/v1/ai/jobs';
const job = `${jobs}/{jobId}`;

const create = {
  path: schedules,
  notFoundHint: 'Check `identifier`: the dashboard must exist in the organization of the base URL, and be published.',
};

/** The parts of operations on a schedule that exists. The answer to a change only confirms it. */
const onSchedule = { path: schedule, read: readDone, notFoundHint: scheduleGone };

/** The parts of operations on a routine that exists, for the member to whom it belongs. */
const onRoutine = { path: routine, read: readDone, notFoundHint: routineGone };

/** The operations that take nothing but an id. The port has a method for each of these (`CallsById` in api.ts). */
export const operationsById = {
  deleteSchedule: { ...onSchedule, method: 'DELETE' },
  /** Status 400 if it is already paused, or stopped by the service. */
  pauseSchedule: { ...onSchedule, method: 'PUT', path: `${schedule}/pause` },
  resumeSchedule: { ...onSchedule, method: 'PUT', path: `${schedule}/resume` },
  /**
   * One delivery now; the answer does not wait for it. Not repeatable. Status 409 while a run is under way, while it is
   * paused or stopped, and for a personalised e-mail to more people than the service allows.
   */
  triggerSchedule: {
    ...onSchedule,
    method: 'POST',
    path: `${schedule}/trigger`,
    conflictHint: `A run of it is under way, or it is paused, or Omni has stopped it; or it is a personalised e-mail to more than 50 people. \`${command('status', '-v')}\` says which. Nothing was delivered by this request.`,
  },
  getSchedule: { ...onSchedule, method: 'GET', read: readSchedule },
  getRecipients: { ...onSchedule, method: 'GET', path: `${schedule}/recipients`, read: readRecipients },
  getFilters: { ...filters, method: 'GET', read: readFilters },
  listQueries: {
    method: 'GET',
    path: '/v1/documents/{documentId}/queries',
    read: readQueries,
    notFoundHint: 'Check `identifier`: the document must exist in the organization of the base URL.',
  },
  /** Status 422 where the dashboard has the classic layout. */
  getLayout: {
    method: 'GET',
    path: '/v2/documents/{documentId}',
    read: readLayout,
    notFoundHint: 'Check `identifier`: the document must exist in the organization of the base URL.',
  },
  getAiJob: { method: 'GET', path: job, read: readAiJob, notFoundHint: jobGone },
  /** Everything that the service keeps of a complete job; status 404 if it is not complete or has expired. */
  getAiJobResult: { method: 'GET', path: `${job}/result`, read: objectIn, notFoundHint: jobGone },
  /** Status 409 if the job can no longer be cancelled. */
  cancelAiJob: {
    method: 'POST',
    path: `${job}/cancel`,
    read: readDone,
    notFoundHint: jobGone,
    conflictHint: `Something else changed the job at the same moment, or it is delivering its result. Run the command again; \`${command('ai status', 'ADDRESS')}\` says how far the job is.`,
    repeatable: true,
  },
} as const satisfies Readonly<Record<string, Operation>>;

export const operations = {
  ...operationsById,
  /** A job renders the dashboard. Status 409 while one runs for the same dashboard and user. */
  startDownload: { path: download, method: 'POST', read: readStartedDownload, notFoundHint: dashboardUnknown },
  /** Status 202 while the file is made, 410 where that failed, 500 where it was lost. The answer is the file. */
  getDownload: {
    path: `${download}/{jobId}`,
    method: 'GET',
    read: readDone,
    notFoundHint: 'The download is gone. Run the command again.',
  },
  updateFilters: {
    ...filters,
    method: 'PATCH',
    read: readDone,
    conflictHint:
      'The dashboard has an unpublished draft. Publish or discard it in Omni, or declare clearExistingDraft: true. That discards the draft, including unpublished work of others: all editors of a dashboard share one draft.',
  },
  createSchedule: { ...create, method: 'POST', read: readCreatedSchedule },
  /** A schedule with testNow: one delivery, which creates nothing. */
  testDelivery: { ...create, method: 'POST', read: readDelivered },
  updateSchedule: { ...onSchedule, method: 'PUT' },
  addRecipients: { ...onSchedule, method: 'PUT', path: `${schedule}/add-recipients` },
  removeRecipients: { ...onSchedule, method: 'PUT', path: `${schedule}/remove-recipients` },
  listAccess: {
    method: 'GET',
    path: '/v1/documents/{documentId}/access-list',
    read: readAccessPage,
    notFoundHint: dashboardUnknown,
  },
  transferOwnership: { ...onSchedule, method: 'PUT', path: `${schedule}/transfer-ownership` },
  listSchedules: {
    method: 'GET',
    path: schedules,
    read: readSchedulePage,
    notFoundHint: 'Check the base URL: this operation is part of the full set of the service’s API.',
  },
  /** The routines of one member. */
  listRoutines: {
    method: 'GET',
    path: routines,
    read: readRoutinePage,
    notFoundHint: 'Check the base URL, and that the member still belongs to the organization.',
  },
  createRoutine: {
    method: 'POST',
    path: routines,
    read: readCreatedRoutine,
    notFoundHint: 'Check `modelId`, and branchId, topicName and `owner` if they are declared.',
    atMaximumHint:
      'Waiting does not help. Delete or pause routines of this member in Omni, or declare another `owner`, and apply again.',
    tooOftenHint,
  },
  updateRoutine: { ...onRoutine, method: 'PATCH', tooOftenHint },
  deleteRoutine: { ...onRoutine, method: 'DELETE' },
  /** One delivery now; the answer does not wait for it. Not repeatable. */
  triggerRoutine: {
    ...onRoutine,
    method: 'POST',
    path: `${routine}/trigger`,
    notFoundHint: `It may have been removed in Omni, or its owner paused it there, or Omni stopped it; or it belongs to another member. \`${command('status', '-v')}\` says which. Nothing was delivered by this request.`,
    conflictHint: 'A run of it is under way. Nothing was delivered by this request.',
  },
  createAiJob: {
    method: 'POST',
    path: jobs,
    read: readCreatedAiJob,
    notFoundHint: 'Check `modelId`, and branchId, conversationId and topicName if they are declared.',
    conflictHint: `A conversation works on one job at a time, and this one has a job running. Apply again when that job has ended, cancel it (\`${command('ai cancel', 'ADDRESS')}\` if Almanac ran it), or remove conversationId to start a new conversation.`,
  },
  listDocuments: {
    method: 'GET',
    path: '/v1/documents',
    read: readDocumentPage,
    notFoundHint: 'Check the base URL, and the ids of --user, --creator and --folder.',
  },
  listUsers: {
    method: 'GET',
    path: '/scim/v2/Users',
    read: readUserPage,
    needsKey: true,
    notFoundHint: 'Check the base URL: the list of people is below it, at `/scim/v2/Users`.',
  },
  listGroups: {
    method: 'GET',
    path: '/scim/v2/Groups',
    read: readGroupPage,
    needsKey: true,
    notFoundHint: 'Check the base URL: the list of groups is below it, at `/scim/v2/Groups`.',
  },
  whoami: {
    method: 'GET',
    path: '/v1/whoami',
    read: readWhoami,
    notFoundHint: 'Check the base URL of the organization.',
  },
  /** Lists the drafts that are not discarded. */
  listDrafts: {
    method: 'GET',
    path: '/v1/documents/{documentId}/drafts',
    read: readDrafts,
    notFoundHint: dashboardUnknown,
  },
  listModels: {
    method: 'GET',
    path: '/v1/models',
    read: readModelPage,
    notFoundHint: 'Check the base URL of the organization.',
  },
  listEmailOnlyUsers: {
    method: 'GET',
    path: '/v1/users/email-only',
    read: readEmailOnlyPage,
    notFoundHint: 'Check the base URL of the organization.',
  },
} as const satisfies Readonly<Record<string, Operation>>;

export interface WireRequest {
  /** The value in the path of the operation for `{scheduleId}` and the like. */
  readonly id?: string | undefined;
  /** The value in the second place of the path. */
  readonly jobId?: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/**
 * The request that creates a schedule, a routine or an AI job, or that updates a routine or a dashboard's filters: the declaration under the API's own
 * names, unchanged except for the host of a URL. The table of fields says where each field goes. Secrets become text here, on
 * their way to the service.
 */
export function toRequest(kind: Kind, attributes: DeclaredObject): WireRequest {
  const query: Record<string, string> = {};
  const body: Record<string, Json> = {};
  let id: string | undefined;

  for (const [name, declared] of Object.entries(attributes)) {
    const field = Object.hasOwn(fieldsOf[kind], name) ? fieldsOf[kind][name] : undefined;
    if (field === undefined) throw new Error(`The table of fields of a ${kind} has no ${JSON.stringify(name)}.`);
    if (field.sent === 'never') continue;
    const written = plain(declared);
    const value = isUrl(field) && typeof written === 'string' ? asciiUrl(written) : written;
    if (name === 'extra') merge(value, body);
    else if (field.sent === 'path') id = String(value);
    else if (field.sent === 'query') query[name] = String(value);
    else body[name] = value;
  }
  return { id, query, body };
}

/**
 * The request that updates a schedule. It contains all declared fields, and the API's default for every other field
 * that applies: the sources disagree on whether an omitted field is kept. `userId` and `testNow` do not belong to an
 * update.
 */
export function toReplacement(id: string, attributes: DeclaredObject): WireRequest {
  const { testNow: _, userId: __, ...keptAttributes } = attributes;
  const defaults = Object.entries(fieldsOf.schedule).flatMap(([name, field]): [string, Json][] =>
    field.default === undefined ||
    field.sent !== undefined ||
    name === 'testNow' ||
    !fieldApplies(field, keptAttributes)
      ? []
      : [[name, field.default]],
  );
  return { ...toRequest('schedule', { ...Object.fromEntries(defaults), ...keptAttributes }), id };
}

const downloaded = ['format', 'filterConfig', 'queryIdentifierMapKey'];

/**
 * The fields of a schedule that say what a delivery shows, as a download takes them: its format, the options of that format,
 * its filters and its tile. Never to whom it goes. What holds a secret is left out; no filter can.
 */
export function shownFields(attributes: DeclaredObject): DeclaredObject {
  const shown = Object.entries<Field>(fieldsOf.schedule).filter(
    ([name, field]) => downloaded.includes(name) || (field.formats !== undefined && fieldApplies(field, attributes)),
  );
  return Object.fromEntries(
    shown.flatMap(([name]) => {
      const value = attributes[name];
      return value === undefined || secretsIn([{ value }]).length > 0 ? [] : [[name, value]];
    }),
  );
}

/** The request that renders a dashboard as a schedule would deliver it. `userId`: with whose rights. */
export function toDownload(attributes: DeclaredObject, userId: string | undefined): WireRequest {
  const body = plainObject(shownFields(attributes));
  return { id: String(attributes['identifier']), query: queryOf({ userId }), body };
}

/** Leaves out the parameters that are undefined. */
export function queryOf(parameters: Readonly<Record<string, Declared | undefined>>): WireRequest['query'] {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(plain(value))]])),
  );
}

/** The path of an operation for one resource, such as `/v1/schedules/{scheduleId}/pause`. */
export function pathOf(path: string, ...ids: readonly (string | undefined)[]): string {
  let place = 0;
  return path.replace(/\{\w+\}/g, () => {
    const id = ids[place++];
    if (id === undefined) throw new Error(`${path} lacks an id.`);
    return pathSegment(id);
  });
}

/** Adds the fields of `extra`, which the table does not know. */
function merge(extra: Json, body: Record<string, Json>): void {
  for (const [name, value] of Object.entries(extra as JsonObject)) {
    if (!Object.hasOwn(body, name)) define(body, name, value);
  }
}

function plain(value: Declared): Json {
  if (value instanceof Secret) {
    const text = value.reveal();
    if (text === undefined) throw new Error('An unknown secret reached the wire.');
    return text;
  }
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? plainObject(value) : (value as Json);
}

function plainObject(value: Declared): JsonObject {
  const object: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value as DeclaredObject)) define(object, key, plain(entry));
  return object;
}

/** One path segment for any text: `..` stays a name, and half a surrogate pair cannot break the encoding. */
function pathSegment(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}
