// Who still receives something although no declaration says so, because the change is not applied.

import { deliveryOf } from '../model/fields/delivery.ts';
import { type Receiver, receiverKey } from '../model/fields/receiver.ts';
import { groupsIn } from '../model/plan/user-groups.ts';
import type { AppliedResource } from '../plan/applied.ts';

export interface StillReceiving {
  readonly of: AppliedResource;
  readonly receiver: Receiver;
}

/** Each once for a resource: what was applied comes before changes whose outcome is unknown. */
export function stillReceiving(running: readonly AppliedResource[]): readonly StillReceiving[] {
  const seen = new Set<string>();
  return running.flatMap((of) => {
    const { kind, attributes, declared, groups = [] } = of;
    const known = groupsIn(() => groups);
    // Those to whom the next apply sends it as well.
    const sent = new Set(declared === undefined ? [] : deliveryOf(kind, declared, known).to.map(receiverKey));
    return deliveryOf(kind, attributes, known)
      .to.filter((receiver) => !sent.has(receiverKey(receiver)))
      .filter((receiver) => seen.size < seen.add(`${of.address} ${receiverKey(receiver)}`).size)
      .map((receiver) => ({ of, receiver }));
  });
}

/** What lists of people call it: a group is known by its id, and called by its name. */
export function recipientOf({ kind, shown, compared }: Receiver): string {
  return kind === 'group' ? shown : compared;
}
