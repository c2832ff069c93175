// What is said of a command that `almanac help` was asked for and that there is none of.

import { nearest } from '../validate/suggest.ts';

export function unknownCommand(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `error: unknown command '${name}'${near === undefined ? '' : `\n(Did you mean ${near}?)`}`;
}
