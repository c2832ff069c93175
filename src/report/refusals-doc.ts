// Refusals in words. Those with the same reason are one entry, with the names and then the reason and the advice.

import { groupBy } from '../model/values/collections.ts';
import type { Refusal } from '../model/values/refusal.ts';
import { maxListed, moreWords } from '../model/values/words.ts';
import { type Doc, hint, messageBlock, shownOf } from './doc.ts';

/** Refusals with the same message and hint become one. `common` gives the part of a message that must be the same. */
export function foldRefusals<A>(
  refusals: readonly Refusal<A>[],
  common: (message: string) => string = (message) => message,
): readonly Refusal<A>[] {
  const keyOf = ({ about, message, hint: way }: Refusal<A>) => JSON.stringify([about.length > 0, common(message), way]);
  return [...groupBy(refusals, keyOf).values()].map((same) => {
    const [first] = same;
    const isEqual = same.every(({ message }) => message === first.message);
    const message = isEqual ? first.message : common(first.message);
    return { ...first, about: same.flatMap(({ about }) => about), message };
  });
}

/** `namesDoc` prints everything with one reason. */
export function refusalsDoc<A>(
  refusals: readonly Refusal<A>[],
  namesDoc: (about: readonly A[]) => Doc,
  { showsAll }: { readonly showsAll?: boolean },
): Doc {
  const folded = foldRefusals(refusals);
  const shown = folded.slice(0, shownOf(folded.length, maxListed, showsAll));
  const rest = folded.slice(shown.length).reduce((sum, { about }) => sum + Math.max(about.length, 1), 0);
  return [
    ...shown.flatMap(({ about, message, hint: way }, index) => [
      ...(about.length === 0 ? [{ message }] : [...namesDoc(about), messageBlock(message)]),
      // Once, below the last of those that it helps.
      way !== shown[index + 1]?.hint && hint(way),
    ]),
    rest > 0 && moreWords(rest),
  ];
}
