// The document that `validate --format json` prints (schemas/validate.schema.json).

import type { Diagnostic } from './diagnostic.ts';

export interface ValidateDocument {
  readonly formatVersion: 1;
  /** Without errors; with --strict also without warnings. */
  readonly valid: boolean;
  readonly summary: {
    readonly files: number;
    readonly resources: number;
    readonly errors: number;
    readonly warnings: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}
