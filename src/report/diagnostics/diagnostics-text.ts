// Diagnostics for a terminal: where, what, the lines of the source, why, and what to do. The first line is never
// wrapped: editors and scripts read `file:line:col: error[code]: summary`.

import type { Snippet } from '../../declare/load/source-snippet.ts';
import { countOf } from '../../model/values/words.ts';
import type { Severity } from '../../model/workspace/codes.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { hint as hintBlock } from '../doc.ts';
import { linesOf } from '../print-text.ts';
import { displayWidth, safeText, truncate, visibleText, wrap } from '../text/terminal-text.ts';
import type { Page, Role } from '../text/theme.ts';
import { countedFindings, type FindingsReport, listsAll } from '../text/words.ts';
import type { FoldedFindings } from './fold-findings.ts';

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

/** `2 errors, 1 warning, 3 accepted in 14 files`, on one line without its end. */
export function renderDiagnosticsSummary(diagnostics: readonly Diagnostic[], files: number): string {
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
  return `${parts.join(', ')} in ${countOf(files, 'file')}`;
}

// Lines of a source file with a gutter, and carets under the span that a diagnostic is about. Columns count UTF-16
// units; what is shown is measured in the terminal's columns, and a long line is cut around the caret.

const tab = '    ';
/** A log shows long lines whole, but a caret far to the right helps nobody. */
const longest = 160;

/** The line before, the line itself with its carets, the line after: those of them that the excerpt holds. */
function excerptLines(
  excerpt: Snippet,
  diagnostic: Diagnostic,
  { theme, width, room: columns = width }: Page,
): readonly string[] {
  const line = diagnostic.line ?? excerpt.firstLine;
  const numbers = [line - 1, line, line + 1].filter(
    (number) => excerpt.lines[number - excerpt.firstLine] !== undefined,
  );
  if (!numbers.includes(line)) return [];
  const gutter = String(numbers.at(-1)).length;
  const room = Math.max(8, Math.min(columns, longest) - gutter - 5);
  const margin = (text: string) => theme.dim(`  ${text.padStart(gutter)} |`);
  return numbers.flatMap((number) => {
    const text = excerpt.lines[number - excerpt.firstLine] ?? '';
    if (number !== line) {
      const shown = truncate(shownText(text.slice(0, 4 * room)), room);
      return shown.trim() === '' ? [] : [`${margin(String(number))} ${theme.dim(shown)}`];
    }
    const { shown, indent, carets } = pointAt(text, spanOf(diagnostic, text), room);
    const pointer = `${' '.repeat(indent)}${theme[diagnostic.severity satisfies Role]('^'.repeat(carets))}`;
    return [`${margin(String(number))} ${shown}`.trimEnd(), `${margin('')} ${pointer}`];
  });
}

/** The span inside its first line, in UTF-16 units, at the line's end at the furthest; it may be empty. */
function spanOf({ line, column = 1, endLine, endColumn }: Diagnostic, text: string): readonly [number, number] {
  const start = Math.min(column - 1, text.length);
  const ends = endColumn === undefined ? start : endLine === line ? endColumn - 1 : text.trimEnd().length;
  return [start, Math.max(start, Math.min(ends, text.length))];
}

function pointAt(text: string, [start, end]: readonly [number, number], room: number) {
  // A few times the room is more than can be shown, however long the line is.
  const reach = 4 * room;
  const before = shownText(text.slice(Math.max(0, start - reach), start));
  const span = shownText(text.slice(start, Math.min(end, start + reach)));
  const after = shownText(text.slice(end, end + reach));
  const marked = displayWidth(before) + Math.max(1, displayWidth(span));
  // Where the span would not fit after it, the text before it gets a third of the room.
  const isNear = marked < room || (marked === room && after === '');
  const head = keepEnd(before, isNear ? room : Math.floor(room / 3));
  const indent = displayWidth(head);
  const carets = Math.max(1, Math.min(displayWidth(span), room - indent));
  return { shown: head + truncate(span + after, room - indent), indent, carets };
}

/** The end of a text that fits, with `…` where something is missing before it. */
function keepEnd(text: string, width: number): string {
  const backwards = (each: string) => [...each].reverse().join('');
  return backwards(truncate(backwards(text), width));
}

function shownText(text: string): string {
  return text.split('\t').map(visibleText).join(tab);
}
