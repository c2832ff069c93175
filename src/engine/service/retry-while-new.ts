// The service may take some seconds until it finds what it has just created. So what is not found is asked for again
// until it is ten seconds old; then it is gone.

import { statusOf } from '../../model/service/service-error.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Age {
  readonly clock: Clock;
  /** ISO 8601; undefined where nobody knows, which is long ago. */
  readonly createdAt: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const youngMs = 10_000;
const lookAgainMs = 1000;

/** Throws what the request throws; and Failure interrupted, for then nobody knows yet whether it is gone. */
export async function retryWhileNew<T>({ clock, createdAt, signal }: Age, request: () => Promise<T>): Promise<T> {
  // A clock that is ahead of ours has it created in the future.
  const until = createdAt === undefined ? Number.NaN : Math.min(Date.parse(createdAt), clock.now()) + youngMs;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isYoung = statusOf(error) === 404 && clock.now() < until;
      if (!isYoung) throw error;
      if (signal?.aborted) throw new Failure('interrupted', 'Interrupted before it could be found.');
      await clock.sleep(Math.min(lookAgainMs, until - clock.now()), signal);
    }
  }
}
