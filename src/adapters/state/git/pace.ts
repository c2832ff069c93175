// How often something is sent: six at once, then one each time the pace allows.

import type { Clock } from '../../../ports/clock.ts';

const tokens = 6;

/** Resolves when the next one may go, or at once when the signal aborts. */
export function makePace(paceMs: number, clock: Clock): (signal?: AbortSignal) => Promise<void> {
  /** When the bucket will be full again. */
  let fullAt = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    if (paceMs === 0) return;
    const now = clock.monotonic();
    fullAt = Math.max(fullAt, now) + paceMs;
    const wait = fullAt - tokens * paceMs - now;
    if (wait > 0) await clock.sleep(wait, signal);
  };
}
