// The service may take some seconds until it finds what it has just created. A request for a schedule that is not found
// is repeated until the schedule is ten seconds old; then it counts as gone.

import { statusOf } from '../../model/service/service-error.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Age {
  readonly clock: Clock;
  /** ISO 8601; undefined counts as long ago. */
  readonly createdAt: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const newMs = 10_000;
const pauseMs = 1000;

/** Throws what the request throws, and Failure interrupted where that is not known yet. */
export async function retryWhileNew<T>({ clock, createdAt, signal }: Age, request: () => Promise<T>): Promise<T> {
  // If the service's clock is ahead of ours, it was created in the future.
  const age = createdAt === undefined ? newMs : Math.max(0, clock.now() - Date.parse(createdAt));
  const until = clock.monotonic() + newMs - age;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isNew = statusOf(error) === 404 && clock.monotonic() < until;
      if (!isNew) throw error;
      if (signal?.aborted) throw new Failure('interrupted', 'Interrupted before it could be found.');
      await clock.sleep(Math.min(pauseMs, until - clock.monotonic()), signal);
    }
  }
}
