// Tries something again, after pauses, while the reason that it failed may pass. What a value means is for those who ask.

import type { Clock } from '../../ports/clock.ts';
import { interrupted } from './place-failures.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** Including the first. */
  readonly tries: number;
  /** Each further pause is twice as long. */
  readonly firstPauseMs: number;
  /** After that many milliseconds no other try begins; undefined: only `tries` counts. */
  readonly longestMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Attempt<T> {
  readonly value: T;
  /** Whether another try may bring a better one. */
  readonly again: boolean;
}

/** The value of the last try. Throws Failure interrupted where the signal aborts before the first one; later it ends the tries. */
export async function retrying<T>(options: RetryOptions, attempt: () => Promise<Attempt<T>>): Promise<T> {
  const { clock, tries, firstPauseMs, longestMs = Number.POSITIVE_INFINITY, signal } = options;
  if (signal?.aborted) throw interrupted();
  const started = clock.monotonic();
  for (let count = 1, pause = firstPauseMs; ; count += 1, pause *= 2) {
    const { value, again } = await attempt();
    const isOver = count === tries || clock.monotonic() - started + pause > longestMs;
    if (!again || isOver || signal?.aborted) return value;
    await clock.sleep(pause, signal);
    if (signal?.aborted) return value;
  }
}
