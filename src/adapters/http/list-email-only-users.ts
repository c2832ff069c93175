// Reads the addresses of those who have no account, page by page: the service gives at most twenty a page.

import type { EmailOnlyPage } from '../answers/read-users.ts';
import { makeListEnd } from './list-end.ts';

const pageSize = '20';

/** `getPage` is given the parameters of a page. Each address once. */
export async function listEmailOnlyUsers(
  only: { readonly email?: string },
  getPage: (parameters: Readonly<Record<string, string>>) => Promise<EmailOnlyPage>,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const checkEnd = makeListEnd('e-mail-only users');
  let cursor: string | undefined;
  do {
    const { emails, next, total } = await getPage({ ...only, pageSize, ...(cursor === undefined ? {} : { cursor }) });
    for (const email of emails) found.add(email);
    cursor = next !== undefined && !seen.has(next) ? next : undefined;
    checkEnd({ found: emails.length, next: cursor, total });
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return [...found];
}
