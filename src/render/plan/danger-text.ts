// The dangers of a plan for a terminal: first of all, the graver marked with two signs and the colour of errors.

import type { Danger } from '../../model/plan/danger.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { wrap } from '../text/terminal-text.ts';
import { visibleText } from '../text/visible-text.ts';

/** Up to this many items of a danger are shown, so that the next danger is not far below; with -v all of them. */
export const mostNamed = 10;

export const dangersTitle = 'Look at this first';

/** No lines where there are none. */
export function dangerLines(page: Page, dangers: readonly Danger[]): readonly string[] {
  if (dangers.length === 0) return [];
  return [...wrap(`${dangersTitle}:`, page.width), '', ...dangers.flatMap((danger) => linesOf(page, danger))];
}

function linesOf(page: Page, { gravity, title, items }: Danger): readonly string[] {
  const [mark, role] = gravity === 'grave' ? (['!! ', 'error'] as const) : (['!  ', 'warning'] as const);
  const shown = items.slice(0, page.showsAll ? items.length : mostNamed).map(({ subject, detail }) => {
    const why = detail === undefined ? '' : ` (${visibleText(detail)})`;
    return `${visibleText(subject)}${why}`;
  });
  const more = items.length - shown.length;
  const lines = more > 0 ? [...shown, `and ${more} more (-v lists all)`] : shown;
  return [
    ...hangingLines(page, mark, visibleText(title), { role, column: 2 }),
    ...lines.flatMap((line) => itemLines(page, line)),
  ];
}

function itemLines({ width }: Page, text: string): readonly string[] {
  const margin = ' '.repeat(5);
  return wrap(text, width, `${margin}  `).map((line, index) => (index === 0 ? `${margin}- ${line.trimStart()}` : line));
}
