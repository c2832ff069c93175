// The names behind an entry about many equal resources, for a terminal: three of them, or with -v all. So the length of
// a report does not depend on how many are equal.

import type { Page } from '../../text/field-lines.ts';
import { firstLines, mostEqual } from '../../text/more-words.ts';
import { wrap } from '../../text/terminal-text.ts';
import type { Role } from '../../text/theme.ts';
import { symbolWidth } from '../action-symbols.ts';

export interface NameLine {
  /** As wide as `symbolWidth`; shown in the role's colour. */
  readonly symbol: string;
  readonly role: Role;
  readonly text: string;
}

/** A line for each of the first, and a count of the others. */
export function nameLines<T>(page: Page, items: readonly T[], lineOf: (item: T) => NameLine): readonly string[] {
  const most = page.showsAll ? items.length : mostEqual;
  return firstLines(
    items,
    most,
    (item) => nameLine(page, lineOf(item)),
    (more) => page.theme.dim(margin + more),
  );
}

const margin = ' '.repeat(symbolWidth + 1);

/** `  ~ schedules.weekly-sales (schedules/sales.yaml:11)`. */
export function nameLine({ theme, width }: Page, { symbol, role, text }: NameLine): readonly string[] {
  return wrap(text, width, margin).map((line, index) =>
    index === 0 ? theme[role](symbol) + line.slice(symbolWidth) : line,
  );
}
