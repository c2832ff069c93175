// What was probably meant by a recipient whom nobody has.

import { didYouMean } from '../../validate/findings/suggest.ts';

/** A whole sentence; undefined where nothing is like it. */
export function suggestRecipient(pattern: string, known: readonly string[]): string | undefined {
  const domain = pattern.replace(/^@/, '');
  const isDomain = known.some((name) => name.toLowerCase().endsWith(`@${domain.toLowerCase()}`));
  return isDomain ? `For everybody in that domain: '*@${domain}'.` : didYouMean(pattern, known);
}
