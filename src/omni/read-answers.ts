// Reads each answer of the service. The fields are in the schemas of model/service; here is only what has another form
// in an answer.

import type { Field } from '../model/fields/field.ts';
import { fieldsRead } from '../model/fields/fields.ts';
import { idKey } from '../model/fields/ids.ts';
import {
  type DashboardLayout,
  type ListedDocument,
  listedDocumentSchema,
  type PageInfo,
  type RemoteQuery,
  tileQuerySchema,
} from '../model/service/documents.ts';
import {
  aiJobRows,
  type Created,
  filtersSchema,
  type ListedRoutine,
  type ListedSchedule,
  listedRoutineSchema,
  listedSchema,
  type Principal,
  principalSchema,
  type RemoteAiJob,
  type RemoteDraft,
  type RemoteFilters,
  type RemoteModel,
  type RemoteRecipients,
  type RemoteSchedule,
  type RemoteUser,
  remoteScheduleSchema,
  type TokenHolder,
} from '../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject, mapAt } from '../model/values/json.ts';
import {
  anId,
  count,
  flag,
  listOf,
  nonEmptyText,
  number,
  openRecord,
  orNull,
  record,
  type Schema,
  schemaOf,
  text,
} from '../model/values/schema.ts';
import { parseUrl, replaceUrls } from '../model/values/urls.ts';
import { needAs, readAs, Undocumented } from './read-by-schema.ts';

export function objectIn(answer: Json | undefined): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new Undocumented('It is not a JSON object.');
}

function readText(given: Json | undefined): string | undefined {
  return readAs(nonEmptyText, given);
}

export interface AnswerPage<T> {
  readonly records: readonly T[];
  /** The number of records with those that are left out; undefined if it is that of the records above. */
  readonly entries?: number;
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The number on all pages, as the service counts; undefined if it does not count. */
  readonly total: number | undefined;
}

/** Cursors are texts or numbers. */
function pageOf<T>(answer: Json | undefined, read: (given: Json) => T | undefined): AnswerPage<T> {
  const { records, pageInfo } = objectIn(answer);
  if (!Array.isArray(records)) throw new Undocumented('It has no list of records.');
  if (!isJsonObject(pageInfo)) throw new Undocumented('It does not say whether there are more pages.');
  const { hasNextPage, nextCursor, totalRecords } = pageInfo;
  if (hasNextPage === true && typeof nextCursor !== 'string' && typeof nextCursor !== 'number')
    throw new Undocumented('It has a next page but no cursor for it.');
  const next = hasNextPage === true ? String(nextCursor) : undefined;
  return {
    records: records.flatMap((each: Json) => read(each) ?? []),
    next,
    total: readAs(number, totalRecords),
  };
}

/** The answer to an update, delete or pause. It only confirms the change; its content is ignored. */
export function readDone(answer: Json | undefined): void {
  if (answer !== undefined) objectIn(answer);
}

const scheduleOutputs = record({ 'delivererRoleArn?': text, 'externalId?': text });
const jobOutputs = record({ 'conversationId?': text, 'omniChatUrl?': text });

export function readCreatedSchedule(answer: Json | undefined): Created {
  return { id: idIn(answer, 'id'), ...readDelivered(answer) };
}

/** The id of the job. */
export function readStartedDownload(answer: Json | undefined): string {
  return needAs(nonEmptyText, objectIn(answer)['job_id'], 'job_id');
}

/** A test delivery creates nothing, so its answer has no id. */
export function readDelivered(answer: Json | undefined): Created {
  return { outputs: readAs(scheduleOutputs, objectIn(answer)) ?? {} };
}

export function readCreatedRoutine(answer: Json | undefined): Created {
  return { id: idIn(answer, 'id'), outputs: {} };
}

export function readCreatedAiJob(answer: Json | undefined): Created {
  return { id: idIn(answer, 'jobId'), outputs: readAs(jobOutputs, answer) ?? {} };
}

