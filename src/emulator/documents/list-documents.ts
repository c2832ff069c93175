// GET /v1/documents: the documents that the caller may see, sorted and page by page. The cursor contains the place of
// the last record and its sort order, so pages do not shift when documents are added or removed.

import { requireMember } from '../pipeline/acting-member.ts';
import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { sameId } from '../pipeline/fields.ts';
import type { EmulatedDocument, EmulatorData } from '../store/store.ts';
import { canView } from './can-view.ts';
import { type DocumentQuery, readDocumentQuery, type SortField } from './document-query.ts';

interface Place {
  readonly value: string | number;
  readonly identifier: string;
}

const sortValues: Readonly<Record<SortField, (document: EmulatedDocument) => string | number>> = {
  favorites: (document) => document.favoriteOf.length,
  name: (document) => document.name,
  updatedAt: (document) => document.updatedAt,
  visits: (document) => document.views,
};

export function listDocuments(call: Call): Answer {
  const query = readDocumentQuery(call.query);
  const viewer = readViewer(call, query);
  const { data } = call.store;
  const after = query.cursor === undefined ? undefined : readCursor(query, query.cursor);
  const sign = query.sortDirection === 'asc' ? 1 : -1;
  const found = data.documents.filter((document) => isWanted(document, query, viewer));
  const rest = found
    .map((document) => ({ document, place: placeOf(document, query.sortField) }))
    .sort((a, b) => sign * comparePlaces(a.place, b.place))
    .filter(({ place }) => after === undefined || sign * comparePlaces(place, after) > 0);
  const page = rest.slice(0, query.pageSize);
  const last = page.at(-1);
  const hasNextPage = rest.length > page.length;
  return {
    status: 200,
    body: {
      pageInfo: {
        hasNextPage,
        nextCursor: hasNextPage && last !== undefined ? writeCursor(query, last.place) : null,
        pageSize: query.pageSize,
        totalRecords: found.length,
      },
      records: page.map(({ document }) => toRecord(document, data, query)),
    },
  };
}

/** The member whose view is asked for, or null for everything in the organization. */
function readViewer({ caller, store }: Call, query: DocumentQuery): string | null {
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

function isWanted(document: EmulatedDocument, query: DocumentQuery, viewer: string | null): boolean {
  if (document.deleted && !query.include.has('includeDeleted')) return false;
  if (query.folderId !== undefined && !sameId(document.folderId, query.folderId)) return false;
  if (query.creatorId !== undefined && !sameId(document.ownerId, query.creatorId)) return false;
  if (query.labels.length > 0 && !query.labels.some((label) => document.labels.includes(label))) return false;
  if (viewer === null) return true;
  const owns = document.ownerId === viewer;
  const shared = document.sharedWith.includes(viewer);
  if (query.include.has('onlyFavorites') && !document.favoriteOf.includes(viewer)) return false;
  if (query.include.has('onlySharedWithMe') && (owns || !shared)) return false;
  return canView(viewer, document);
}

function toRecord(document: EmulatedDocument, data: EmulatorData, query: DocumentQuery): Record<string, unknown> {
  const owner = data.members.find((member) => member.id === document.ownerId);
  return {
    connectionId: document.connectionId,
    deleted: document.deleted,
    description: document.description,
    folder: data.folders.find((folder) => folder.id === document.folderId) ?? null,
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

function placeOf(document: EmulatedDocument, sortField: SortField): Place {
  return { value: sortValues[sortField](document), identifier: document.identifier };
}

function comparePlaces(a: Place, b: Place): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.identifier === b.identifier) return 0;
  return a.identifier < b.identifier ? -1 : 1;
}

function writeCursor({ sortField, sortDirection }: DocumentQuery, { value, identifier }: Place): string {
  return Buffer.from(JSON.stringify([sortField, sortDirection, value, identifier])).toString('base64url');
}

function readCursor({ sortField, sortDirection }: DocumentQuery, cursor: string): Place {
  const [field, direction, value, identifier] = decodeCursor(cursor);
  const isPlace = typeof identifier === 'string' && typeof value === (isCount(sortField) ? 'number' : 'string');
  if (field !== sortField || direction !== sortDirection || !isPlace) {
    throw new Rejection(400, 'Bad Request: cursor: Invalid cursor for this sortField and sortDirection');
  }
  return { value: value as string | number, identifier };
}

function decodeCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isCount(sortField: SortField): boolean {
  return sortField === 'favorites' || sortField === 'visits';
}
