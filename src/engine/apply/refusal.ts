// A reason not to apply a plan, with the way out.

import { Failure, type FailureCode } from '../../model/workspace/failure.ts';

export interface Refusal {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint: string;
}

/** All of them as one Failure; none where nothing is refused. */
export function throwRefusals(refusals: readonly Refusal[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  throw new Failure(first.code, refusals.map(({ message }) => message).join('\n'), {
    hint: [...new Set(refusals.map(({ hint }) => hint))].join('\n'),
  });
}
