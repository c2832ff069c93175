// Reads a page of people as SCIM (RFC 7644) lists them. An entry without an id or a userName is left out: it is nobody
// whom a declaration could name.

import type { RemoteUser } from '../../model/service/remote.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Reading } from './read-created.ts';
import { flagIn, notAnObject, optional, textIn } from './read-fields.ts';

export interface UserPage {
  readonly users: readonly RemoteUser[];
  /** How many there are on all pages. */
  readonly total: number;
}

export function readUserPage(answer: Json | undefined): Reading<UserPage> {
  if (!isJsonObject(answer)) return notAnObject;
  // RFC 7644 lets a service leave out the list where nobody was found.
  const { totalResults, Resources: resources = [] } = answer;
  if (typeof totalResults !== 'number' || !Array.isArray(resources)) return { problem: 'It is not a list of SCIM.' };
  return { value: { users: resources.flatMap((entry: Json) => userIn(entry) ?? []), total: totalResults } };
}

function userIn(entry: Json): RemoteUser | undefined {
  if (!isJsonObject(entry)) return undefined;
  const [id, email] = [textIn(entry, 'id'), textIn(entry, 'userName')];
  if (id === undefined || email === undefined) return undefined;
  const active = flagIn(entry, 'active') ?? true;
  const groups = groupsIn(entry['groups']);
  return { id, email, ...optional('name', textIn(entry, 'displayName')), active, ...optional('groups', groups) };
}

function groupsIn(groups: Json | undefined): RemoteUser['groups'] {
  if (!Array.isArray(groups)) return undefined;
  return groups.map((group: Json) =>
    isJsonObject(group)
      ? { ...optional('id', textIn(group, 'value')), ...optional('name', textIn(group, 'display')) }
      : {},
  );
}
