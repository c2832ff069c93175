// The people of the organization.

import { type Answer, Rejection } from './pipeline.ts';
import { type Call, type Operation, pageInfo, readChoice, readQuery } from './requests.ts';
import { deriveUuid, type Member, type Store } from './store.ts';

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

/** The operations about people: those who have an account, and those who receive deliveries without one. */
export const peopleOperations: readonly Operation[] = [
  { method: 'GET', path: '/scim/v2/Users', hasBody: false, answer: listUsers },
  { method: 'GET', path: '/v1/users/email-only', hasBody: false, answer: listEmailOnlyUsers },
];
