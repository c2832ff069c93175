// What is said of a word of the command line that is none of those that could stand there.

import { nearest } from '../../validate/findings/suggest.ts';

/** A line of its own, as the parser of the command line says it of options; empty where no word is near. */
export function nearestWord(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : `\n(Did you mean ${near}?)`;
}
