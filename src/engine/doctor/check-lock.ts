// Whether an apply would get the lock of the state now.

import type { HeldLock } from '../../ports/state-store.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/** An apply looks for a free lock only now and then. */
const waitMore = 15;

export interface LockFacts {
  /** Undefined if the lock is free. */
  readonly held: HeldLock | undefined;
  /** Of the state. */
  readonly name: string;
  /** Where many share the state: the seconds after which a lock without a sign of its run may be taken over. */
  readonly lease: number | undefined;
}

export function checkLock({ held, name, lease }: LockFacts): Verdict {
  if (held === undefined)
    return passed(lease === undefined ? 'Free.' : `Free. A run that dies holds it for ${lease} s.`);
  const holder =
    held.holder &&
    `${held.holder.command} of ${held.holder.who} on ${held.holder.host} (process ${held.holder.pid}) since ${held.holder.since}`;
  if (held.isDead) {
    const end = lease === undefined ? 'has ended' : 'has ended, or gave no sign of life during its lease';
    const left = holder === undefined ? 'a process that ended at once' : `${holder}, which ${end}`;
    return passed(`Left by ${left}; the next apply takes it over.`);
  }
  const run = held.holder?.runUrl === undefined ? '' : ` Its run: ${held.holder.runUrl}`;
  const locked = `${name} is locked${holder === undefined ? '; its lock does not say by whom' : ` by ${holder}`}.${run}`;
  if (lease === undefined) {
    return failed(
      locked,
      'Wait for that run to end. If it has certainly ended, remove the lock with `almanac state unlock`.',
    );
  }
  const seconds = Math.ceil(held.expiresIn ?? lease);
  return failed(
    locked,
    `Wait for that run to end. If it has died, the next apply may take the lock over in ${seconds} s at the latest: \`almanac apply --lock-timeout ${seconds + waitMore}\` waits for that. To stop that run at once, use \`almanac state unlock\`.`,
  );
}
