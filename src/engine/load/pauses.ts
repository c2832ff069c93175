// Reading and parsing sources blocks the process, and a blocked process notices no signal. So the work pauses after
// every half megabyte.

import { Failure } from '../../model/workspace/failure.ts';
import type { Clock } from '../../ports/clock.ts';

const charactersBetween = 500_000;

/** Call the result with the length of each text before working on it. It throws Failure interrupted after a signal. */
export function makePauses(clock: Clock, signal: AbortSignal | undefined): (length: number) => Promise<void> {
  let since = 0;
  return async (length) => {
    since += length;
    if (since >= charactersBetween) {
      since = 0;
      await clock.sleep(0, signal);
    }
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted while the workspace was read.');
  };
}
