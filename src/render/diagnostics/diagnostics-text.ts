// Diagnostics for a terminal: where, what, the lines of the source, why, and what to do. The first line is never
// wrapped: editors and scripts read `file:line:col: error[code]: summary`.

import type { Severity } from '../../model/workspace/codes.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { hintLines } from '../text/hint-text.ts';
import { type Excerpt, excerptLines } from '../text/source-excerpt.ts';
import { safeText, wrap } from '../text/terminal-text.ts';

export interface DiagnosticsTextOptions extends Page {
  /** Lines around a diagnostic's place, its own among them; undefined where there are none to show. */
  readonly snippet: (diagnostic: Diagnostic) => Excerpt | undefined;
}

const mostNotes = 3;

/**
 * In the order given, a blank line between; ends with a newline, and is empty where there are none. Of many notes with
 * one code the first are shown, and the others counted in place of the next.
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: DiagnosticsTextOptions): string {
  const all = new Map<string, number>();
  for (const { code } of diagnostics) all.set(code, (all.get(code) ?? 0) + 1);
  const seen = new Map<string, number>();
  const parts = diagnostics.flatMap((diagnostic): readonly (readonly string[])[] => {
    const { severity, code } = diagnostic;
    const number = (seen.get(code) ?? 0) + 1;
    seen.set(code, number);
    const others = (all.get(code) ?? 0) - mostNotes;
    if (severity !== 'note' || others < 2 || number <= mostNotes) return [diagnosticLines(diagnostic, options)];
    return number === mostNotes + 1 ? [[`${options.theme.note(`note[${code}]`)}: ${others} more like these`]] : [];
  });
  return parts.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function diagnosticLines(diagnostic: Diagnostic, options: DiagnosticsTextOptions): readonly string[] {
  const { theme, width } = options;
  const { severity, code, summary, message, hint } = diagnostic;
  const place = placeText(diagnostic);
  const excerpt = diagnostic.line === undefined ? undefined : options.snippet(diagnostic);
  return [
    `${place === '' ? '' : `${theme.strong(`${place}:`)} `}${theme[severity](`${severity}[${code}]`)}: ${safeText(summary)}`,
    ...(excerpt === undefined ? [] : excerptLines(excerpt, diagnostic, options)),
    ...wrap(safeText(message, { keepNewlines: true }), width, '  '),
    ...hintLines(options, hint),
  ];
}

function placeText({ file, line, column, address }: Diagnostic): string {
  if (file === undefined) return safeText(address ?? '');
  return [safeText(file), line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

/** `2 errors, 1 warning in 14 files`, on one line without its end. */
export function renderDiagnosticsSummary(diagnostics: readonly Diagnostic[], files: number): string {
  const count = (severity: Severity) => diagnostics.filter((each) => each.severity === severity).length;
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const found = count(severity);
    return found === 0 ? [] : [countOf(found, severity)];
  });
  return `${counts.length === 0 ? 'No errors' : counts.join(', ')} in ${countOf(files, 'file')}`;
}
