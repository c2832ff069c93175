// Diagnostics for a terminal, and their number.

import type { Snippet } from '../../declare/load/shown-sources.ts';
import { countOf } from '../../model/values/words.ts';
import type { Severity } from '../../model/workspace/codes.ts';
import type { Diagnostic, DiagnosticReport } from '../../model/workspace/diagnostic.ts';
import { printText } from '../print-text.ts';
import type { Page } from '../text/theme.ts';
import { type FindingsReport, findingsDoc } from './findings-doc.ts';
import type { FoldedFindings } from './fold-findings.ts';

export interface DiagnosticsTextOptions extends Page {
  /** Lines around a diagnostic's place, including its own; undefined if there are none to show. */
  readonly snippet: (diagnostic: Diagnostic) => Snippet | undefined;
}

export interface ShownFindings extends FoldedFindings {
  readonly of: FindingsReport;
}

/** In the given order, with a blank line between; ends with a newline, and is empty without findings. */
export function renderDiagnostics(
  { of, ...findings }: ShownFindings,
  { snippet, ...page }: DiagnosticsTextOptions,
): string {
  return printText(findingsDoc(findings, of, snippet), page);
}

/** `2 errors, 1 warning, 3 accepted in 14 files`, without a line end: the sources, and other files with findings. */
export function renderDiagnosticsSummary({
  diagnostics,
  files,
}: Pick<DiagnosticReport, 'diagnostics' | 'files'>): string {
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  const count = (severity: Severity) => open.filter((each) => each.severity === severity).length;
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const found = count(severity);
    return found === 0 ? [] : [countOf(found, severity)];
  });
  const accepted = diagnostics.length - open.length;
  const parts = [
    counts.length === 0 ? 'No errors' : counts.join(', '),
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
  ];
  const all = new Set([...files, ...diagnostics.flatMap(({ file }) => file ?? [])]);
  return `${parts.join(', ')} in ${countOf(all.size, 'file')}`;
}
