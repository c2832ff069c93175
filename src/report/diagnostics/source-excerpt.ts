// Source lines with carets under the span of a diagnostic. Columns count UTF-16 units; printed text is measured in the
// terminal's columns, and a long line is cut around the caret.

import type { Snippet } from '../../declare/load/shown-sources.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { displayWidth, truncate } from '../text/terminal-text.ts';
import type { Page, Role } from '../text/theme.ts';
import { visibleText } from '../text/visible-values.ts';

const tab = '    ';
/** A log shows long lines whole, but a caret far to the right helps nobody. */
const maxLength = 160;

/** The line before, the line itself with its carets, the line after, if the excerpt has them. */
export function excerptLines(
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
  const room = Math.max(8, Math.min(columns, maxLength) - gutter - 5);
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

/** The span inside its first line, in UTF-16 units, ending no later than the line; it may be empty. */
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
  // If the span would not fit after it, the text before it gets a third of the room.
  const isNear = marked < room || (marked === room && after === '');
  const head = keepEnd(before, isNear ? room : Math.floor(room / 3));
  const indent = displayWidth(head);
  const carets = Math.max(1, Math.min(displayWidth(span), room - indent));
  return { shown: head + truncate(span + after, room - indent), indent, carets };
}

/** The end of a text that fits, with `…` where text is missing before it. */
function keepEnd(text: string, width: number): string {
  const backwards = (each: string) => [...each].reverse().join('');
  return backwards(truncate(backwards(text), width));
}

function shownText(text: string): string {
  return text.split('\t').map(visibleText).join(tab);
}
