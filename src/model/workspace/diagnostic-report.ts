// What the reports of `validate` for other programs are made of: diagnostics with paths and fingerprints that mean
// something outside of the workspace.

import type { Diagnostic } from './diagnostic.ts';

/** `file` is relative to the repository. */
export interface ReportedDiagnostic extends Diagnostic {
  /** The same wherever the fault stands in its file, and of no two faults of one report the same. */
  readonly fingerprint: string;
}

export interface DiagnosticReport {
  readonly toolVersion: string;
  /** Warnings fail as well. */
  readonly strict: boolean;
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Every source file that was checked, relative to the repository. */
  readonly files: readonly string[];
  /** The file to name where a diagnostic is about the workspace as a whole. */
  readonly home: string;
}
