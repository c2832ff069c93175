// Who is meant by the owners that are declared or recorded. An address can be asked for alone; a membership id is
// looked for among all people of the organization, a hundred a request. Assumed of the vendor's documents, which disagree:
// the membership id is the `id` that /scim/v2/Users shows.

import type { RemoteUser } from '../../model/service/remote.ts';
import { statusOf } from '../../model/service/service-error.ts';
import type { Api, CallOptions } from '../../ports/api.ts';

export type People = Pick<Api, 'listUsers'>;

export function isAddress(owner: string): boolean {
  return owner.includes('@');
}

export function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Finds them by address or membership id; of several, the first whose account is active. */
export function membersAmong(users: readonly RemoteUser[]): (owner: string) => RemoteUser | undefined {
  const byName = new Map<string, RemoteUser>();
  for (const user of users) {
    for (const name of [user.id.toLowerCase(), user.email.toLowerCase()]) {
      const known = byName.get(name);
      if (known === undefined || (user.active && !known.active)) byName.set(name, user);
    }
  }
  return (owner) => byName.get(owner.toLowerCase());
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

/** A token that may not ask for people says nothing about the schedules. */
export function isRefusal(error: unknown): boolean {
  return [401, 403, 404, 405].includes(statusOf(error) ?? 0);
}
