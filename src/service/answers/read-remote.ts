// Reads the service's answers about existing resources. Fields documented as required must be present; other fields are
// read if they have the form that was observed. An answer without the data that Almanac needs is rejected.

import type {
  ListedSchedule,
  RemoteAiJob,
  RemoteDestination,
  RemoteFilters,
  RemoteGroup,
  RemoteRecipients,
  RemoteSchedule,
} from '../../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { parseUrl } from '../../model/values/urls.ts';
import {
  flagIn as flag,
  objectIn,
  type Page,
  readPage,
  recordIn as record,
  textIn as text,
  textsIn,
  Undocumented,
} from './read-answers.ts';

export function readSchedulePage(answer: Json | undefined): Page<ListedSchedule> {
  const { records, next, total } = readPage(answer);
  return { records: records.map(listed), next, total };
}

function listed(given: Json): ListedSchedule {
  const record = isJsonObject(given) ? given : {};
  const id = text(record, 'id');
  if (id === undefined) throw new Undocumented('One of its schedules has no id.');
  const { recipientCount, alert } = record;
  return {
    id,
    identifier: text(record, 'identifier') ?? '',
    name: text(record, 'name') ?? '',
    schedule: text(record, 'schedule') ?? '',
    timezone: text(record, 'timezone') ?? '',
    format: text(record, 'format') ?? '',
    destinationType: text(record, 'destinationType') ?? '',
    recipientCount: typeof recipientCount === 'number' && recipientCount >= 0 ? recipientCount : undefined,
    isTile: isTileIn(record),
    conditionType: isJsonObject(alert) ? text(alert, 'conditionType') : undefined,
    ...textsIn(record, [
      'dashboardName',
      'slackRecipientType',
      'ownerId',
      'ownerName',
      'lastCompletedAt',
      'lastStatus',
    ]),
    runsUntold: !('lastStatus' in record || 'lastCompletedAt' in record),
    ...pauseState(record),
  };
}

/** The sources disagree on the word: `tile` or `single tile`. */
function isTileIn(record: JsonObject): boolean | undefined {
  const content = text(record, 'content');
  if (content?.endsWith('tile')) return true;
  return content === 'dashboard' ? false : undefined;
}

export function readSchedule(given: Json | undefined): RemoteSchedule {
  const answer = objectIn(given);
  const [id, name, createdAt] = ['id', 'name', 'createdAt'].map((field) => text(answer, field));
  if (id === undefined || name === undefined || createdAt === undefined || Number.isNaN(Date.parse(createdAt)))
    throw new Undocumented('It lacks an id, a name or createdAt.');
  return {
    id,
    name,
    createdAt,
    updatedAt: text(answer, 'updatedAt') ?? createdAt,
    schedule: text(answer, 'schedule') ?? '',
    timezone: text(answer, 'timezone') ?? '',
    ownerId: text(answer, 'ownerId'),
    fanOut: flag(answer, 'fanOut'),
    killJobsOnFailure: flag(answer, 'killJobsOnFailure'),
    conditionType: text(answer, 'conditionType'),
    conditionQueryMapKey: text(answer, 'conditionQueryMapKey'),
    filterConfig: record(answer, 'filterConfig'),
    metadata: record(answer, 'metadata') ?? {},
    destinations: rows(answer['destinations']).map(destination),
    ...pauseState(answer),
  };
}

function destination(given: JsonObject): RemoteDestination {
  const metadata = record(given, 'metadata') ?? {};
  return { format: text(given, 'format') ?? '', type: text(metadata, 'type'), metadata };
}

/** Whether a user paused it, and why the service stopped it. */
function pauseState(record: JsonObject): { readonly paused: boolean; readonly stopped?: string } {
  const reason = text(record, 'systemDisabledReason')?.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, hostOf);
  const stopped = reason ?? (text(record, 'systemDisabledAt') && 'no reason given');
  return { paused: text(record, 'disabledAt') !== undefined, stopped };
}

/** The rest of a URL may be the secret of a webhook. */
function hostOf(url: string): string {
  return parseUrl(url)?.host ?? 'a URL';
}

export function readRecipients(answer: Json | undefined): RemoteRecipients {
  const { type, recipients, userGroupRecipients, ...settings } = objectIn(answer);
  if (typeof type !== 'string') throw new Undocumented('It does not say what type it has.');
  switch (type) {
    case 'email': {
      const groups = rows(userGroupRecipients);
      const people = [recipients, ...groups.map((group) => group['recipients'])].flatMap(rows);
      const emailOnly = people.flatMap((row) => (flag(row, 'emailOnly') ? (text(row, 'email') ?? []) : []));
      return {
        type,
        emails: texts(recipients, 'email'),
        emailOnly: emailOnly.length > 0 ? emailOnly : undefined,
        groups: groups.length > 0 ? groups.map(groupIn) : undefined,
        settings,
      };
    }
    case 'slack': {
      const [slackRecipientType] = texts(recipients, 'recipientType');
      return { type, slackIds: texts(recipients, 'slackId'), slackRecipientType, settings };
    }
    default:
      return { type, settings };
  }
}

function rows(given: Json | undefined): readonly JsonObject[] {
  return Array.isArray(given) ? given.filter(isJsonObject) : [];
}

function texts(given: Json | undefined, field: string): readonly string[] {
  return rows(given).flatMap((row) => text(row, field) ?? []);
}

function groupIn(row: JsonObject): RemoteGroup {
  const name = text(row, 'name') ?? text(row, 'id') ?? 'without a name';
  return { name, emails: texts(row['recipients'], 'email') };
}

export function readFilters(given: Json | undefined): RemoteFilters {
  const answer = objectIn(given);
  const identifier = text(answer, 'identifier');
  const { filterOrder } = answer;
  if (identifier === undefined || !Array.isArray(filterOrder))
    throw new Undocumented('It has no identifier or no filter order.');
  return {
    identifier,
    filters: record(answer, 'filters') ?? {},
    controls: controlsOf(answer['controls']),
    filterOrder: filterOrder.filter((id): id is string => typeof id === 'string'),
  };
}

/** Controls by id; the sources disagree on whether they come as a list or a map. */
function controlsOf(controls: Json | undefined): JsonObject {
  if (isJsonObject(controls)) return controls;
  if (!Array.isArray(controls)) return {};
  return Object.fromEntries(
    controls.filter(isJsonObject).flatMap((control) => {
      const { id, ...rest } = control;
      return typeof id === 'string' ? [[id, rest]] : [];
    }),
  );
}

/** Only the state is required; the other fields depend on it. */
export function readAiJob(given: Json | undefined): RemoteAiJob {
  const answer = objectIn(given);
  const state = text(answer, 'state') ?? text(answer, 'status');
  if (state === undefined) throw new Undocumented('It does not say what state the job is in.');
  const [progress, error] = [record(answer, 'progress'), record(answer, 'error')];
  return {
    state,
    progress: progress && progressIn(progress),
    error: error && textsIn(error, ['code', 'message', 'detail']),
    ...textsIn(answer, ['resultSummary', 'conversationId', 'omniChatUrl']),
  };
}

function progressIn(progress: JsonObject): RemoteAiJob['progress'] {
  const { iteration } = progress;
  return { iteration: typeof iteration === 'number' ? iteration : undefined, message: text(progress, 'message') };
}
