// Who still receives something although no declaration says so, because the change is not applied.

import { isNamedBy } from '../../../model/plan/user-groups.ts';
import type { AppliedResource } from '../applied.ts';
import { type Receiver, receiversIn } from './receivers.ts';

export interface StillReceiving {
  readonly of: AppliedResource;
  readonly receiver: Receiver;
}

/** Each once for a resource: what was applied comes before changes whose outcome is unknown. */
export function stillReceiving(running: readonly AppliedResource[]): readonly StillReceiving[] {
  const seen = new Set<string>();
  return running.flatMap((of) => {
    const isSent = sentTest(of);
    return receiversIn(of.kind, of.attributes)
      .filter((receiver) => !isSent(receiver))
      .filter((receiver) => seen.size < seen.add(`${of.address} ${keyOf(receiver)}`).size)
      .map((receiver) => ({ of, receiver }));
  });
}

/** Whether the next apply sends it to them as well. A group may be declared by its name or its id. */
function sentTest({ kind, declared, groups = [] }: AppliedResource): (receiver: Receiver) => boolean {
  const sent = new Set(declared === undefined ? [] : receiversIn(kind, declared).map(keyOf));
  return (receiver) => {
    const { recipient } = receiver;
    const same = receiver.kind === 'group' ? groups.filter((group) => isNamedBy(recipient, group)) : [];
    const names = [recipient, ...same.flatMap(({ text, id }) => [text, id])];
    return names.some((name) => sent.has(keyOf({ kind: receiver.kind, recipient: name })));
  };
}

function keyOf({ kind, recipient }: Pick<Receiver, 'kind' | 'recipient'>): string {
  return `${kind} ${recipient}`;
}
