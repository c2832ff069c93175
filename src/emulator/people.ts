// The people of the organization.

import { type Answer, Rejection } from './answers.ts';
import { aNumberUpTo, aString, oneOf, readQuery } from './checks.ts';
import { listGroups } from './groups.ts';
import { type Operation, type OperationInput, pageInfo } from './requests.ts';
import { answerScimList } from './scim.ts';
import { deriveUuid, type Member, type Store } from './store.ts';

const ofUser = 'urn:ietf:params:scim:schemas:core:2.0:User';

/**
 * GET /scim/v2/Users: the members of the organization. The id is the membership id, and the userName is the e-mail
 * address.
 */
function listUsers(call: OperationInput): Answer {
  const found = call.store.data.members;
  return answerScimList(call, { found, attribute: 'userName', valueOf: ({ email }) => email, toResource: toUser });
}

function toUser({ id, name, email, active = true }: Member) {
  return { schemas: [ofUser], id, userName: email, displayName: name, active };
}

const maxEmailOnly = 20;
const emailOnlyParameters = {
  email: aString,
  pageSize: aNumberUpTo(maxEmailOnly),
  cursor: aNumberUpTo(Number.MAX_SAFE_INTEGER),
  sortDirection: oneOf('asc', 'desc'),
};

/**
 * GET /v1/users/email-only: those who receive deliveries without an account, at most twenty a page. The service makes such
 * a user of every address that a schedule names and that no member has.
 */
function listEmailOnlyUsers({ caller, query, store }: OperationInput): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'Permission denied - admin role required');
  const { email, pageSize = maxEmailOnly, cursor = 1, sortDirection } = readQuery(query, emailOnlyParameters);
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

/** The operations about people: groups of them, those who have an account, and those who receive deliveries without one. */
export const peopleOperations: readonly Operation[] = [
  { method: 'GET', path: '/scim/v2/Users', answer: listUsers },
  { method: 'GET', path: '/scim/v2/Groups', answer: listGroups },
  { method: 'GET', path: '/v1/users/email-only', answer: listEmailOnlyUsers },
];
