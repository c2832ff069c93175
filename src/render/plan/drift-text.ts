// Changes made outside of Almanac, for a terminal: before the changes of a plan, and alone for `almanac drift`.

import type { PlanDocument } from '../../model/plan/plan.ts';
import { kindOf } from '../../model/values/address.ts';
import { fieldDiffLines } from '../fields/field-diff-text.ts';
import { countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { safeText, wrap } from '../text/terminal-text.ts';

export interface DriftPage extends Page {
  readonly cron: CronWords;
}

/** Ends with a newline. */
export function renderDriftText(plan: PlanDocument, page: DriftPage): string {
  const blocks = [...driftSections(plan, page), endLines(plan, page)].map((lines) => lines.join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

export function driftSections({ drift }: PlanDocument, page: DriftPage): readonly (readonly string[])[] {
  if (drift.length === 0) return [];
  const title = wrap('Changed outside of Almanac, compared with the state:', page.width);
  const drifted = drift.map(({ address, diff }) => {
    const isGone = diff.some(({ path }) => path === '');
    const head = `${safeText(address)} ${isGone ? 'is gone' : 'has drifted'}`;
    const about = { kind: kindOf(address) ?? 'schedule', before: null, after: null, cron: page.cron } as const;
    return [
      ...hangingLines(page, '# ', head, { role: 'strong', column: 2 }),
      ...(isGone ? [] : fieldDiffLines(page, { ...about, diff })),
    ];
  });
  return [title, ...drifted];
}

function endLines({ drift }: PlanDocument, { theme, width }: Page): readonly string[] {
  if (drift.length === 0)
    return wrap('No drift. Everything that can be read back is as it was applied.', width).map(theme.strong);
  const count = `Drift: ${countOf(drift.length, 'resource')}.`;
  const ways = 'To undo it: almanac apply --refresh. To take it into the state: almanac apply --refresh-only.';
  return [theme.strong(count), ...wrap(ways, width)];
}
