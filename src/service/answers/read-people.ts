// Reads a page of people as SCIM (RFC 7644) lists them, of those who have no account, and of who may see a document. A person
// without an id or an address is left out: it is nobody whom a declaration could name.

import type { AccessList, Principal } from '../../model/service/documents.ts';
import type { RemoteUser } from '../../model/service/remote.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import { flagIn, notAnObject, type Page, type Reading, readPage, textIn, textsIn } from './reading.ts';

export interface UserPage {
  readonly users: readonly RemoteUser[];
  /** With those that are left out. */
  readonly entries: number;
  /** How many there are on all pages. */
  readonly total: number;
}

export function readUserPage(answer: Json | undefined): Reading<UserPage> {
  if (!isJsonObject(answer)) return notAnObject;
  // RFC 7644 lets a service leave out the list where nobody was found.
  const { totalResults, Resources: resources = [] } = answer;
  if (typeof totalResults !== 'number' || !Array.isArray(resources)) return { problem: 'It is not a list of SCIM.' };
  const users = resources.flatMap((entry: Json) => userIn(entry) ?? []);
  return { value: { users, entries: resources.length, total: totalResults } };
}

export function readEmailOnlyPage(answer: Json | undefined): Reading<Page<string>> {
  const page = readPage(answer);
  if ('problem' in page) return page;
  const { records, next, total } = page.value;
  const emails = records.flatMap((record) => (isJsonObject(record) ? (textIn(record, 'email') ?? []) : []));
  return { value: { records: emails, next, total } };
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
    groups: groupsIn(entry['groups']),
  };
}

function groupsIn(groups: Json | undefined): RemoteUser['groups'] {
  if (!Array.isArray(groups)) return undefined;
  return groups.map((group: Json) =>
    isJsonObject(group) ? { id: textIn(group, 'value'), name: textIn(group, 'display') } : {},
  );
}

/**
 * A page of the access list of a document. The vendor's specification does not type its entries; what is read here follows
 * the example of the vendor's documentation: `{id, name, email, type: user | userGroup, role, …}`, where the id of a user is
 * assumed to be the membership id. An entry of another kind makes the list incomplete and is no error.
 */
export interface AccessPage extends AccessList {
  /** Where to go on; undefined on the last page. */
  readonly nextCursor?: string;
}

export function readAccessPage(answer: Json | undefined): Reading<AccessPage> {
  if (!isJsonObject(answer)) return notAnObject;
  const { principals: entries, pageInfo } = answer;
  if (!Array.isArray(entries) || !isJsonObject(pageInfo)) return { value: { principals: [], isWhole: false } };
  const read = entries.map(principalIn);
  const principals = read.filter((principal) => principal !== undefined);
  const hasNextPage = pageInfo['hasNextPage'] !== false;
  const nextCursor = hasNextPage ? textIn(pageInfo, 'nextCursor') : undefined;
  const isWhole = principals.length === read.length && (!hasNextPage || nextCursor !== undefined);
  return { value: { principals, isWhole, nextCursor } };
}

/** Undefined for what names nobody, or for a principal of another type. */
function principalIn(entry: Json): Principal | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { type } = entry;
  if (type !== 'user' && type !== 'userGroup') return undefined;
  const { id, email, name } = textsIn(entry, ['id', 'email', 'name']);
  // A name alone tells which group is meant, but not which user.
  const isNamed = id !== undefined || email !== undefined || (type === 'userGroup' && name !== undefined);
  return isNamed ? { type, id, email, name } : undefined;
}
