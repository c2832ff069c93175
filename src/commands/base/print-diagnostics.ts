// Diagnostics as text, each with the lines of its source; secrets are masked.

import { shownSources } from '../../declare/load/shown-sources.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import { declarationFindings, type FindingsReport, findingsDoc } from '../../report/diagnostics/findings-doc.ts';
import { type FoldedFindings, foldFindings } from '../../report/diagnostics/fold-findings.ts';
import { planFindings } from '../../report/plan/plan-findings.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';

/** Codes that occur often are only counted, unless the page shows all. `of` describes other reports. */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  source: FindingSource | undefined,
  page: Page,
  of = declarationFindings,
): string {
  return findingsText(foldFindings(diagnostics, page.showsAll), of, source, page);
}

/** Prints the findings about changes or drift; the others are counted. */
export function planDiagnosticsText(
  document: PlanDocument,
  of: FindingsReport,
  source: FindingSource | undefined,
  page: Page,
): string {
  return findingsText(planFindings(document, page.showsAll), of, source, page);
}

function findingsText(
  findings: FoldedFindings,
  of: FindingsReport,
  source: FindingSource | undefined,
  page: Page,
): string {
  const sources = source && shownSources(source);
  const snippet = ({ file, line }: Diagnostic) =>
    file === undefined || line === undefined ? undefined : sources?.linesAt(file, line);
  return printText(findingsDoc(findings, of, snippet), page);
}
