// GET /v1/documents/{documentId}/access-list: who may see a document, page by page. User groups share no documents, and
// no rights come with a folder, so each entry is a member with a right of their own.

import { canView } from '../documents/can-view.ts';
import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { readChoice, readPageSize } from '../pipeline/query-values.ts';
import { readQuery } from '../pipeline/read-query.ts';
import { findDocumentByEitherId } from '../store/store.ts';

const parameters = ['cursor', 'pageSize', 'sortField', 'sortDirection', 'accessSource', 'type'] as const;

export function listAccess({ store, caller, params, query }: Call): Answer {
  const { cursor, pageSize, sortField = 'name', sortDirection, accessSource, type } = readQuery(query, parameters);
  const size = readPageSize(pageSize);
  const field = readChoice('sortField', sortField, ['name', 'email', 'role'] as const);
  const sign = readChoice('sortDirection', sortDirection ?? 'asc', ['asc', 'desc'] as const) === 'asc' ? 1 : -1;
  const source = accessSource && readChoice('accessSource', accessSource, ['direct', 'folder'] as const);
  const wanted = type && readChoice('type', type, ['user', 'userGroup'] as const);
  const id = params.documentId ?? '';
  const document = findDocumentByEitherId(store, id);
  if (document === undefined) throw new Rejection(404, `Document with identifier "${id}" not found`);
  if (caller.kind === 'personal' && !canView(caller.memberId, document)) {
    throw new Rejection(403, 'Permission denied - VIEWER role required');
  }
  const { ownerId, sharedWith } = document;
  const isListed = wanted !== 'userGroup' && source !== 'folder';
  const members = store.data.members.filter((member) => member.id === ownerId || sharedWith.includes(member.id));
  const principals = members
    .map(({ id: memberId, name, email }) => {
      const isOwner = memberId === ownerId;
      const role = isOwner ? 'MANAGER' : 'VIEWER';
      return { id: memberId, name, email, type: 'user', role, accessBoost: false, accessSource: 'direct', isOwner };
    })
    .filter(() => isListed)
    .sort((a, b) => sign * compare([a[field], a.id], [b[field], b.id]));
  const first = cursor === undefined ? 0 : readCursor(cursor);
  const page = principals.slice(first, first + size);
  const next = first + page.length;
  const hasNextPage = next < principals.length;
  const nextCursor = hasNextPage ? Buffer.from(String(next)).toString('base64url') : null;
  const pageInfo = { hasNextPage, nextCursor, pageSize: size, totalRecords: principals.length };
  return { status: 200, body: { pageInfo, principals: page } };
}

function compare([a, idA]: readonly [string, string], [b, idB]: readonly [string, string]): number {
  if (a !== b) return a < b ? -1 : 1;
  return idA < idB ? -1 : 1;
}

function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,9}$/.test(text)) throw new Rejection(400, 'cursor: Invalid cursor');
  return Number(text);
}
