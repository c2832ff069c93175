// From an owner as it is declared, an e-mail address or a membership id, to the membership id that the service takes,
// and back. Addresses are looked up through SCIM, which answers an organization key only; a run asks once for each.

import type { RemoteUser } from '../../model/service/remote.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { CallOptions } from '../../ports/api.ts';
import { isAddress, isRefusal, isSameId, membersAmong, type People } from './owner-members.ts';

/** Undefined where nobody has the address. */
export async function memberAt(email: string, api: People, call: CallOptions): Promise<RemoteUser | undefined> {
  return membersAmong(await api.listUsers({ email }, call))(email);
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

/**
 * The owner in the words of the first of `known` that names the same member; otherwise the address of the member as far
 * as the service says it, and the id where it does not. Undefined if an address cannot be looked up.
 */
export async function ownerInWordsOf(
  known: readonly string[],
  id: string,
  api: People,
  call: CallOptions,
): Promise<string | undefined> {
  const same = known.find((owner) => isSameId(owner, id));
  if (same !== undefined) return same;
  try {
    for (const owner of known.filter(isAddress)) {
      const member = await memberAt(owner, api, call);
      if (member !== undefined && isSameId(member.id, id)) return owner;
    }
    const users = await api.listUsers({}, call);
    return users.find((user) => isSameId(user.id, id))?.email ?? id;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return known.some(isAddress) ? undefined : id;
  }
}
