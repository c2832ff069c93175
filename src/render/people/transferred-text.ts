// What became of the schedules that were given to somebody else.

import type { Transferred } from '../../model/people/offboard-document.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { firstOf } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { ownedName } from './owned-words.ts';

/** What was not transferred is always listed. Ends with a newline. */
export function renderTransferred(results: readonly Transferred[], to: string, page: Page): string {
  const { theme, width } = page;
  const done = results.filter(({ status }) => status === 'transferred');
  const failed = results.filter(({ status }) => status === 'failed' || status === 'unknown');
  const skipped = results.filter(({ status }) => status === 'skipped');
  const [why] = skipped;
  const notDone = results.length - done.length;
  const summary = [
    `Transferred ${countOf(done.length, 'schedule')} to ${safeText(to)}.`,
    ...(notDone === 0 ? [] : [`${countOf(notDone, 'schedule')} left: run the command again.`]),
  ];
  return `${[
    ...failed.flatMap((each) => [
      ...wrap(`${theme.error(ownedName(each))}: ${safeText(each.message ?? '')}`, width),
      ...(each.hint === undefined ? [] : wrap(`hint: ${safeText(each.hint)}`, width, '  ')),
    ]),
    ...(why === undefined ? [] : wrap(`Not sent. ${safeText(why.message ?? '')}`, width)),
    ...firstOf(skipped.map(ownedName), page).map((line) => `  ${line}`),
    ...wrap(summary.join(' '), width),
  ].join('\n')}\n`;
}