function idIn(answer: Json | undefined, name: string): string {
  const { [name]: id } = objectIn(answer);
  if (typeof id === 'string' && /^[\w.:-]+$/.test(id)) return idKey(id);
  throw new Undocumented(id === undefined ? `It has no ${name}.` : `Its ${name} is not an id.`);
}

export function readSchedulePage(answer: Json | undefined): AnswerPage<ListedSchedule> {
  return pageOf(answer, (given) => {
    const row = mapAt(given);
    const translated = {
      ...row,
      ...pauseState(row),
      isTile: isTile(readText(row['content'])),
      conditionType: mapAt(row, 'alert')['conditionType'],
      runsUntold: !('lastStatus' in row || 'lastCompletedAt' in row),
    };
    return needAs(listedSchema, translated, 'One of its schedules has no id.');
  });
}

/** The sources disagree on the word: `tile` or `single tile`. */
function isTile(content: string | undefined): boolean | undefined {
  if (content?.endsWith('tile')) return true;
  return content === 'dashboard' ? false : undefined;
}

/** `askedId`: an answer about another schedule says nothing of this one. */
export function readSchedule(answer: Json | undefined, askedId?: string): RemoteSchedule {
  const given = objectIn(answer);
  const { createdAt, updatedAt, destinations } = given;
  const translated = {
    ...given,
    ...pauseState(given),
    createdAt: Number.isNaN(Date.parse(String(createdAt))) ? undefined : createdAt,
    updatedAt: readText(updatedAt) ?? createdAt,
    fields: readAs(detailFields, { ...given, ...inMetadata(mapAt(given, 'metadata')) }),
    destinations: (Array.isArray(destinations) ? destinations : [])
      .filter(isJsonObject)
      .map((each) => ({ ...each, type: mapAt(each, 'metadata')['type'], emails: emailsAloneIn(each) })),
  };
  const schedule = needAs(remoteScheduleSchema, translated, 'It lacks an id, a name or createdAt.');
  if (askedId !== undefined && schedule.id !== idKey(askedId)) throw new Undocumented('It is about another schedule.');
  return schedule;
}

/** Returns undefined if a recipient has no address, or if the answer does not say that no user group receives it. */
function emailsAloneIn({ recipients, userGroupRecipients }: JsonObject): readonly string[] | undefined {
  if (!Array.isArray(recipients) || !Array.isArray(userGroupRecipients) || userGroupRecipients.length > 0)
    return undefined;
  const emails = recipients.flatMap(
    (each: Json) => readText(mapAt(mapAt(mapAt(each), 'membership'), 'user')['email']) ?? [],
  );
  return emails.length === recipients.length ? emails : undefined;
}

function inMetadata(metadata: JsonObject): Readonly<Record<string, Json | undefined>> {
  return Object.fromEntries(fieldsRead('schedule', 'metadata').map(([name]) => [name, metadata[name]]));
}

/** The values that are read of a schedule by the rows of its fields. */
const detailFields = schemaOf<JsonObject>(
  openRecord(
    Object.fromEntries(
      fieldsRead('schedule', 'details', 'metadata')
        .filter(([, { destinations }]) => destinations === undefined)
        .map(([name, field]) => [`${name}?`, answerOf(field)]),
    ),
  ),
);

/** null: not set. A flag has a default, so it is either. */
function answerOf({ shape }: Field): Schema<Json> {
  if (shape.type === 'boolean') return flag;
  return orNull<Json>(shape.type === 'integer' ? number : text);
}

/** Tells whether a user paused it, and why the service stopped it. */
function pauseState({ disabledAt, systemDisabledAt, systemDisabledReason }: JsonObject) {
  const stopped = reasonIn(systemDisabledReason) ?? (readText(systemDisabledAt) && noReason);
  return { paused: readText(disabledAt) !== undefined, stopped };
}

const noReason = 'no reason given';

