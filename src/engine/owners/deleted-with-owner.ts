// Why tracked schedules are gone: Omni deletes those of a person whose membership is revoked. Known is only who was
// declared when they were applied, so a schedule without a declared owner or userId is just gone.

import type { RemoteUser } from '../../model/service/remote.ts';
import type { Address } from '../../model/values/address.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { CallOptions } from '../../ports/api.ts';
import { isRefusal, membersAmong, type People, peopleAmong } from './owner-members.ts';

export interface GoneSchedule {
  readonly address: Address;
  /** An address or a membership id. */
  readonly owner: string;
}

/** Sends nothing where nothing is gone; no findings where the token may not ask for people, or nobody answers. */
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
    return await peopleAmong(owners, api, call);
  } catch (error) {
    // The plan does not depend on why something is gone.
    const isUnknown = error instanceof Failure && error.code === 'api-unreachable';
    if (!isUnknown && !isRefusal(error)) throw error;
    return undefined;
  }
}

function deleted(address: Address, owner: string, member: RemoteUser | undefined): Finding {
  const why = member === undefined ? `${owner} is no longer a member` : `the account of ${owner} is deactivated`;
  return {
    code: 'deleted-with-owner',
    message: `\`${address}\` was deleted with its owner’s account: ${why}.`,
    hint: 'To have it again, declare another owner. To be rid of it, remove the declaration.',
    address,
  };
}
