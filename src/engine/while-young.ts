// The service may take some seconds until it finds what it has just created. So what is not found is asked for again
// until it is ten seconds old; then it is gone.

import { statusOf } from '../model/service-error.ts';
import type { Clock } from '../ports/clock.ts';

export interface Age {
  readonly clock: Clock;
  /** ISO 8601; undefined where nobody knows, which is long ago. */
  readonly createdAt: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const youngMs = 10_000;
const lookAgainMs = 1000;

/** Throws what the request throws. */
export async function whileYoung<T>({ clock, createdAt, signal }: Age, request: () => Promise<T>): Promise<T> {
  const until = createdAt === undefined ? Number.NaN : Date.parse(createdAt) + youngMs;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isYoung = statusOf(error) === 404 && clock.now() < until && !signal?.aborted;
      if (!isYoung) throw error;
      await clock.sleep(Math.min(lookAgainMs, until - clock.now()), signal);
    }
  }
}