function reasonIn(words: Json | undefined): string | undefined {
  const text = readText(words);
  return text && replaceUrls(text, hostOf);
}

export function readRoutinePage(answer: Json | undefined): AnswerPage<ListedRoutine> {
  return pageOf(answer, (given) => {
    const row = mapAt(given);
    const lastRun = mapAt(row, 'lastRun');
    const translated = {
      ...row,
      ...Object.fromEntries(clearable.flatMap((name) => (row[name] === '' ? [[name, null]] : []))),
      paused: row['disabled'] === true,
      stopped: row['systemDisabled'] === true ? (reasonIn(row['systemDisabledReason']) ?? noReason) : undefined,
      lastCompletedAt: lastRun['completedAt'],
      lastLabel: lastRun['label'],
      lastStatus: lastRun['state'],
    };
    return needAs(listedRoutineSchema, translated, 'One of its routines has no id.');
  });
}

/** Fields of a routine for which an empty text and null mean the same. */
const clearable = ['branchId', 'topicName', 'description'];

/** The rest of a URL may be the secret of a webhook. */
function hostOf(url: string): string {
  return parseUrl(url)?.host ?? 'a URL';
}

const recipientRows = listOf(record({ 'email?': text, 'emailOnly?': flag, 'slackId?': text, 'recipientType?': text }));
const groupRows = listOf(record({ 'id?': anId, 'name?': text, 'recipients?': recipientRows }));

export function readRecipients(answer: Json | undefined): RemoteRecipients {
  const { type, recipients, userGroupRecipients, ...settings } = objectIn(answer);
  if (typeof type !== 'string') throw new Undocumented('It does not say what type it has.');
  const rows = readAs(recipientRows, recipients) ?? [];
  if (type === 'slack') {
    const [slackRecipientType] = rows.flatMap(({ recipientType }) => recipientType ?? []);
    return { type, slackIds: rows.flatMap(({ slackId }) => slackId ?? []), slackRecipientType, settings };
  }
  if (type !== 'email') return { type, settings };
  const listed = readAs(groupRows, userGroupRecipients);
  const groups = listed ?? [];
  const people = [...rows, ...groups.flatMap((group) => group.recipients ?? [])];
  const emailOnly = emailsOf(people.filter((each) => each.emailOnly));
  return {
    type,
    emails: emailsOf(rows),
    emailOnly: emailOnly.length > 0 ? emailOnly : undefined,
    groups: listed?.map(({ id, name = id ?? 'without a name', recipients: members = [] }) => ({
      ...(id !== undefined && { id }),
      name,
      emails: emailsOf(members),
    })),
    settings,
  };
}

function emailsOf(people: readonly { readonly email?: string }[]): readonly string[] {
  return people.flatMap(({ email }) => email ?? []);
}

/** The principals of an access list that are user groups. */
export function readAccessPage(answer: Json | undefined): AnswerPage<Principal> {
  const { principals = null, ...rest } = objectIn(answer);
  return pageOf({ ...rest, records: principals }, (given) => {
    const { type = 'userGroup' } = mapAt(given);
    return type === 'userGroup' ? readAs(principalSchema, given) : undefined;
  });
}

export function readFilters(answer: Json | undefined): RemoteFilters {
  const given = objectIn(answer);
  const translated = { ...given, controls: controlsOf(given['controls']) };
  return needAs(filtersSchema, translated, 'It has no identifier or no filter order.');
}

/** Controls by id; the sources disagree on whether they come as a list or a map. */
function controlsOf(controls: Json | undefined): Json | undefined {
  if (!Array.isArray(controls)) return controls;
  const byId = controls.filter(isJsonObject).map(({ id, ...rest }) => [id, rest] as const);
  return Object.fromEntries(byId.filter(([id]) => typeof id === 'string'));
}

const aiJob = record(aiJobRows);

