// What the states still have of somebody: whatever the files say, they receive and own it until an apply changes that.

import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Applied, AppliedResource } from '../../plan/applied.ts';
import type { AppliedTo } from './offboard-document.ts';
import { isThem, type Leaving } from './person-texts.ts';

type Person = Pick<Leaving, 'email' | 'memberId'>;

/** Each once, as the state lists them. */
export function recordedFor(
  { running }: Applied,
  environment: string | undefined,
  person: Person,
): readonly AppliedTo[] {
  const found = running.flatMap((of) => [
    ...(receives(of, person) ? [{ address: of.address, environment, as: 'receiver' as const }] : []),
    ...(owns(of, person) ? [{ address: of.address, environment, as: 'owner' as const }] : []),
  ]);
  return [...new Map(found.map((each) => [`${each.as} ${each.address}`, each])).values()];
}

function receives({ kind, attributes }: AppliedResource, { email }: Person): boolean {
  return deliveryOf(kind, attributes).to.some((receiver) => receiver.kind === 'email' && receiver.compared === email);
}

/** A routine runs with the rights of whom it was made for. */
function owns({ kind, attributes, madeBy }: AppliedResource, person: Person): boolean {
  const { asWhom } = deliveryOf(kind, attributes);
  return isThem(madeBy, person) || (asWhom?.isOwner === true && isThem(asWhom.name, person));
}
