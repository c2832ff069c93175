// How a report counts the findings that it does not show because they are not about what it is about.

import { countOf } from './count-words.ts';

/** `what`: a plan, or a look for drift. */
export function elsewhereWords(count: number, what: 'plan' | 'drift'): string {
  const where = what === 'plan' ? 'files that this plan does not change' : 'files in which nothing drifted';
  return `${countOf(count, 'finding')} in ${where}`;
}

/** What lists them, and what is folded. */
export const listsAll = {
  plan: 'almanac plan -v',
  drift: 'almanac drift -v',
  validate: 'almanac validate -v',
} as const;
