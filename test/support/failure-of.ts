// What some work was refused with, as documents hold it: commands have no marks.

import { withoutMarks } from '../../src/model/values/command.ts';
import { Failure } from '../../src/model/workspace/failure.ts';

/** Throws where the work succeeds, or fails in another way. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw error;
  return error.with({ message: withoutMarks(error.message), hint: error.hint && withoutMarks(error.hint) });
}
