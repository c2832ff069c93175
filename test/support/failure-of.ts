// What some work was refused with.

import { Failure } from '../../src/model/workspace/failure.ts';

/** Throws where the work succeeds, or fails in another way. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error;
  throw error;
}
