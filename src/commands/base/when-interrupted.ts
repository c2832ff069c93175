// What a command says where Ctrl-C ends it before it has done anything.

import { Failure } from '../../model/workspace/failure.ts';

/** `nothing` completes the sentence, as in `Nothing was changed`. A failure that already says how to go on stays. */
export async function whenInterrupted<T>(nothing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'interrupted' || error.hint !== undefined) throw error;
    throw new Failure(error.code, error.message, {
      hint: `Nothing was ${nothing}. Run the command again.`,
      cause: error,
    });
  }
}
