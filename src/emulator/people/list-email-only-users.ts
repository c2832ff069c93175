// GET /v1/users/email-only: those who receive deliveries without an account, at most twenty a page. The service makes such
// a user of every address that a schedule names and that no member has.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { readChoice } from '../pipeline/query-values.ts';
import { readQuery } from '../pipeline/read-query.ts';
import { deriveUuid } from '../store/derive-uuid.ts';
import type { Store } from '../store/store.ts';

const mostOnPage = 20;

export function listEmailOnlyUsers({ caller, query, store }: Call): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'Permission denied - admin role required');
  const { email, pageSize, cursor, sortDirection } = readQuery(query, ['email', 'pageSize', 'cursor', 'sortDirection']);
  const size = readNumber('pageSize', pageSize ?? String(mostOnPage), mostOnPage);
  const first = readNumber('cursor', cursor ?? '1', Number.MAX_SAFE_INTEGER) - 1;
  const sign = readChoice('sortDirection', sortDirection ?? 'desc', ['asc', 'desc']) === 'asc' ? 1 : -1;
  const found = addressesWithoutMember(store)
    .filter((known) => email === undefined || known === email.toLowerCase())
    .sort((a, b) => (a < b ? -sign : sign));
  const page = found.slice(first, first + size);
  const hasNextPage = first + size < found.length;
  return {
    status: 200,
    body: {
      pageInfo: {
        hasNextPage,
        nextCursor: hasNextPage ? String(first + size + 1) : null,
        pageSize: size,
        totalRecords: found.length,
      },
      records: page.map((known) => ({ user_id: deriveUuid('email-only', known), email: known, user_attributes: {} })),
    },
  };
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
