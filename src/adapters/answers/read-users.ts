// Reads a page of people as SCIM (RFC 7644) lists them, and a page of those who have no account. An entry without an id or
// an address is left out: it is nobody whom a declaration could name.

import type { RemoteUser } from '../../model/service/remote.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Reading } from './read-created.ts';
import { flagIn, notAnObject, textIn } from './read-fields.ts';
import { type Page, readPage } from './read-page.ts';

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

export interface EmailOnlyPage extends Pick<Page, 'next' | 'total'> {
  readonly emails: readonly string[];
}

export function readEmailOnlyPage(answer: Json | undefined): Reading<EmailOnlyPage> {
  const page = readPage(answer);
  if ('problem' in page) return page;
  const { records, next, total } = page.value;
  const emails = records.flatMap((record) => (isJsonObject(record) ? (textIn(record, 'email') ?? []) : []));
  return { value: { emails, next, total } };
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
