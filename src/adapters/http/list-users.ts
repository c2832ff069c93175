// Reads the people of the organization through SCIM (RFC 7644), page by page. A page says where it begins and how many
// there are in all; each id counts once.

import type { RemoteUser } from '../../model/service/remote.ts';
import { readUserPage, type UserPage } from '../answers/read-users.ts';
import type { Call } from './http-call.ts';
import { listUsers as operation } from './operations.ts';
import { toBare } from './wire.ts';

const pageSize = 100;

/** Far beyond any organization: a service that never ends its list must not keep us. */
const mostPages = 1000;

export async function listUsers(
  { email }: { readonly email?: string },
  getPage: (call: Omit<Call<UserPage>, 'options'>) => Promise<UserPage>,
): Promise<readonly RemoteUser[]> {
  const filter = email === undefined ? {} : { filter: `userName eq ${JSON.stringify(email)}` };
  const found = new Map<string, RemoteUser>();
  let [first, pages] = [1, 0];
  for (;;) {
    const page = { ...filter, startIndex: String(first), count: String(pageSize) };
    const { users, total } = await getPage({ operation, request: toBare(operation.path, page), read: readUserPage });
    for (const user of users) found.set(user.id, user);
    first += users.length;
    pages += 1;
    if (users.length === 0 || first > total || pages === mostPages) return [...found.values()];
  }
}
