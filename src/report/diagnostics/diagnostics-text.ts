// Diagnostics for a terminal: where, what, the lines of the source, why, and what to do. The first line is never
// wrapped: editors and scripts read `file:line:col: error[code]: summary`.

import type { Snippet } from '../../declare/load/source-snippet.ts';
import { countOf } from '../../model/values/words.ts';
import type { Severity } from '../../model/workspace/codes.ts';
import type { Diagnostic, DiagnosticReport } from '../../model/workspace/diagnostic.ts';
import { hint as hintBlock } from '../doc.ts';
import { linesOf } from '../print-text.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import type { Page } from '../text/theme.ts';
import { countedFindings, type FindingsReport, listsAll } from './counted-findings.ts';
import type { FoldedFindings } from './fold-findings.ts';
import { excerptLines } from './source-excerpt.ts';

export interface DiagnosticsTextOptions extends Page {
  /** Lines around a diagnostic's place, its own among them; undefined where there are none to show. */
  readonly snippet: (diagnostic: Diagnostic) => Snippet | undefined;
}

/** What one command found. */
export interface ShownFindings extends FoldedFindings {
  readonly of: FindingsReport;
}

/**
 * In the order given, a blank line between; ends with a newline, and is empty where there are none. Those of a code that are
 * not shown are counted behind the last one that is, and what else is not shown at the end.
 */
export function renderDiagnostics(findings: ShownFindings, options: DiagnosticsTextOptions): string {
  const { shown, more, of } = findings;
  const last = new Map(shown.map((diagnostic) => [diagnostic.code, diagnostic]));
  const parts = shown.flatMap((diagnostic): readonly (readonly string[])[] => {
    const counted = more.filter(({ code }) => code === diagnostic.code && last.get(code) === diagnostic);
    return [diagnosticLines(diagnostic, options), ...counted.map((each) => countLines(each, listsAll[of], options))];
  });
  const counted = countedFindings(findings, of).flatMap(({ words, command }) =>
    wrap(`${words}: ${command}`, options.width),
  );
  if (counted.length > 0) parts.push(counted);
  return parts.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function countLines(
  { severity, code, count }: FoldedFindings['more'][number],
  command: string,
  { theme }: DiagnosticsTextOptions,
): readonly string[] {
  return [`${theme[severity](`${severity}[${code}]`)}: ${count} more: ${command}`];
}

function diagnosticLines(diagnostic: Diagnostic, options: DiagnosticsTextOptions): readonly string[] {
  const { theme, width } = options;
  const { severity, code, summary, message, hint, related = [] } = diagnostic;
  const place = placeText(diagnostic);
  const excerpt = diagnostic.line === undefined ? undefined : options.snippet(diagnostic);
  return [
    `${place === '' ? '' : `${theme.strong(`${place}:`)} `}${theme[severity](`${severity}[${code}]`)}: ${safeText(summary)}`,
    ...(excerpt === undefined ? [] : excerptLines(excerpt, diagnostic, options)),
    ...wrap(safeText(message, { keepNewlines: true }), width, '  '),
    ...related.flatMap((each) => wrap(safeText(`${placeText(each)}: ${each.message}`), width, '  ')),
    ...linesOf([hintBlock(hint)], options),
  ];
}

function placeText({ file, line, column, address }: Partial<Diagnostic>): string {
  if (file === undefined) return safeText(address ?? '');
  return [safeText(file), line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

/** `2 errors, 1 warning, 3 accepted in 14 files`, on one line without its end: the sources, and others that have a finding. */
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
