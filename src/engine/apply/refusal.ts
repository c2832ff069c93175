// A reason not to apply a plan, with the way out.

import type { FailureCode } from '../../model/workspace/failure.ts';

export interface Refusal {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint: string;
}
