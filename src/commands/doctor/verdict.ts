// The result of one of doctor's checks. A failure outside the program is a result too, and ends no check.

import { largest } from '../../model/values/collections.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type Check, checkStatuses } from './doctor-document.ts';

/** The name is added when the checks are put in order. */
export type Verdict = Omit<Check, 'name'>;

export function passed(message: string): Verdict {
  return { status: 'ok', message };
}

export function warned(message: string, hint: string): Verdict {
  return { status: 'warning', message, hint };
}

export function failed(message: string, hint?: string): Verdict {
  return { status: 'failed', message, hint };
}

/** `message` says why it could not be carried out. */
export function skipped(message: string): Verdict {
  return { status: 'skipped', message };
}

/** Combines verdicts about the same thing: the worst result, in the words of all. */
export function together(verdicts: readonly Verdict[]): Verdict {
  const worst = largest(
    verdicts.map(({ status }) => checkStatuses.indexOf(status)),
    -1,
  );
  const hints = [...new Set(verdicts.flatMap(({ hint }) => hint ?? []))];
  return {
    status: checkStatuses[worst] ?? 'failed',
    message: verdicts.map(({ message }) => message).join(' '),
    hint: hints.length === 0 ? undefined : hints.join(' '),
  };
}

type ValueOrFailure<T> = { readonly value: T } | { readonly failure: Failure };

/** Throws Failure interrupted, and bugs. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<ValueOrFailure<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
    return { failure: error };
  }
}
