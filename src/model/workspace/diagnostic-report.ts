// The input of the reports that `validate` writes for other programs: diagnostics with paths and fingerprints that are
// meaningful outside the workspace.

import type { Diagnostic } from './diagnostic.ts';

/** `file` is relative to the repository. */
export interface ReportedDiagnostic extends Diagnostic {
  /** Does not depend on the line of the fault, and is unique within a report. */
  readonly fingerprint: string;
}

export interface DiagnosticReport {
  readonly toolVersion: string;
  /** Warnings also fail. */
  readonly strict: boolean;
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Every source file that was checked, relative to the repository. */
  readonly files: readonly string[];
  /** The file to name for a diagnostic about the workspace as a whole. */
  readonly home: string;
}
