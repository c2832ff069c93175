// The document that `validate --format json` prints (schemas/validate.schema.json).

import type { Diagnostic } from './diagnostic.ts';

export interface ValidateDocument {
  readonly formatVersion: 1;
  /** No errors; with --strict, no warnings either. */
  readonly valid: boolean;
  readonly summary: {
    readonly files: number;
    readonly resources: number;
    readonly errors: number;
    readonly warnings: number;
  };
  /** Where Almanac works; left out if there is no almanac.yaml, or if it has errors. */
  readonly workspace?: { readonly baseUrl: string | null; readonly state: string };
  readonly diagnostics: readonly Diagnostic[];
}
