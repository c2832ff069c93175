// Tries again what only reads, while the remote may come back.

import type { Clock } from '../../../ports/clock.ts';
import { interrupted } from '../place-failures.ts';
import { isLasting } from './git-failure.ts';
import { GitFailed } from './own-repository.ts';

/** The first pause between two tries; each further one is twice as long. */
export const firstPauseMs = 1000;
const tries = 3;

/** Throws GitFailed in the end, and Failure interrupted. */
export async function patiently<T>(what: () => Promise<T>, clock: Clock, signal: AbortSignal | undefined): Promise<T> {
  let pause = firstPauseMs;
  for (let left = tries; ; left -= 1) {
    stopIf(signal);
    try {
      return await what();
    } catch (error) {
      if (!(error instanceof GitFailed) || left === 1 || isLasting(error.run)) throw error;
    }
    await clock.sleep(pause, signal);
    pause *= 2;
  }
}

export function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interrupted();
}
