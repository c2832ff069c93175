// Whether an apply would get the lock of the state now.

import type { HeldLock } from '../../ports/state-store.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/** `held` is undefined if the lock is free. */
export function checkLock(held: HeldLock | undefined, name: string): Verdict {
  if (held === undefined) return passed('Free.');
  const holder =
    held.holder &&
    `${held.holder.command} of ${held.holder.who} on ${held.holder.host} (process ${held.holder.pid}) since ${held.holder.since}`;
  if (held.isDead) {
    const left = holder === undefined ? 'a process that ended at once' : `${holder}, which has ended`;
    return passed(`Left by ${left}; the next apply takes it over.`);
  }
  const run = held.holder?.runUrl === undefined ? '' : ` Its run: ${held.holder.runUrl}`;
  return failed(
    `${name} is locked${holder === undefined ? '; its lock does not say by whom' : ` by ${holder}`}.${run}`,
    'Wait for that run to end. If it has certainly ended, remove the lock with `almanac state unlock`.',
  );
}
