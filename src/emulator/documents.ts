// The documents of the organization: their list, their queries, and who may view one.

import { type Answer, Rejection } from './answers.ts';
import { anId, aString, type Check, oneOf, readQuery } from './checks.ts';
import { aPageSize, cutPage, type OperationInput, type Place, requireMember, sameId } from './requests.ts';
import { deriveUuid, type EmulatedDocument, type EmulatorData, entityIdOf, findDocumentByEitherId } from './store.ts';

const sortValues = {
  favorites: (document) => document.favoriteOf.length,
  name: (document) => document.name,
  updatedAt: (document) => document.updatedAt,
  visits: (document) => document.views,
} satisfies Readonly<Record<string, (document: EmulatedDocument) => string | number>>;

/**
 * GET /v1/documents: the documents that the caller may see, sorted and page by page.
 */
export function listDocuments(call: OperationInput): Answer {
  const query = readDocumentQuery(call.query);
  const viewer = readViewer(call, query);
  const { data } = call.store;
  const found = data.documents.filter((document) => isWanted(document, query, viewer, data));
  const { pageInfo, page } = cutPage(found, query, (document) => placeOf(document, query.sortField), prefix);
  return { status: 200, body: { pageInfo, records: page.map((document) => toRecord(document, data, query)) } };
}

/** The member whose view is requested, or null for everything in the organization. */
function readViewer({ caller, store }: OperationInput, query: DocumentQuery): string | null {
  if (query.creatorId !== undefined) requireMember(store, query.creatorId);
  if (caller.kind === 'personal') {
    if (query.userId !== undefined && !sameId(caller.memberId, query.userId)) {
      throw new Rejection(403, 'A personal access token cannot act for another user');
    }
    return caller.memberId;
  }
  if (query.userId !== undefined) return requireMember(store, query.userId);
  if (query.include.has('onlyFavorites') || query.include.has('onlySharedWithMe')) {
    throw new Rejection(400, 'Bad Request: userId: Required with onlyFavorites and onlySharedWithMe');
  }
  return null;
}

function isWanted(
  document: EmulatedDocument,
  query: DocumentQuery,
  viewer: string | null,
  data: EmulatorData,
): boolean {
  if (document.deleted && !query.include.has('includeDeleted')) return false;
  if (query.folderId !== undefined && !sameId(document.folderId, query.folderId)) return false;
  if (query.creatorId !== undefined && !sameId(document.ownerId, query.creatorId)) return false;
  if (query.labels.length > 0 && !query.labels.some((label) => document.labels.includes(label))) return false;
  if (viewer === null) return true;
  if (query.include.has('onlyFavorites') && !document.favoriteOf.includes(viewer)) return false;
  if (query.include.has('onlySharedWithMe') && !document.sharedWith.includes(viewer)) return false;
  return canView(viewer, document, data);
}

function toRecord(document: EmulatedDocument, data: EmulatorData, query: DocumentQuery): Record<string, unknown> {
  const owner = data.members.find((member) => member.id === document.ownerId);
  return {
    connectionId: document.connectionId,
    deleted: document.deleted,
    description: document.description,
    folder: folderOf(document, data),
    hasDashboard: document.dashboard !== null,
    identifier: document.identifier,
    name: document.name,
    owner: { id: document.ownerId, name: owner?.name ?? '' },
    scope: document.scope,
    type: 'document',
    updatedAt: document.updatedAt,
    url: `${data.organization.url}/dashboards/${document.identifier}`,
    labels: query.include.has('labels') ? document.labels : undefined,
    _count: query.include.has('_count') ? { favorites: document.favoriteOf.length, views: document.views } : undefined,
  };
}

function folderOf({ folderId }: EmulatedDocument, { folders }: EmulatorData) {
  const folder = folders.find(({ id }) => id === folderId);
  return folder === undefined ? null : { id: folder.id, name: folder.name, path: folder.path, scope: folder.scope };
}

function placeOf(document: EmulatedDocument, sortField: SortField): Place {
  return { value: sortValues[sortField](document), id: document.identifier };
}

