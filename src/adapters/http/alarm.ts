// One timer that rings at the earliest of the times it was set to.

import type { Clock } from '../../ports/clock.ts';

export interface Alarm {
  /** Takes times of the monotonic clock. False if it already rings earlier. */
  set(at: number, now: number): boolean;
  silence(): void;
}

export function makeAlarm(clock: Clock, ring: () => void): Alarm {
  let pending: { readonly at: number; readonly off: AbortController } | undefined;

  function silence(): void {
    pending?.off.abort();
    pending = undefined;
  }

  return {
    set: (at, now) => {
      if (pending !== undefined && pending.at <= at && pending.at > now) return false;
      silence();
      const mine = { at, off: new AbortController() };
      pending = mine;
      void clock.sleep(at - now, mine.off.signal).then(() => {
        if (pending !== mine) return;
        pending = undefined;
        ring();
      });
      return true;
    },
    silence,
  };
}
