// The suggestion for a word of the command line that is not one of the known words.

import { nearest } from '../../validate/findings/suggest.ts';

/** A line of its own, worded as the parser does for options; empty if no word is near. */
export function nearestWord(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : `\n(Did you mean ${near}?)`;
}