const prefix = 'Bad Request: ';

const anInclude = oneOf('_count', 'labels', 'includeDeleted', 'onlyFavorites', 'onlySharedWithMe');

const includes: Check<string> = (value, at) =>
  splitList(String(value))
    .map((part) => anInclude(part, at))
    .find((fault) => fault !== undefined);

const parameters = {
  include: includes,
  labels: aString,
  folderId: anId,
  pageSize: aPageSize,
  sortField: oneOf(...(Object.keys(sortValues) as SortField[])),
  sortDirection: oneOf('asc', 'desc'),
  cursor: aString,
  userId: anId,
  creatorId: anId,
};

type SortField = keyof typeof sortValues;

type DocumentQuery = ReturnType<typeof readDocumentQuery>;

function readDocumentQuery(query: URLSearchParams) {
  const given = readQuery(query, parameters, prefix);
  const { include, labels, pageSize = 20, sortField = 'name', sortDirection = 'desc', ...others } = given;
  const lists = { include: new Set(splitList(include)), labels: splitList(labels) };
  return { ...others, ...lists, pageSize: Number(pageSize), sortField, sortDirection };
}

function splitList(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The document that a path names, for a caller who may view it. */
function openDocument({ store, caller, id, query }: OperationInput): EmulatedDocument {
  readQuery(query, {});
  const document = findDocumentByEitherId(store, id);
  if (document === undefined) throw new Rejection(404, `Document with id ${id} does not exist`);
  if (caller.kind === 'personal' && !canView(caller.memberId, document, store.data)) {
    throw new Rejection(403, 'User cannot view document');
  }
  return document;
}

/**
 * GET /v1/documents/{documentId}/queries: the queries of a dashboard, and the keys by which schedules name them.
 */
export function listQueries(call: OperationInput): Answer {
  const { store, quirks } = call;
  const document = openDocument(call);
  const queries = (document.dashboard?.tiles ?? []).map(({ key, query }) => ({
    id: deriveUuid('query', document.identifier, key),
    name: queryName(key),
    query: quirks.queriesWithoutQuery === true ? undefined : query,
    queryIdentifierMapKey: key,
    url: `${store.data.organization.url}/w/${document.identifier}?key=${encodeURIComponent(key)}`,
  }));
  return { status: 200, body: { queries } };
}

const classicLayout = 'This document uses the classic dashboard layout, which the documents API does not support.';

/**
 * GET /v2/documents/{documentId}: the layout of a dashboard. Its filters are controls here, and each control has a
 * `map` of the tiles that it does not reach, or limits by another field. Each page is a container.
 */
export function getDocument(call: OperationInput): Answer {
  const { identifier, name, description, dashboard } = openDocument(call);
  if (dashboard?.classic === true) throw new Rejection(422, classicLayout);
  const { tiles = [], filters = {}, controls = [], maps = {}, filterOrder = [] } = dashboard ?? {};
  const configs = { ...filters, ...Object.fromEntries(controls.map((control) => [control.id, control])) };
  const shown = Object.entries(configs).map(([id, config]) => [id, { config: { ...config, id }, map: maps[id] ?? {} }]);
  const presentations = tiles.map(({ key, query }) => [key, { name: queryName(key), type: 'query', query }]);
  const pages = [...new Set(tiles.map(({ page = 'Page 1' }) => page))];
  const containers = pages.map((page, index) => {
    const own = tiles.filter((tile) => (tile.page ?? 'Page 1') === page);
    const children = own.map(({ key }) => ({
      containerType: 'stack',
      instanceKey: `tile-${key}`,
      metadata: { attachedQueryKey: key },
    }));
    const container = { containerType: 'grid', instanceKey: `page-${index + 1}-grid`, children };
    return { containerType: 'page', instanceKey: `page-${index + 1}`, name: page, container };
  });
  const body = {
    queryPresentations: { data: Object.fromEntries(presentations), order: tiles.map(({ key }) => key) },
    controls: { data: Object.fromEntries(shown), order: filterOrder },
    containers,
    settings: {},
  };
  return { status: 200, body: { identifier, name, description, ...body } };
}

/** Schedules stay on it. By assumption, no operation takes the former identifier until another document has it. */
export function giveIdentifier(document: EmulatedDocument, identifier: string, { schedules }: EmulatorData): void {
  const former = document.identifier;
  document.entityId = entityIdOf(document);
  document.identifier = identifier;
  for (const schedule of schedules)
    if (schedule.fields['identifier'] === former) schedule.fields = { ...schedule.fields, identifier };
}

/** The name of a dashboard's query. The store does not keep one. */
export function queryName(key: string): string {
  return `Query ${key}`;
}

/** Everyone if it is the organization's, and otherwise its owner and those with whom it or its folder was shared. */
export function canView(memberId: string, document: EmulatedDocument, data: EmulatorData): boolean {
  const { scope, ownerId, sharedWith } = document;
  if (scope === 'organization' || ownerId === memberId || sharedWith.includes(memberId)) return true;
  const shared = new Set([...(document.sharedWithGroups ?? []), ...groupsOfFolder(document, data)]);
  return (data.userGroups ?? []).some(({ id, memberIds }) => shared.has(id) && memberIds.includes(memberId));
}

function groupsOfFolder({ folderId }: EmulatedDocument, { folders }: EmulatorData): readonly string[] {
  return folders.find(({ id }) => id === folderId)?.sharedWithGroups ?? [];
}

interface Role {
  readonly role: 'MANAGER' | 'VIEWER';
}

/** As the service shows who may view: a source of the access that there is not is left out. */
interface Principal {
  readonly id: string;
  readonly name: string;
  readonly type: 'user' | 'userGroup';
  readonly direct?: Role;
  readonly folder?: Role;
}

const viewer: Role = { role: 'VIEWER' };

function principalsOf(document: EmulatedDocument, data: EmulatorData): Principal[] {
  const { ownerId, sharedWith, sharedWithGroups = [] } = document;
  const users = data.members
    .filter(({ id }) => id === ownerId || sharedWith.includes(id))
    .map(({ id, name }): Principal => {
      return { id, name, type: 'user', direct: id === ownerId ? { role: 'MANAGER' } : viewer };
    });
  const ofFolder = groupsOfFolder(document, data);
  const groups = (data.userGroups ?? [])
    .filter(({ id }) => sharedWithGroups.includes(id) || ofFolder.includes(id))
    .map(({ id, name }): Principal => {
      const direct = sharedWithGroups.includes(id) && { direct: viewer };
      return { id, name, type: 'userGroup', ...direct, ...(ofFolder.includes(id) && { folder: viewer }) };
    });
  return [...users, ...groups];
}

const accessParameters = {
  accessSource: oneOf('direct', 'folder'),
  cursor: aString,
  pageSize: aPageSize,
  sortDirection: oneOf('asc', 'desc'),
  sortField: oneOf('name'),
  type: oneOf('user', 'userGroup'),
};

/** GET /v1/documents/{identifier}/access-list: a group has its UUID here, beside its name, and nowhere else. */
export function listAccess({ store, caller, id, query }: OperationInput): Answer {
  const { accessSource, type, pageSize = 20, ...given } = readQuery(query, accessParameters);
  const document = findDocumentByEitherId(store, id);
  if (document === undefined) throw new Rejection(404, `Document with id ${id} does not exist`);
  if (caller.kind === 'personal' && !canView(caller.memberId, document, store.data)) {
    throw new Rejection(403, 'Permission denied: VIEWER role required');
  }
  const found = principalsOf(document, store.data)
    .filter((principal) => type === undefined || principal.type === type)
    .filter((principal) => accessSource === undefined || principal[accessSource] !== undefined);
  const asked = { sortField: 'name', sortDirection: 'asc', ...given, pageSize: Number(pageSize) } as const;
  const { pageInfo, page } = cutPage(found, asked, ({ id: key, name }) => ({ value: name, id: key }));
  return { status: 200, body: { pageInfo, principals: page } };
}
