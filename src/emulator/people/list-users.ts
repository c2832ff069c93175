// GET /scim/v2/Users: the members of the organization as SCIM (RFC 7644) shows them, page by page. The id is the
// membership id, and the userName is the e-mail address.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { readQuery } from '../pipeline/read-query.ts';
import type { Member } from '../store/store.ts';

const mostOnPage = 100;
const ofList = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ofUser = 'urn:ietf:params:scim:schemas:core:2.0:User';

export function listUsers({ caller, query, store }: Call): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'SCIM needs an organization API key');
  const { filter, startIndex, count } = readQuery(query, ['filter', 'startIndex', 'count']);
  const isWanted = filter === undefined ? () => true : readFilter(filter);
  const found = store.data.members.filter(isWanted);
  // A first place below 1 counts as 1, and a negative count as 0.
  const first = Math.max(1, readInteger('startIndex', startIndex, 1));
  const most = Math.min(mostOnPage, Math.max(0, readInteger('count', count, mostOnPage)));
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
