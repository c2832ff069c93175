// The words of status, drift and doctor about declared changes that nobody applied.

import type { Unapplied } from '../../model/plan/unapplied.ts';
import { command } from '../../model/values/command.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { type Doc, strong } from '../doc.ts';

/** The gravest is first. */
export function unappliedDoc(unapplied: Unapplied): Doc {
  const merged = mergedWords(unapplied);
  return [merged !== '' && strong(merged), recentWords(unapplied), ...notAppliedWords(unapplied)];
}

/** Empty if there are none. */
export function mergedWords({ merged, takingAway }: Unapplied): string {
  if (merged.length === 0) return '';
  const were = merged.length === 1 ? 'was' : 'were';
  const away = takingAway === 0 ? '' : `; ${takingAway === 1 ? 'one takes' : `${takingAway} take`} away a recipient`;
  return `${countOf(merged.length, 'change')} ${were} merged and never applied${away}: ${nameSome(merged)}. \`${command('plan')}\` shows ${merged.length === 1 ? 'it' : 'them'}.`;
}

const untold: Readonly<Record<NonNullable<Unapplied['notTold']>, string>> = {
  'no-git': 'git does not answer here',
  shallow: 'the clone is shallow (`git fetch --unshallow origin`, or `fetch-depth: 0`)',
  errors: 'the files of the commits before that have errors',
  unread: 'git does not have the files of a day ago (`git fetch` with access to the remote)',
  lfs: 'a file of a day ago is in Git LFS, and not compared (`git lfs fetch --all`)',
};

/** Unapplied changes that are not known to be a day old; empty if there are none. */
export function recentWords({ recent, notTold }: Unapplied): string {
  if (recent === 0) return '';
  const changes = `${countOf(recent, 'change')} ${recent === 1 ? 'is' : 'are'} not applied`;
  if (notTold === undefined) return `${changes} yet: ${recent === 1 ? 'it was' : 'they were'} made within a day.`;
  return `${changes}, and it is not known since when: ${untold[notTold]}.`;
}

export function notAppliedWords({ left }: Unapplied): readonly string[] {
  return left.map(({ address, reason }) => `${address} is not applied: ${reason}`);
}
