// The people of the organization, and who may see a document.

import { canView } from './documents.ts';
import { type Answer, Rejection } from './pipeline.ts';
import { type Call, compare, type Operation, pageInfo, readChoice, readPageSize, readQuery } from './requests.ts';
import { deriveUuid, findDocumentByEitherId, type Member, type Store } from './store.ts';

const mostUsers = 100;
const ofList = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ofUser = 'urn:ietf:params:scim:schemas:core:2.0:User';

/**
 * GET /scim/v2/Users: the members of the organization as SCIM (RFC 7644) shows them, page by page. The id is the
 * membership id, and the userName is the e-mail address.
 */
function listUsers({ caller, query, store }: Call): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'SCIM needs an organization API key');
  const { filter, startIndex, count } = readQuery(query, ['filter', 'startIndex', 'count']);
  const isWanted = filter === undefined ? () => true : readFilter(filter);
  const found = store.data.members.filter(isWanted);
  // A first place below 1 counts as 1, and a negative count as 0.
  const first = Math.max(1, readInteger('startIndex', startIndex, 1));
  const most = Math.min(mostUsers, Math.max(0, readInteger('count', count, mostUsers)));
  const page = found.slice(first - 1, first - 1 + most);
  return {
    status: 200,
    body: {
      schemas: [ofList],
      totalResults: found.length,
      startIndex: first,
      itemsPerPage: page.length,
      Resources: page.map(toUser),
    },
  };
}

function toUser({ id, name, email, active = true }: Member) {
  return { schemas: [ofUser], id, userName: email, displayName: name, active };
}

/** Only `userName eq "…"`, which compares without regard to case. */
function readFilter(filter: string): (member: Member) => boolean {
  const wanted = readText(/^\s*userName\s+eq\s+(".*")\s*$/i.exec(filter)?.[1]);
  if (wanted === undefined) throw new Rejection(400, 'filter: Only userName eq "value" is supported');
  return ({ email }) => email.toLowerCase() === wanted.toLowerCase();
}

/** A text in the form of JSON, as SCIM writes the values of a filter. */
function readText(written = ''): string | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function readInteger(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^-?\d{1,9}$/.test(text)) throw new Rejection(400, `${name}: Expected integer`);
  return Number(text);
}

const mostEmailOnly = 20;

/**
 * GET /v1/users/email-only: those who receive deliveries without an account, at most twenty a page. The service makes such
 * a user of every address that a schedule names and that no member has.
 */
function listEmailOnlyUsers({ caller, query, store }: Call): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'Permission denied - admin role required');
  const { email, pageSize, cursor, sortDirection } = readQuery(query, ['email', 'pageSize', 'cursor', 'sortDirection']);
  const size = readNumber('pageSize', pageSize ?? String(mostEmailOnly), mostEmailOnly);
  const first = readNumber('cursor', cursor ?? '1', Number.MAX_SAFE_INTEGER) - 1;
  const sign = readChoice('sortDirection', sortDirection ?? 'desc', ['asc', 'desc']) === 'asc' ? 1 : -1;
  const found = addressesWithoutMember(store)
    .filter((known) => email === undefined || known === email.toLowerCase())
    .sort((a, b) => (a < b ? -sign : sign));
  const page = found.slice(first, first + size);
  const next = first + size < found.length ? String(first + size + 1) : null;
  const records = page.map((known) => ({
    user_id: deriveUuid('email-only', known),
    email: known,
    user_attributes: {},
  }));
  return { status: 200, body: { pageInfo: pageInfo(size, found.length, next), records } };
}

/** In lower case. */
function addressesWithoutMember({ data }: Store): string[] {
  const members = new Set(data.members.map(({ email }) => email.toLowerCase()));
  const named = data.schedules.flatMap(({ fields: { destinationType, recipients } }) =>
    destinationType === 'email' && Array.isArray(recipients)
      ? recipients.map((each) => String(each).toLowerCase())
      : [],
  );
  return [...new Set(named)].filter((email) => !members.has(email));
}

function readNumber(name: string, text: string, most: number): number {
  if (!/^\d{1,15}$/.test(text)) throw new Rejection(400, `${name}: Expected number, received nan`);
  const value = Number(text);
  if (value < 1) throw new Rejection(400, `${name}: Number must be greater than or equal to 1`);
  if (value > most) throw new Rejection(400, `${name}: Number must be less than or equal to ${most}`);
  return value;
}

const parameters = ['cursor', 'pageSize', 'sortField', 'sortDirection', 'accessSource', 'type'] as const;

/**
 * GET /v1/documents/{documentId}/access-list: who may see a document, page by page. User groups share no documents, and
 * no rights come with a folder, so each entry is a member with a right of their own.
 */
function listAccess({ store, caller, params, query }: Call): Answer {
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
  const principals = store.data.members
    .filter((member) => isListed && (member.id === ownerId || sharedWith.includes(member.id)))
    .map(({ id: memberId, name, email }) => {
      const isOwner = memberId === ownerId;
      const role = isOwner ? 'MANAGER' : 'VIEWER';
      return { id: memberId, name, email, type: 'user', role, accessBoost: false, accessSource: 'direct', isOwner };
    })
    .sort((a, b) => sign * (compare(a[field], b[field]) || compare(a.id, b.id)));
  const first = cursor === undefined ? 0 : readCursor(cursor);
  const page = principals.slice(first, first + size);
  const next = first + page.length;
  const nextCursor = next < principals.length ? Buffer.from(String(next)).toString('base64url') : null;
  return { status: 200, body: { pageInfo: pageInfo(size, principals.length, nextCursor), principals: page } };
}

function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,9}$/.test(text)) throw new Rejection(400, 'cursor: Invalid cursor');
  return Number(text);
}

/**
 * The operations about people: those who have an account, those who receive deliveries without one, and who may see a
 * document.
 */
export const peopleOperations: readonly Operation[] = [
  { method: 'GET', path: '/scim/v2/Users', hasBody: false, answer: listUsers },
  { method: 'GET', path: '/v1/users/email-only', hasBody: false, answer: listEmailOnlyUsers },
  { method: 'GET', path: '/v1/documents/{documentId}/access-list', hasBody: false, answer: listAccess },
];
