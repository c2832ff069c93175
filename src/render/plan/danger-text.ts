// The dangers of a plan for a terminal: first of all, the graver marked with two signs and the colour of errors.

import type { Danger, DangerCode, DangerItem } from '../../model/plan/danger.ts';
import type { Page } from '../text/field-lines.ts';
import { firstLines, mostEqual } from '../text/more-words.ts';
import { wrap } from '../text/terminal-text.ts';
import { visibleText } from '../text/visible-text.ts';

/** Up to this many items of a danger are shown, so that the next danger is not far below; with -v all of them. */
export const mostNamed = 10;

/** These name resources that change equally, which the changes list once more. */
const sharedBy: ReadonlySet<DangerCode> = new Set(['replaced', 'orphaned', 'paused', 'resumed']);

export const dangersTitle = 'Look at this first';

/** No lines where there are none. */
export function dangerLines(page: Page, dangers: readonly Danger[]): readonly string[] {
  if (dangers.length === 0) return [];
  return [...wrap(`${dangersTitle}:`, page.width), '', ...dangers.flatMap((danger) => linesOf(page, danger))];
}

function linesOf(page: Page, { code, gravity, title, items }: Danger): readonly string[] {
  const most = page.showsAll ? items.length : sharedBy.has(code) ? mostEqual : mostNamed;
  const lineOf = ({ subject, detail }: DangerItem) => {
    const why = detail === undefined ? '' : ` (${visibleText(detail)})`;
    return itemLines(page, `${visibleText(subject)}${why}`);
  };
  return [
    ...titleLines(page, gravity, visibleText(title)),
    ...firstLines(items, most, lineOf, (more) => `${margin}- ${more}`),
  ];
}

const margin = ' '.repeat(5);

/** A yellow title cannot be read on a white background, so only its mark is. */
function titleLines({ theme, width }: Page, gravity: Danger['gravity'], title: string): readonly string[] {
  const [first, ...others] = wrap(title, width - margin.length);
  if (gravity === 'grave')
    return [`  ${theme.error(`!! ${first}`)}`, ...others.map((line) => margin + theme.error(line))];
  return [
    `  ${theme.warning('!')}  ${theme.strong(first ?? '')}`,
    ...others.map((line) => margin + theme.strong(line)),
  ];
}

function itemLines({ width }: Page, text: string): readonly string[] {
  return wrap(text, width, `${margin}  `).map((line, index) => (index === 0 ? `${margin}- ${line.trimStart()}` : line));
}
