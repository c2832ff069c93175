// What validate found, in any format. What a format needs is loaded when that format is asked for.

import type { DiagnosticReport } from '../../model/workspace/diagnostic.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import type { ValidateDocument } from '../../model/workspace/validate-document.ts';
import { renderDiagnosticsSummary } from '../../render/diagnostics/diagnostics-text.ts';
import type { Page } from '../../render/text/field-lines.ts';
import { renderJson } from '../../render/text/render-json.ts';
import type { ValidateFormat } from '../base/formats.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';

export interface Validation {
  readonly document: ValidateDocument;
  readonly source: FindingSource;
  /** The same diagnostics with paths from the repository's root. */
  readonly forPrograms: DiagnosticReport;
}

/** Ends with a newline. */
export async function renderValidation(
  format: ValidateFormat,
  { document, source, forPrograms }: Validation,
  page: Page,
): Promise<string> {
  const { diagnostics } = forPrograms;
  const open = { ...forPrograms, diagnostics: diagnostics.filter(({ accepted }) => accepted === undefined) };
  switch (format) {
    case 'json':
      return renderJson(document);
    case 'github':
      return (await import('../../render/diagnostics/diagnostics-github.ts')).renderGithubAnnotations(open);
    case 'sarif':
      return (await import('../../render/diagnostics/diagnostics-sarif.ts')).renderSarif(forPrograms);
    case 'gitlab':
      return (await import('../../render/diagnostics/diagnostics-gitlab.ts')).renderGitlabCodeQuality(open);
    case 'junit':
      return (await import('../../render/diagnostics/diagnostics-junit.ts')).renderJunit(open);
    case 'text': {
      const text = diagnosticsText(document.diagnostics, source, page);
      return `${text}${text === '' ? '' : '\n'}${renderDiagnosticsSummary(document.diagnostics, document.summary.files)}.\n`;
    }
  }
}
