// Diagnostics as text, each with the lines of its source; secrets are masked.

import { type ShowableFile, showableFile, snippetAt } from '../../engine/load/source-snippet.ts';
import { secretsOf } from '../../engine/propose/fingerprint-secrets.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import { renderDiagnostics } from '../../render/diagnostics/diagnostics-text.ts';
import type { Page } from '../../render/text/field-lines.ts';

export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  source: FindingSource | undefined,
  page: Page,
): string {
  const secrets = source === undefined ? [] : secretsOf(source.desired).flatMap((secret) => secret.revealAll());
  const showable = new Map<string, ShowableFile>();
  const snippet = ({ file, line }: Diagnostic) => {
    const text = file === undefined ? undefined : source?.fileNamed(file)?.text;
    if (file === undefined || text === undefined || line === undefined) return undefined;
    const shown = showable.get(file) ?? showableFile(text, secrets);
    showable.set(file, shown);
    return snippetAt(shown, line);
  };
  return renderDiagnostics(diagnostics, { ...page, snippet });
}
