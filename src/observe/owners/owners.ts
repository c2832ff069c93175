// Finds the people whom declared or recorded owners mean. An address can be asked for alone, through SCIM, which
// answers an organization key only; a membership id is looked for among all people of the organization, a hundred a
// request. Assumed of the vendor's documents, which disagree: the membership id is the `id` that /scim/v2/Users shows.

import { idKey } from '../../model/fields/ids.ts';
import type { RemoteUser } from '../../model/service/remote.ts';
import type { Address } from '../../model/values/address.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { leavesOpen, refusesOne } from '../sending.ts';

export type People = Pick<Api, 'listUsers'>;

export function isAddress(owner: string): boolean {
  return owner.includes('@');
}

export function isSameId(a: string, b: string): boolean {
  return idKey(a) === idKey(b);
}

/** Finds them by address or membership id; of several, the first whose account is active. */
export function membersAmong(users: readonly RemoteUser[]): (owner: string) => RemoteUser | undefined {
  const byName = new Map<string, RemoteUser>();
  for (const user of users) {
    for (const name of [user.id, idKey(user.email)]) {
      const known = byName.get(name);
      if (known === undefined || (user.active && !known.active)) byName.set(name, user);
    }
  }
  return (owner) => byName.get(idKey(owner));
}

/** Enough of the people to find each of the owners among, with as few requests as possible. */
export async function peopleAmong(
  owners: readonly string[],
  api: People,
  call: CallOptions,
): Promise<readonly RemoteUser[]> {
  if (!owners.every(isAddress)) return api.listUsers({}, call);
  const addresses = [...new Set(owners.map((owner) => owner.toLowerCase()))];
  return (await Promise.all(addresses.map((email) => api.listUsers({ email }, call)))).flat();
}

/** True if the token may not ask for people, or nobody can read the answer; Omni may refuse it with 401. Asked later, it would be the same. */
export function mayNotAskForPeople(error: unknown): error is Failure {
  return statusOf(error) === 401 || refusesOne(error);
}

/** True if Omni does not tell the people, which says nothing about the schedules: a look goes on. */
export function isPeopleRefusal(error: unknown): error is Failure {
  return mayNotAskForPeople(error) || leavesOpen(error);
}

/** Returns undefined if Omni does not tell the people. */
export async function unlessPeopleRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!isPeopleRefusal(error)) throw error;
    return undefined;
  }
}

/** Returns undefined if nobody has the address. */
export async function memberAt(email: string, api: People, call: CallOptions): Promise<RemoteUser | undefined> {
  return membersAmong(await api.listUsers({ email }, call))(email);
}

/** True for the membership id of an active member; undefined if the token may not ask for people. */
export async function isActiveMember(id: string, api: People, call: CallOptions): Promise<boolean | undefined> {
  const users = await unlessPeopleRefused(api.listUsers({}, call));
  return users?.some((user) => user.active && isSameId(user.id, id));
}

export function ownerGoneWords(owner: string): string {
  return `Its owner (${owner}) is no longer a member; the routine may be gone with the account.`;
}

/** Proves that a member exists, so what is missing of theirs is gone. Throws Failure api-rejected if it cannot. */
export async function requireOwner(id: string, api: People, call: CallOptions): Promise<void> {
  const isActive = await isActiveMember(id, api, call);
  if (isActive) return;
  const why =
    isActive === false ? ownerGoneWords(id) : `The token may not ask whether its owner (${id}) is still a member.`;
  throw new Failure('api-rejected', why, { cause: { status: 403 } });
}

/** Like ownerIdOf, for a look: if nobody has the address, that is an answer of the service about one member. */
export async function memberIdOf(owner: string, api: People, call: CallOptions): Promise<string> {
  const id = isAddress(owner) ? (await memberAt(owner, api, call))?.id : owner;
  if (id !== undefined) return id;
  throw new Failure('api-rejected', `Nobody in the organization has the address ${owner}.`, { cause: { status: 404 } });
}

/** Throws Failure api-rejected where nobody has the address, and what the service throws. */
export async function ownerIdOf(owner: string, api: People, call: CallOptions): Promise<string> {
  if (!isAddress(owner)) return owner;
  const member = await memberAt(owner, api, call);
  if (member !== undefined) return member.id;
  throw new Failure('api-rejected', `Nobody in the organization has the address ${owner}.`, {
    hint: 'Check `owner`: it is the address with which the person signs in to Omni.',
  });
}

export interface NamedOwner {
  readonly owner: string;
  /** The account is inactive; told only if it had to be read. */
  readonly isInactive?: boolean;
}

/**
 * The owner in the words of the first of `known` that names the same member; otherwise the address of the member as far
 * as the service says it, and the id where it does not. Undefined if an address cannot be looked up.
 */
export async function ownerInWordsOf(
  known: readonly string[],
  id: string,
  api: People,
  call: CallOptions,
): Promise<NamedOwner | undefined> {
  const same = known.find((owner) => isSameId(owner, id));
  if (same !== undefined) return { owner: same };
  try {
    for (const owner of known.filter(isAddress)) {
      const member = await memberAt(owner, api, call);
      if (member !== undefined && isSameId(member.id, id)) return { owner, isInactive: !member.active };
    }
    const users = await api.listUsers({}, call);
    const member = users.find((user) => isSameId(user.id, id));
    return { owner: member?.email ?? id, isInactive: member?.active === false };
  } catch (error) {
    if (!isPeopleRefusal(error)) throw error;
    return known.some(isAddress) ? undefined : { owner: id };
  }
}

export interface GoneSchedule {
  readonly address: Address;
  /** An address or a membership id. */
  readonly owner: string;
}

/**
 * Explains why tracked schedules are gone: Omni deletes those of a person whose membership is revoked. Only those who
 * were declared when they were applied are known, so a schedule without a declared owner or userId is just gone. Sends
 * nothing if nothing is gone; no findings if the token may not ask for people, or nobody answers.
 */
export async function deletedWithOwner(
  gone: readonly GoneSchedule[],
  api: People,
  call: CallOptions,
): Promise<readonly Finding[]> {
  if (gone.length === 0) return [];
  const users = await usersFor(gone, api, call);
  if (users === undefined) return [];
  const memberOf = membersAmong(users);
  return gone.flatMap(({ address, owner }) => {
    const member = memberOf(owner);
    return member?.active ? [] : [deleted(address, owner, member)];
  });
}

async function usersFor(gone: readonly GoneSchedule[], api: People, call: CallOptions) {
  try {
    const owners = gone.map(({ owner }) => owner);
    return await unlessPeopleRefused(peopleAmong(owners, api, call));
  } catch (error) {
    // The plan does not depend on why something is gone.
    if (error instanceof Failure && error.code === 'api-unreachable') return undefined;
    throw error;
  }
}

function deleted(address: Address, owner: string, member: RemoteUser | undefined): Finding {
  const why = member === undefined ? `${owner} is no longer a member` : `the account of ${owner} is deactivated`;
  return {
    code: 'deleted-with-owner',
    message: `\`${address}\` was deleted with its owner’s account: ${why}.`,
    hint: 'To create it again, declare another owner. To give it up, remove the declaration.',
    address,
  };
}
