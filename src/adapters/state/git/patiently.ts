// Tries again what only reads, while the remote may come back.

import type { Clock } from '../../../ports/clock.ts';
import { interrupted } from '../place-failures.ts';
import { type Attempt, retrying } from '../retrying.ts';
import { isLasting } from './git-failure.ts';
import { GitFailed } from './own-repository.ts';

/** The first pause between two tries; each further one is twice as long. */
export const firstPauseMs = 1000;

/** Throws GitFailed in the end, and Failure interrupted. */
export async function patiently<T>(what: () => Promise<T>, clock: Clock, signal: AbortSignal | undefined): Promise<T> {
  const found = await retrying({ clock, tries: 3, firstPauseMs, signal }, () => attempt(what));
  if (!(found instanceof GitFailed)) return found;
  stopIf(signal);
  throw found;
}

async function attempt<T>(what: () => Promise<T>): Promise<Attempt<T | GitFailed>> {
  try {
    return { value: await what(), again: false };
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    return { value: error, again: !isLasting(error.run) };
  }
}

export function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interrupted();
}
