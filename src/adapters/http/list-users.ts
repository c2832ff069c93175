// Reads the people of the organization page by page: its members through SCIM (RFC 7644), where a page says where it
// begins and how many there are in all, and those who have no account, where a page names the next one.

import type { RemoteUser } from '../../model/service/remote.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type EmailOnlyPage, readEmailOnlyPage, readUserPage, type UserPage } from '../answers/read-users.ts';
import type { Call } from './http-call.ts';
import { makeListEnd } from './list-end.ts';
import * as operations from './operations.ts';
import { toBare } from './wire.ts';

const pageSize = 100;
/** The service gives no more. */
const emailOnlyPageSize = '20';

/** Far beyond any organization: a service that never ends its list must not keep us. */
const mostPages = 1000;

/** Each id counts once. */
export async function listUsers(
  { email }: { readonly email?: string },
  getPage: (call: Omit<Call<UserPage>, 'options'>) => Promise<UserPage>,
): Promise<readonly RemoteUser[]> {
  const operation = operations.listUsers;
  const filter = email === undefined ? undefined : `userName eq ${JSON.stringify(email)}`;
  const found = new Map<string, RemoteUser>();
  let [first, pages] = [1, 0];
  for (;;) {
    const page = { filter, startIndex: String(first), count: String(pageSize) };
    const request = toBare(operation.path, page);
    const { users, entries, total } = await getPage({ operation, request, read: readUserPage });
    const isRepeated = users.length > 0 && users.every(({ id }) => found.has(id));
    for (const user of users) found.set(user.id, user);
    first += entries;
    pages += 1;
    if (entries === 0 || first > total) return [...found.values()];
    if (!isRepeated && pages < mostPages) continue;
    // Whoever has one address is known by now; of a list that has no end, nobody knows who is missing.
    if (email !== undefined) return [...found.values()];
    throw new Failure('api-unreachable', `The list of members has no end: there is another page after ${pages}.`, {
      hint: 'Try again. If it stays so, report it to the support of Omni.',
    });
  }
}

/** Each address counts once. */
export async function listEmailOnlyUsers(
  only: { readonly email?: string },
  getPage: (call: Omit<Call<EmailOnlyPage>, 'options'>) => Promise<EmailOnlyPage>,
): Promise<readonly string[]> {
  const operation = operations.listEmailOnlyUsers;
  const found = new Set<string>();
  const seen = new Set<string>();
  const checkEnd = makeListEnd('e-mail-only users');
  let cursor: string | undefined;
  do {
    const request = toBare(operation.path, { ...only, pageSize: emailOnlyPageSize, cursor });
    const { emails, next, total } = await getPage({ operation, request, read: readEmailOnlyPage });
    for (const email of emails) found.add(email);
    cursor = next !== undefined && !seen.has(next) ? next : undefined;
    checkEnd({ found: emails.length, next: cursor, total });
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return [...found];
}
