// Reads the people of the organization through SCIM (RFC 7644), page by page. A page says where it begins and how many
// there are in all; each id counts once.

import type { RemoteUser } from '../../model/service/remote.ts';
import type { UserPage } from './read-users.ts';
import { toBare, type WireRequest } from './wire.ts';

const pageSize = 100;

/** Far beyond any organization: a service that never ends its list must not keep us. */
const mostPages = 1000;

export async function listUsers(
  { email }: { readonly email?: string },
  getPage: (request: WireRequest) => Promise<UserPage>,
): Promise<readonly RemoteUser[]> {
  const filter = email === undefined ? {} : { filter: `userName eq ${JSON.stringify(email)}` };
  const found = new Map<string, RemoteUser>();
  let [first, pages] = [1, 0];
  for (;;) {
    const page = { ...filter, startIndex: String(first), count: String(pageSize) };
    const { users, total } = await getPage(toBare('/scim/v2/Users', page));
    for (const user of users) found.set(user.id, user);
    first += users.length;
    pages += 1;
    if (users.length === 0 || first > total || pages === mostPages) return [...found.values()];
  }
}
