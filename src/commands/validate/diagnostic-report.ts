// Diagnostics for other programs. Paths start at the repository's root, as those programs expect, and fingerprints let
// them tell old faults from new ones.

import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import { withoutMarks } from '../../model/values/command.ts';
import type { Diagnostic, DiagnosticReport, ReportedDiagnostic } from '../../model/workspace/diagnostic.ts';

interface ReportSource {
  readonly toolVersion: string;
  readonly strict: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Relative to the workspace, as in the diagnostics. */
  readonly files: readonly string[];
  readonly configFile: string | undefined;
  /** The folder of the workspace within its repository; empty at the root. */
  readonly folder: string;
}

export function diagnosticReport(source: ReportSource): DiagnosticReport {
  const { toolVersion, strict, folder } = source;
  const inRepository = (file: string) => join(folder, file);
  const placed = source.diagnostics.map(({ related, ...diagnostic }) => ({
    ...diagnostic,
    file: diagnostic.file && inRepository(diagnostic.file),
    related: related?.map((each) => ({ ...each, file: inRepository(each.file) })),
  }));
  return {
    toolVersion,
    strict,
    diagnostics: fingerprinted(placed),
    files: source.files.map(inRepository),
    home: inRepository(source.configFile ?? 'almanac.yaml'),
  };
}

/** Equal diagnostics for the same place are numbered, so that each gets its own fingerprint. */
function fingerprinted(diagnostics: readonly Diagnostic[]): readonly ReportedDiagnostic[] {
  const turns = new Map<string, number>();
  return diagnostics.map((diagnostic) => {
    const { file, code, address, path, message } = diagnostic;
    const fault = JSON.stringify([file, code, address, path, withoutLines(withoutMarks(message))]);
    const turn = (turns.get(fault) ?? 0) + 1;
    turns.set(fault, turn);
    const fingerprint = createHash('sha256').update(`${fault}\n${turn}`).digest('hex').slice(0, 40);
    return { ...diagnostic, fingerprint };
  });
}

/** Messages contain places, which move: `schedules/a.yaml:12`, `line 3, column 4`. */
function withoutLines(message: string): string {
  return message.replace(/(\.ya?ml):\d+(?::\d+)?/g, '$1').replace(/\b(lines?|columns?) \d+/gi, '$1');
}