/** Requires only the state; the other fields depend on it. */
export function readAiJob(answer: Json | undefined): RemoteAiJob {
  const given = objectIn(answer);
  const translated = { ...given, state: readText(given['state']) ?? given['status'] };
  return needAs(aiJob, translated, 'It does not say what state the job is in.');
}

export interface DocumentPage extends AnswerPage<ListedDocument> {
  readonly pageInfo: PageInfo;
}

/** Requires only identifiers: the sources disagree on which other fields are always present. */
export function readDocumentPage(answer: Json | undefined): DocumentPage {
  const page = pageOf(answer, (given) => {
    const { name, deleted, labels, ...rest } = mapAt(given);
    const translated = {
      ...rest,
      name: readText(name) ?? rest['identifier'],
      deleted: deleted === true,
      labels: labelsOf(labels),
    };
    return needAs(listedDocumentSchema, translated, 'One of its documents has no identifier.');
  });
  const { records, next, total } = page;
  const { pageSize } = mapAt(answer, 'pageInfo');
  return {
    ...page,
    pageInfo: {
      hasNextPage: next !== undefined,
      nextCursor: next,
      pageSize: readAs(count, pageSize) ?? records.length,
      totalRecords: readAs(count, total),
    },
  };
}

/** An older form of the answer has objects with a name and a verified flag. */
function labelsOf(labels: Json | undefined): Json | undefined {
  return Array.isArray(labels)
    ? labels.map((label: Json) => (isJsonObject(label) ? (readText(label['name']) ?? null) : label))
    : undefined;
}

const query = record({ queryIdentifierMapKey: nonEmptyText, 'name?': text, 'query?': tileQuerySchema });

export function readQueries(answer: Json | undefined): readonly RemoteQuery[] {
  const { queries } = objectIn(answer);
  if (!Array.isArray(queries)) throw new Undocumented('It has no list of queries.');
  const read = readAs(listOf(query), queries) ?? [];
  // An older service listed queries without keys; then the queries cannot be checked.
  if (queries.length > 0 && read.length === 0) throw new Undocumented('Its queries have no queryIdentifierMapKey.');
  return read.map(({ queryIdentifierMapKey: key, name, query }) => ({ key, name, query }));
}

/** The tiles and controls of a dashboard; a control that has no field is no filter. */
export function readLayout(answer: Json | undefined): DashboardLayout {
  const { queryPresentations, controls, containers } = objectIn(answer);
  const [presented, controlled] = [mapAt(mapAt(queryPresentations), 'data'), mapAt(mapAt(controls), 'data')];
  if (!isJsonObject(queryPresentations) || !isJsonObject(controls))
    throw new Undocumented('It has no queries or no controls.');
  const tiles = Object.entries(presented).flatMap(([key, given]): readonly RemoteQuery[] => {
    const { type = 'query', name, query } = mapAt(given);
    return type === 'query' ? [{ key, name: readText(name), query: readAs(tileQuerySchema, query) }] : [];
  });
  const filters = Object.entries(controlled).flatMap(([id, given]) => {
    const condition = mapAt(given, 'config');
    const reached = Object.entries(mapAt(given, 'map')).flatMap(([key, to]) =>
      to === false || typeof to === 'string' ? [[key, to] as const] : [],
    );
    const field = readText(condition['fieldName']);
    return field === undefined ? [] : [[id, { condition, field, map: new Map(reached) }] as const];
  });
  return { tiles, filters: new Map(filters), pages: pagesIn(containers) };
}

function pagesIn(containers: Json | undefined): DashboardLayout['pages'] {
  return within(containers).flatMap((each) => {
    if (each['containerType'] !== 'page') return [];
    const keys = within(each['container'] ?? null).flatMap(
      ({ metadata = null }) => readText(mapAt(metadata)['attachedQueryKey']) ?? [],
    );
    return [{ name: readText(each['name']) ?? '', tiles: new Set(keys) }];
  });
}

