// Decides who may view a document: everyone, or only some members. If it is not the organization's, these are its owner
// and those with whom it or its folder was shared.

import { type Answer, Rejection } from './answers.ts';
import { aString, oneOf, readQuery } from './checks.ts';
import { aPageSize, cutPage, type OperationInput } from './requests.ts';
import { type EmulatedDocument, type EmulatorData, findDocumentByEitherId } from './store.ts';

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

/** A viewer as the service shows it; absent sources of access are left out. */
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

const parameters = {
  accessSource: oneOf('direct', 'folder'),
  cursor: aString,
  pageSize: aPageSize,
  sortDirection: oneOf('asc', 'desc'),
  sortField: oneOf('name'),
  type: oneOf('user', 'userGroup'),
};

/** GET /v1/documents/{identifier}/access-list: a group has its UUID here, beside its name, and nowhere else. */
export function listAccess({ store, caller, id, query }: OperationInput): Answer {
  const { accessSource, type, pageSize = 20, ...given } = readQuery(query, parameters);
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
