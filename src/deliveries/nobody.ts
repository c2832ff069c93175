// People unknown to files, state and organization, and who was probably meant.

import { didYouMean } from '../declare/findings/suggest.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import type { RemoteUser } from '../model/service/remote.ts';
import type { Refusal } from '../model/values/refusal.ts';
import { declaredAttributes } from '../model/workspace/resource.ts';
import { isAddress } from '../observe/owners/owners.ts';
import type { AppliedState } from '../plan/applied.ts';

/** Everybody whom declarations and a state name by address, as a receiver or an owner. */
export function peopleNamed({ resources, running }: AppliedState): readonly string[] {
  const declared = resources.map((each) => deliveryOf(each.kind, declaredAttributes(each)));
  const applied = running.map(({ kind, attributes }) => deliveryOf(kind, attributes));
  return [...declared, ...applied].flatMap(({ to, asWhom }) => [
    ...to.flatMap((each) => (each.kind === 'email' ? each.shown : [])),
    ...(asWhom !== undefined && isAddress(asWhom.name) ? [asWhom.name] : []),
  ]);
}

/**
 * Refuses an address that Omni was asked for and no member has. `known`: what was probably meant, of the names that are
 * known. `members` lists all of them on many pages, so it is called only where none of these names is near.
 */
export async function nobodyOnline(
  email: string,
  known: string | undefined,
  members: () => Promise<readonly RemoteUser[]>,
): Promise<Refusal<string>> {
  const near =
    known ??
    didYouMean(
      email,
      (await members()).map((each) => each.email),
    );
  return unknownAddress(
    email,
    'no file and no state names the address, and no member of the organization has it',
    near,
  );
}

export function nobodyOffline(email: string, known: string | undefined): Refusal<string> {
  return unknownAddress(email, 'no file and no state names the address, and Omni was not asked', known);
}

function unknownAddress(email: string, why: string, near: string | undefined): Refusal<string> {
  return {
    about: [email],
    message: `${email} is not known: ${why}.`,
    hint:
      near ??
      'Check the spelling of the address. An address that was removed before, and that no member has, is not known either.',
  };
}