/** The maps in a value, at any depth. */
function within(value: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => within(each));
  if (!isJsonObject(value)) return [];
  return [value, ...Object.values(value).flatMap((each) => within(each))];
}

/** A page as SCIM (RFC 7644) lists people and groups. */
export interface ScimPage<T> {
  readonly records: readonly T[];
  /** The number with those that are left out. */
  readonly entries: number;
  /** The number on all pages. */
  readonly total: number;
}

const member = record({ id: anId, userName: nonEmptyText, 'displayName?': text, 'active?': flag });

/** A person without an id or an address is left out: it is nobody whom a declaration could name. */
export function readUserPage(answer: Json | undefined): ScimPage<RemoteUser> {
  const { resources, total } = scimList(answer);
  const records = (readAs(listOf(member), resources) ?? []).map(
    ({ id, userName: email, displayName: name, active = true }) => ({ id, email, name, active }),
  );
  return { records, entries: resources.length, total };
}

const namedGroup = record({ id: anId, displayName: text });

/** The ids are short ones, which no other operation takes. */
export function readGroupPage(answer: Json | undefined): ScimPage<Principal> {
  const { resources, total } = scimList(answer);
  const records = (readAs(listOf(namedGroup), resources) ?? []).map(({ id, displayName: name }) => ({ id, name }));
  return { records, entries: resources.length, total };
}

function scimList(answer: Json | undefined) {
  // RFC 7644 lets a service leave out the list where nobody was found.
  const { totalResults: total, Resources: resources = [] } = objectIn(answer);
  if (typeof total !== 'number' || !Array.isArray(resources)) throw new Undocumented('It is not a list of SCIM.');
  return { resources, total };
}

const named = record({ id: anId, name: text });

export function readModelPage(answer: Json | undefined): AnswerPage<RemoteModel> {
  return pageOf(answer, (given) => {
    const { id, name, branches } = mapAt(given);
    const read = readAs(named, { id, name: readText(name) ?? '' });
    return read && { ...read, branches: readAs(listOf(named), branches) ?? [] };
  });
}

const roles = record({ 'permissions?': listOf(text) });
const holder = record({ keyScope: nonEmptyText, 'orgRole?': text, 'rolesByModelTruncated?': flag });

export function readWhoami(answer: Json | undefined): TokenHolder {
  const given = objectIn(answer);
  const { keyScope, orgRole, rolesByModelTruncated: isPartial = false } = needAs(holder, given, 'It has no keyScope.');
  const byModel = Object.values(mapAt(given, 'rolesByModel'));
  const permissions = new Set(byModel.flatMap((each) => readAs(roles, each)?.permissions ?? []));
  return { keyScope, orgRole, permissions, isPartial };
}

const actor = record({ 'name?': text });
const draft = openRecord({ 'updatedAt?': text, 'lastEditedBy?': actor, 'createdBy?': actor, 'status?': text });

/** An archived draft is a discarded one; that of a branch is no draft of the dashboard as people see it. */
export function readDrafts(answer: Json | undefined): readonly RemoteDraft[] {
  if (!Array.isArray(answer)) throw new Undocumented('It is not a list of drafts.');
  return answer.flatMap((given: Json): readonly RemoteDraft[] => {
    const {
      status = 'active',
      updatedAt,
      lastEditedBy,
      createdBy,
    } = needAs(draft, given, 'One of its drafts is not a map.');
    if (status !== 'active' || (mapAt(given)['branch'] ?? null) !== null) return [];
    const by = readText(lastEditedBy?.name) ?? readText(createdBy?.name);
    return [{ by, editedAt: Number.isNaN(Date.parse(updatedAt ?? '')) ? undefined : updatedAt }];
  });
}

const emailOnly = record({ email: nonEmptyText });

export function readEmailOnlyPage(answer: Json | undefined): AnswerPage<string> {
  return pageOf(answer, (given) => readAs(emailOnly, given)?.email);
}
