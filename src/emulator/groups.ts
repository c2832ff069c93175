// User groups: who is in one, and their list in SCIM.

import type { Answer } from './answers.ts';
import { oneOf } from './checks.ts';
import { type OperationInput, sameId } from './requests.ts';
import { answerScimList } from './scim.ts';
import { deriveUuid, type EmulatorData, type Member, type UserGroup } from './store.ts';

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
export function listGroups(call: OperationInput): Answer {
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
