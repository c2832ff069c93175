// Reads fields and pages of an answer. A field that does not have its documented type counts as missing.

import type { ListedDocument, PageInfo, RemoteQuery } from '../../model/service/documents.ts';
import type { RemoteUser } from '../../model/service/remote.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { Created } from '../api.ts';

/** An answer that is not as documented. The message says in a sentence how it differs, and may be shown. */
export class Undocumented extends Error {}

export function objectIn(answer: Json | undefined): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new Undocumented('It is not a JSON object.');
}

/** A non-empty text. */
export function textIn(record: JsonObject, field: string): string | undefined {
  const value = record[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function flagIn(record: JsonObject, field: string): boolean | undefined {
  const value = record[field];
  return typeof value === 'boolean' ? value : undefined;
}

export function recordIn(given: JsonObject, field: string): JsonObject | undefined {
  const value = given[field];
  return isJsonObject(value) ? value : undefined;
}

export function textsIn<K extends string>(record: JsonObject, fields: readonly K[]): { readonly [P in K]?: string } {
  return Object.fromEntries(fields.map((field) => [field, textIn(record, field)])) as { readonly [P in K]?: string };
}

export interface Page<T> {
  readonly records: readonly T[];
  /** How many records it has with those that are left out; undefined: those above. */
  readonly entries?: number;
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** How many there are on all pages, as the service counts; undefined if it does not count. */
  readonly total: number | undefined;
}

/** Cursors are texts or numbers. */
interface AnsweredPage extends Page<Json> {
  /** As it was answered. */
  readonly pageInfo: JsonObject;
}

export function readPage(answer: Json | undefined): AnsweredPage {
  const { records, pageInfo } = objectIn(answer);
  if (!Array.isArray(records)) throw new Undocumented('It has no list of records.');
  if (!isJsonObject(pageInfo)) throw new Undocumented('It does not say whether there are more pages.');
  const { hasNextPage, nextCursor, totalRecords } = pageInfo;
  if (hasNextPage === true && typeof nextCursor !== 'string' && typeof nextCursor !== 'number')
    throw new Undocumented('It has a next page but no cursor for it.');
  const next = hasNextPage === true ? String(nextCursor) : undefined;
  return { records, next, total: typeof totalRecords === 'number' ? totalRecords : undefined, pageInfo };
}

// Reads the service's answers to requests that change something: what was created, or that the change was made.

export function readCreatedSchedule(answer: Json | undefined): Created {
  return { id: readId(objectIn(answer), 'id'), ...readDelivered(answer) };
}

/** A test delivery creates nothing, so its answer has no id. */
export function readDelivered(answer: Json | undefined): Created {
  return { outputs: textsOf(objectIn(answer), ['delivererRoleArn', 'externalId']) };
}

export function readCreatedAiJob(answer: Json | undefined): Created {
  const created = objectIn(answer);
  return { id: readId(created, 'jobId'), outputs: textsOf(created, ['conversationId', 'omniChatUrl']) };
}

/** The answer to an update, delete or pause. It only confirms the change; its content is ignored. */
export function readDone(answer: Json | undefined): void {
  if (answer !== undefined) objectIn(answer);
}

function readId(answer: JsonObject, name: string): string {
  const id = answer[name];
  if (typeof id === 'string' && /^[\w.:-]+$/.test(id)) return id;
  throw new Undocumented(id === undefined ? `It has no ${name}.` : `Its ${name} is not an id.`);
}

function textsOf(answer: JsonObject, names: readonly string[]): JsonObject {
  const texts: Record<string, Json> = {};
  for (const name of names) {
    const text = answer[name];
    if (typeof text === 'string' && text !== '') texts[name] = text;
  }
  return texts;
}

/**
 * Reads the service's answers about documents. Only identifiers are required: the sources disagree on which other
 * fields are always present.
 */
export interface DocumentPage extends Page<ListedDocument> {
  readonly pageInfo: PageInfo;
}

export function readDocumentPage(answer: Json | undefined): DocumentPage {
  const { records, next, total, pageInfo } = readPage(answer);
  const { pageSize } = pageInfo;
  return {
    records: records.map(documentIn),
    next,
    total,
    pageInfo: {
      hasNextPage: next !== undefined,
      nextCursor: next,
      pageSize: isCount(pageSize) ? pageSize : records.length,
      totalRecords: isCount(total) ? total : undefined,
    },
  };
}

function documentIn(given: Json): ListedDocument {
  const record = isJsonObject(given) ? given : {};
  const identifier = textIn(record, 'identifier');
  if (identifier === undefined) throw new Undocumented('One of its documents has no identifier.');
  const [folder, owner] = [recordIn(record, 'folder'), recordIn(record, 'owner')];
  return {
    identifier,
    name: textIn(record, 'name') ?? identifier,
    ...textsIn(record, ['type', 'scope', 'url', 'description']),
    hasDashboard: flagIn(record, 'hasDashboard'),
    deleted: flagIn(record, 'deleted') ?? false,
    ...textsIn(record, ['updatedAt', 'connectionId']),
    folder: folder && textsIn(folder, ['id', 'name', 'path', 'scope']),
    owner: owner && textsIn(owner, ['id', 'name']),
    labels: labelsIn(record['labels']),
    _count: countsIn(record['_count']),
  };
}

/** Label names. An older form of the answer has objects with a name and a verified flag. */
function labelsIn(labels: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(labels)) return undefined;
  return labels.flatMap((label: Json) => {
    if (isJsonObject(label)) return textIn(label, 'name') ?? [];
    return typeof label === 'string' ? label : [];
  });
}

function countsIn(counts: Json | undefined): Readonly<Record<string, number>> | undefined {
  if (!isJsonObject(counts)) return undefined;
  return Object.fromEntries(Object.entries(counts).filter((entry): entry is [string, number] => isCount(entry[1])));
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && value >= 0;
}

export function readQueries(answer: Json | undefined): readonly RemoteQuery[] {
  const { queries } = objectIn(answer);
  if (!Array.isArray(queries)) throw new Undocumented('It has no list of queries.');
  const read = queries.filter(isJsonObject).flatMap((query): RemoteQuery[] => {
    const key = textIn(query, 'queryIdentifierMapKey');
    return key === undefined ? [] : [{ key, name: textIn(query, 'name') }];
  });
  // An older service listed queries without keys; then the queries cannot be checked.
  if (queries.length > 0 && read.length === 0) throw new Undocumented('Its queries have no queryIdentifierMapKey.');
  return read;
}

/**
 * Reads a page of people as SCIM (RFC 7644) lists them, of those who have no account, and of who may see a document. A person
 * without an id or an address is left out: it is nobody whom a declaration could name.
 */
export interface UserPage {
  readonly users: readonly RemoteUser[];
  /** With those that are left out. */
  readonly entries: number;
  /** How many there are on all pages. */
  readonly total: number;
}

export function readUserPage(answer: Json | undefined): UserPage {
  // RFC 7644 lets a service leave out the list where nobody was found.
  const { totalResults, Resources: resources = [] } = objectIn(answer);
  if (typeof totalResults !== 'number' || !Array.isArray(resources))
    throw new Undocumented('It is not a list of SCIM.');
  const users = resources.flatMap((entry: Json) => userIn(entry) ?? []);
  return { users, entries: resources.length, total: totalResults };
}

export function readEmailOnlyPage(answer: Json | undefined): Page<string> {
  const { records, next, total } = readPage(answer);
  const emails = records.flatMap((record) => (isJsonObject(record) ? (textIn(record, 'email') ?? []) : []));
  return { records: emails, next, total };
}

function userIn(entry: Json): RemoteUser | undefined {
  if (!isJsonObject(entry)) return undefined;
  const [id, email] = [textIn(entry, 'id'), textIn(entry, 'userName')];
  if (id === undefined || email === undefined) return undefined;
  return {
    id,
    email,
    name: textIn(entry, 'displayName'),
    active: flagIn(entry, 'active') ?? true,
  };
}
