// Diagnostics as text, each with the lines of its source; secrets are masked.

import { type ShowableFile, showableFile, snippetAt } from '../../engine/load/source-snippet.ts';
import { secretsOf } from '../../engine/propose/fingerprint-secrets.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import { planFindings } from '../../model/plan/plan-findings.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import { foldFindings } from '../../model/workspace/fold-findings.ts';
import { renderDiagnostics, type ShownFindings } from '../../render/diagnostics/diagnostics-text.ts';
import type { Page } from '../../render/text/field-lines.ts';

/** Those of a code that occurs often are counted, unless the page shows all. */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  source: FindingSource | undefined,
  page: Page,
): string {
  return findingsText({ ...foldFindings(diagnostics, page.showsAll), of: 'validate' }, source, page);
}

/** The findings about what a plan changes, or what has drifted; the others are counted. */
export function planDiagnosticsText(
  document: PlanDocument,
  of: 'plan' | 'drift',
  source: FindingSource | undefined,
  page: Page,
): string {
  return findingsText({ ...planFindings(document, page.showsAll), of }, source, page);
}

function findingsText(findings: ShownFindings, source: FindingSource | undefined, page: Page): string {
  // They are only needed where something is quoted, and are looked for in all resources.
  let secrets: readonly string[] | undefined;
  const showable = new Map<string, ShowableFile>();
  const snippet = ({ file, line }: Diagnostic) => {
    if (source === undefined || file === undefined || line === undefined) return undefined;
    const text = source.fileNamed(file)?.text;
    if (text === undefined) return undefined;
    secrets ??= secretsOf(source.desired).flatMap((secret) => secret.revealAll());
    const shown = showable.get(file) ?? showableFile(text, secrets);
    showable.set(file, shown);
    return snippetAt(shown, line);
  };
  return renderDiagnostics(findings, { ...page, snippet });
}
