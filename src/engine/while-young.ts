// What was created a moment ago may not be found yet, so it is asked for again until it is ten seconds old. After that it
// counts as gone.

import { statusOf } from '../model/service-error.ts';
import type { Clock } from '../ports/clock.ts';

export interface Age {
  readonly clock: Clock;
  /** ISO 8601; undefined where it is not known to be young. */
  readonly createdAt: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const youngMs = 10_000;
const lookAgainMs = 1000;

/** Throws what `ask` throws. */
export async function whileYoung<T>({ clock, createdAt, signal }: Age, ask: () => Promise<T>): Promise<T> {
  const until = createdAt === undefined ? Number.NaN : Date.parse(createdAt) + youngMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (statusOf(error) !== 404 || !(clock.now() < until) || signal?.aborted) throw error;
      await clock.sleep(lookAgainMs, signal);
    }
  }
}
