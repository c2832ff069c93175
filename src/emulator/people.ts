// The people of the organization: members, user groups, their lists in SCIM, and whose a token is.

import { type Answer, Rejection } from './answers.ts';
import { aNumberUpTo, aString, aText, type Check, oneOf, readQuery } from './checks.ts';
import { type Operation, type OperationInput, pageInfo, sameId } from './requests.ts';
import { deriveUuid, type EmulatorData, type Member, type Store, type UserGroup } from './store.ts';

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

export const peopleOperations: readonly Operation[] = [
  { method: 'GET', path: '/scim/v2/Users', answer: listUsers },
  { method: 'GET', path: '/scim/v2/Groups', answer: listGroups },
  { method: 'GET', path: '/v1/users/email-only', answer: listEmailOnlyUsers },
];

const maxResources = 100;
const anInteger = aText((text) => !/^-?\d{1,9}$/.test(text) && 'Expected integer');
const parameters = { filter: aString, startIndex: anInteger, count: anInteger };
const ofList = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

interface ScimList<T> {
  readonly found: readonly T[];
  /** The attribute that a filter may name, and what it is of a resource. */
  readonly attribute: string;
  readonly valueOf: (each: T) => string;
  readonly toResource: (each: T, query: Readonly<Record<string, string>>) => object;
  /** Parameters of this list alone. */
  readonly more?: Readonly<Record<string, Check<string>>>;
}

export function answerScimList<T>({ caller, query }: OperationInput, list: ScimList<T>): Answer {
  if (caller.kind !== 'organization') throw new Rejection(403, 'SCIM needs an organization API key');
  const given = readQuery(query, { ...list.more, ...parameters });
  const { filter, startIndex = 1, count = maxResources } = given;
  const wanted = filter === undefined ? undefined : readFilter(filter, list.attribute);
  const found = list.found.filter((each) => wanted === undefined || list.valueOf(each).toLowerCase() === wanted);
  // A first place below 1 counts as 1, and a negative count as 0.
  const first = Math.max(1, Number(startIndex));
  const most = Math.min(maxResources, Math.max(0, Number(count)));
  const page = found.slice(first - 1, first - 1 + most);
  return {
    status: 200,
    body: {
      schemas: [ofList],
      totalResults: found.length,
      startIndex: first,
      itemsPerPage: page.length,
      Resources: page.map((each) => list.toResource(each, given as Readonly<Record<string, string>>)),
    },
  };
}

/** Only `ATTRIBUTE eq "…"`. The value in lower case: case does not matter. */
function readFilter(filter: string, attribute: string): string {
  const [, name = '', written] = /^\s*(\w+)\s+eq\s+(".*")\s*$/i.exec(filter) ?? [];
  const value = readText(written);
  if (name.toLowerCase() === attribute.toLowerCase() && value !== undefined) return value.toLowerCase();
  throw new Rejection(400, `filter: Only ${attribute} eq "value" is supported`);
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

export function findGroup(id: string, { userGroups = [] }: EmulatorData): UserGroup | undefined {
  return userGroups.find((known) => sameId(known.id, id));
}

/** Those who are in a group and have an active account. */
export function membersOf({ memberIds }: UserGroup, { members }: EmulatorData): Member[] {
  return members.filter(({ id, active }) => memberIds.includes(id) && active !== false);
}

const ofGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/**
 * GET /scim/v2/Groups: the user groups. The id is a short one, which no operation on schedules takes, and nothing here
 * shows the UUID that they take.
 */
function listGroups(call: OperationInput): Answer {
  const { data } = call.store;
  return answerScimList(call, {
    found: data.userGroups ?? [],
    attribute: 'displayName',
    valueOf: ({ name }) => name,
    more: { excludedAttributes: oneOf('members') },
    toResource: (group, { excludedAttributes }) => ({
      schemas: [ofGroup],
      id: shortId(group),
      displayName: group.name,
      ...(excludedAttributes === undefined && { members: toMembers(group, data) }),
    }),
  });
}

function toMembers({ memberIds }: UserGroup, { members }: EmulatorData) {
  const found = members.filter(({ id }) => memberIds.includes(id));
  return found.map(({ id, name }) => ({ value: id, display: name }));
}

function shortId({ id }: UserGroup): string {
  const bytes = Buffer.from(deriveUuid('group', id).replaceAll('-', ''), 'hex');
  return bytes.toString('base64url').replace(/[-_]/g, '').slice(0, 8);
}

/** Each that the vendor names; a token has all of them unless the data of the organization says which. */
const permissions = [
  'DOWNLOAD_CONTENT_QUERY',
  'QUERY_FULL_MODEL',
  'QUERY_SQL',
  'QUERY_TOPICS',
  'RUN_CONTENT_QUERIES',
  'SAVE_SPREADSHEETS',
  'SCHEDULE',
  'UPDATE',
  'UPDATE_RESTRICTED',
  'UPLOAD_CSV',
  'USE_AI',
  'USE_IDE',
  'USE_WORKBOOKS',
  'VIEW_SQL',
];

/** GET /v1/whoami. */
export function whoami({ caller, query, store: { data } }: OperationInput): Answer {
  const { modelId } = readQuery(query, { modelId: aString });
  const asked = modelId?.split(',');
  const isOrganization = caller.kind === 'organization';
  const membershipId = caller.kind === 'personal' ? caller.memberId : (data.members[0]?.id ?? '');
  const role = {
    roleName: isOrganization ? 'Connection admin' : 'Querier',
    baseRole: isOrganization ? 'CONNECTION_ADMIN' : 'QUERIER',
    connectionId: data.organization.id,
    permissions: caller.permissions ?? permissions,
  };
  const models = data.models.filter(({ id }) => asked === undefined || asked.includes(id));
  return {
    status: 200,
    body: {
      keyScope: isOrganization ? 'organization' : 'user',
      orgRole: isOrganization ? 'ORG_ADMIN' : 'MEMBER',
      user: { id: membershipId, membershipId },
      rolesByModel: Object.fromEntries(models.map(({ id }) => [id, role])),
      rolesByModelTruncated: false,
    },
  };
}
