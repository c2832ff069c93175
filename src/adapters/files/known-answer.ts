// The version and the help texts, as the build has them from the program itself. To print one, nothing of the program
// has to be loaded.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the program. */
export const answersFile = 'answers.json';

/** The arguments as a key of the answers. */
export const answerKey = (argv: readonly string[]): string => JSON.stringify(argv);

/** Undefined if the program has to find the answer. */
export function knownAnswer(folder: string, argv: readonly string[]): string | undefined {
  const last = argv.at(-1);
  if (last !== '--help' && last !== '--version') return undefined;
  try {
    return JSON.parse(readFileSync(join(folder, answersFile), 'utf8'))[answerKey(argv)];
  } catch {
    return undefined;
  }
}
