// The people of the organization.

import { type Answer, Rejection } from './answers.ts';
import { aNumberUpTo, aString, aText, oneOf, readQuery } from './checks.ts';
import { type Call, type Operation, pageInfo } from './requests.ts';
import { deriveUuid, type Member, type Store } from './store.ts';

const mostUsers = 100;
const anInteger = aText((text) => !/^-?\d{1,9}$/.test(text) && 'Expected integer');
const userParameters = { filter: aString, startIndex: anInteger, count: anInteger };
const ofList = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ofUser = 'urn:ietf:params:scim:schemas:core:2.0:User';

/**
 * GET /scim/v2/Users: the members of the organization as SCIM (RFC 7644) shows them, page by page. The id is the
 * membership id, and the userName is the e-mail address.
 */
function listUsers({ caller, query, store }: Call): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'SCIM needs an organization API key');
  const { filter, startIndex = 1, count = mostUsers } = readQuery(query, userParameters);
  const isWanted = filter === undefined ? () => true : readFilter(filter);
  const found = store.data.members.filter(isWanted);
  // A first place below 1 counts as 1, and a negative count as 0.
  const first = Math.max(1, Number(startIndex));
  const most = Math.min(mostUsers, Math.max(0, Number(count)));
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

const mostEmailOnly = 20;
const emailOnlyParameters = {
  email: aString,
  pageSize: aNumberUpTo(mostEmailOnly),
  cursor: aNumberUpTo(Number.MAX_SAFE_INTEGER),
  sortDirection: oneOf('asc', 'desc'),
};

/**
 * GET /v1/users/email-only: those who receive deliveries without an account, at most twenty a page. The service makes such
 * a user of every address that a schedule names and that no member has.
 */
function listEmailOnlyUsers({ caller, query, store }: Call): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'Permission denied - admin role required');
  const { email, pageSize = mostEmailOnly, cursor = 1, sortDirection } = readQuery(query, emailOnlyParameters);
  const size = Number(pageSize);
  const first = Number(cursor) - 1;
  const sign = sortDirection === 'asc' ? 1 : -1;
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

/** The operations about people: those who have an account, and those who receive deliveries without one. */
export const peopleOperations: readonly Operation[] = [
  { method: 'GET', path: '/scim/v2/Users', answer: listUsers },
  { method: 'GET', path: '/v1/users/email-only', answer: listEmailOnlyUsers },
];
