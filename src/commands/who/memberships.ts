// The memberships of e-mail addresses in the organization. Only an organization key may ask, and it is asked for as
// little as possible.

import { isOrganizationKey } from '../../model/service/token-kinds.ts';
import { mayNotAskForPeople } from '../../observe/owners/owners.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import type { Membership } from './who-document.ts';

interface PeoplePorts {
  token(): string;
  api(): Promise<Pick<Api, 'listUsers' | 'listEmailOnlyUsers'>>;
  readonly call: CallOptions;
}

/** Keyed by address in lower case. */
type Memberships = ReadonlyMap<string, Membership>;

/**
 * The membership of each address: a member, who may be deactivated, somebody of whom the organization knows nothing but
 * the address, or none of these. All addresses are in lower case. `emailOnly` are those of whom the service has said
 * already that it knows only the address. Undefined if the token may not ask: only an organization key may. It is
 * assumed that SCIM lists nobody without an account: the vendor's pages do not say so.
 */
export async function membershipsOf(
  emails: readonly string[],
  emailOnly: ReadonlySet<string>,
  service: PeoplePorts,
): Promise<Memberships | undefined> {
  if (!isOrganizationKey(service.token())) return undefined;
  const found = new Map<string, Membership>();
  const api = await service.api();
  try {
    const toLookUp = emails.filter((email) => !emailOnly.has(email));
    for (const { email, active } of await listed(toLookUp, (only) => api.listUsers(only, service.call))) {
      const address = email.toLowerCase();
      // Somebody who came back may have an active account beside one that is not.
      if (active || !found.has(address)) found.set(address, active ? 'member' : 'deactivated');
    }
    const strangers = toLookUp.filter((email) => !found.has(email));
    const known = await listed(strangers, (only) => api.listEmailOnlyUsers(only, service.call));
    for (const email of [...known.map((each) => each.toLowerCase()), ...emailOnly]) found.set(email, 'email-only');
  } catch (error) {
    if (!mayNotAskForPeople(error)) throw error;
    return undefined;
  }
  return new Map(emails.map((email) => [email, found.get(email) ?? 'unknown']));
}

/** Up to this many are asked for one by one, because a list may have many pages, which are not counted before. */
const fewAddresses = 5;

async function listed<T>(
  emails: readonly string[],
  ask: (only: { readonly email?: string }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (emails.length > fewAddresses) return ask({});
  return (await Promise.all(emails.map((email) => ask({ email })))).flat();
}
