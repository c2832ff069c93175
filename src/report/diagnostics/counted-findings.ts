// How a report counts the findings that it does not list, each count with the command that helps.

import { countKinds } from '../../model/values/address.ts';
import { countList, countOf } from '../../model/values/words.ts';
import type { FoldedFindings } from './fold-findings.ts';

/** What lists everything that was found. */
export const listsAll = {
  plan: 'almanac plan -v',
  drift: 'almanac drift -v',
  validate: 'almanac validate -v',
} as const;

export type FindingsReport = keyof typeof listsAll;

interface CountedFindings {
  readonly words: string;
  readonly command: string;
}

/** `of`: the report that does not list them. Those of a code that is listed in part are not among them. */
export function countedFindings(
  { besideErrors, stopped, elsewhere, finished }: FoldedFindings,
  of: FindingsReport,
): readonly CountedFindings[] {
  const beside = countList([
    [besideErrors.warnings, besideErrors.warnings === 1 ? 'warning' : 'warnings'],
    [besideErrors.notes, besideErrors.notes === 1 ? 'note' : 'notes'],
  ]);
  const about = of === 'drift' ? 'what has not drifted' : 'resources that this plan does not change';
  const counts = [
    { count: beside.length, words: `${beside} not listed`, command: listsAll[of] },
    {
      count: stopped.length,
      words: `${countKinds(stopped)} ${stopped.length === 1 ? 'is' : 'are'} stopped by Omni`,
      command: 'almanac status',
    },
    { count: elsewhere, words: `${countOf(elsewhere, 'finding')} about ${about}`, command: listsAll[of] },
    {
      count: finished,
      words: countOf(finished, 'entry has taken effect', 'entries have taken effect'),
      command: 'almanac fmt --prune',
    },
  ];
  return counts.filter(({ count }) => count > 0);
}
