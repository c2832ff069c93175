// Who is known to neither files, nor a state, nor the organization, and who was probably meant.

import { didYouMean } from '../declare/findings/suggest.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import type { RemoteUser } from '../model/service/remote.ts';
import type { Refusal } from '../model/values/refusal.ts';
import { declaredAttributes } from '../model/workspace/resource.ts';
import { isAddress, membersAmong } from '../observe/owners/owners.ts';
import type { Api, CallOptions } from '../omni/api.ts';
import type { Applied } from '../plan/applied.ts';

/** Everybody whom declarations and a state name by address, as a receiver or an owner. */
export function peopleNamed({ resources, running }: Applied): readonly string[] {
  const declared = resources.map((each) => deliveryOf(each.kind, declaredAttributes(each)));
  const applied = running.map(({ kind, attributes }) => deliveryOf(kind, attributes));
  return [...declared, ...applied].flatMap(({ to, asWhom }) => [
    ...to.flatMap((each) => (each.kind === 'email' ? each.shown : [])),
    ...(asWhom !== undefined && isAddress(asWhom.name) ? [asWhom.name] : []),
  ]);
}

/**
 * Undefined for a member. `known`: what was probably meant, of the names that are known; all members are listed only where none
 * of these is near, because their list has many pages.
 */
export async function nobodyAmongMembers(
  email: string,
  known: string | undefined,
  api: Pick<Api, 'listUsers'>,
  call: CallOptions,
): Promise<Refusal<string> | undefined> {
  const found: readonly RemoteUser[] = await api.listUsers({ email }, call);
  if (membersAmong(found)(email) !== undefined) return undefined;
  const near =
    known ??
    didYouMean(
      email,
      (await api.listUsers({}, call)).map((each) => each.email),
    );
  return nobodyIs(email, 'no file and no state names the address, and no member of the organization has it', near);
}

export function nobodyOffline(email: string, known: string | undefined): Refusal<string> {
  return nobodyIs(email, 'no file and no state names the address, and Omni was not asked', known);
}

function nobodyIs(email: string, why: string, near: string | undefined): Refusal<string> {
  return {
    about: [email],
    message: `Nobody is ${email}: ${why}.`,
    hint: near ?? 'Check how it is spelled. Whoever was removed before, and is not a member, is not known either.',
  };
}
