// For which member a request acts that makes or adopts something that only its owner sees. It is known before anything is
// sent, because the journal keeps it. Later requests take it from the state, and never from the declaration.

import { identities, ownerOf } from '../model/fields/identity.ts';
import type { Address } from '../model/values/address.ts';
import { ownerIdOf } from '../observe/owners/owners.ts';
import type { Service } from '../observe/service.ts';
import type { Step } from '../plan/plan.ts';

/** Membership ids, by the address of what is made or adopted. One that is missing is not known: the token has its own member. */
export type Makers = ReadonlyMap<Address, string>;

/** Sends one request for each address of a person. Throws what the service throws, and Failure api-rejected for nobody's address. */
export async function makersOf(
  steps: readonly Step[],
  { api: connect, call }: Pick<Service, 'api' | 'call'>,
): Promise<Makers> {
  const owned = steps.flatMap(({ change: { address, kind }, calls, adopts, after = {} }) => {
    const isNew = adopts !== undefined || calls.some(({ send }) => send === 'post');
    const owner = ownerOf(after);
    return identities[kind].isOwners && isNew && owner !== undefined ? [{ address, owner }] : [];
  });
  const ids = new Map<string, string>();
  // Omni takes an id in capitals for the same one, and lists it in small letters.
  for (const owner of new Set(owned.map((each) => each.owner)))
    ids.set(owner, (await ownerIdOf(owner, await connect(), call)).toLowerCase());
  return new Map(owned.flatMap(({ address, owner }) => [[address, ids.get(owner) ?? owner]]));
}
