// A clock that runs faster than that of the machine, so that a lease is soon over; two processes agree on how fast.

import { systemClock } from '../../../src/files/system.ts';
import type { Clock } from '../../../src/model/outside.ts';

export function hastyClock(rate: number): Clock {
  const startedAt = Date.now();
  return {
    now: () => Math.round(startedAt + (Date.now() - startedAt) * rate),
    monotonic: () => performance.now() * rate,
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / rate, signal),
  };
}
