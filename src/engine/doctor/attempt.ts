// Work that may fail without ending the checks: a failure of the world is an answer of doctor.

import { Failure } from '../../model/workspace/failure.ts';

export type Attempt<T> = { readonly value: T } | { readonly failure: Failure };

/** Throws Failure interrupted, and bugs. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
    return { failure: error };
  }
}
