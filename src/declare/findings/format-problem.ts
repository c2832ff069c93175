// The result of a format check. If the value contains a secret, neither message nor hint may be shown: both may quote
// it, as written or decoded.

import type { Code } from '../../model/workspace/codes.ts';

export interface FormatProblem {
  readonly code: Code;
  /** Full sentences: what is wrong with the value, and why it matters. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
}
