// What drift found, in any format, made from the one document.

import type { DriftDocument } from '../../model/plan/drift-document.ts';
import type { FindingSource } from '../../model/workspace/failure.ts';
import { renderDriftText } from '../../render/drift/drift-report.ts';
import type { Page } from '../../render/text/field-lines.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { cronWords } from '../base/cron-words.ts';
import type { DriftFormat } from '../base/formats.ts';
import { planDiagnosticsText } from '../base/print-diagnostics.ts';

export interface ReportedDrift {
  readonly document: DriftDocument;
  /** Of the schedules that the document does not list. */
  readonly untrackedCount: number;
  /** Other environments that read what --write wrote. */
  readonly alsoReadBy: readonly string[];
  readonly isDeep: boolean;
  /** That of --env. */
  readonly environment: string | undefined;
  readonly source: FindingSource;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Ends with a newline. A text file begins with the diagnostics; otherwise they are on stderr. */
export async function renderDrift(
  format: DriftFormat,
  reported: ReportedDrift,
  page: Page,
  isFile: boolean,
): Promise<string> {
  const { document, source, now, untrackedCount, alsoReadBy, isDeep, environment } = reported;
  switch (format) {
    case 'json':
      return renderJson(document);
    case 'markdown':
      return (await import('../../render/drift/drift-markdown.ts')).renderDriftMarkdown(document, {
        cron: await cronWords(now, document),
        untrackedCount,
        alsoReadBy,
        isDeep,
        environment,
      });
    case 'text': {
      const said = isFile ? planDiagnosticsText(document, 'drift', source, page) : '';
      const shown = { ...page, cron: await cronWords(now, document) };
      return `${said}${said === '' ? '' : '\n'}${renderDriftText(document, shown, reported)}`;
    }
  }
}
