// A command in a sentence, between marks: a printer finds it there, adds the options of the run to it and keeps it on one line.
// Names from files and from Omni are never searched, so one that reads like a command stays as it is.

import { shellWord } from './words.ts';

/**
 * Drawn when the program starts, so no file and no answer can hold it. What makes a text harmless (`visibleText`) removes it,
 * so that no output depends on it.
 */
const mark = `\ue000${Math.random().toString(36).slice(2)}\ue001`;

/** `command('state rm', address)`: words that are false are left out, the others quoted for a shell where they need it. */
export function command(name: string, ...words: readonly (string | false)[]): string {
  const given = words.filter((word) => word !== false);
  return `${mark}${['almanac', name, ...given.map(shellWord)].join(' ')}${mark}`;
}

/** A text that a schema holds, so that it was made before this run: its commands, in backticks, marked. */
export function withCommands(words: string): string {
  return words.replaceAll(/(?<=`)almanac [^`]+(?=`)/g, `${mark}$&${mark}`);
}

/** The pieces of a text: those at odd places are commands. */
export function splitAtCommands(text: string): readonly string[] {
  return text.split(mark);
}

/** The text with something else in place of each command, marked as before. */
export function mapCommands(text: string, of: (command: string) => string): string {
  if (!text.includes(mark)) return text;
  return splitAtCommands(text)
    .map((piece, index) => (index % 2 === 1 ? of(piece) : piece))
    .join(mark);
}

/** The text as documents hold it: each command is a part of the text like any other. */
export function withoutMarks(text: string): string {
  return text.includes(mark) ? text.replaceAll(mark, '') : text;
}

/** Plain enough to stand in a command line that people paste into a shell. */
const plainIdentifier = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** The command that declares a dashboard's schedules; undefined where its identifier cannot be pasted as it is. */
export function importCommand(identifier = ''): string | undefined {
  return plainIdentifier.test(identifier) ? command('import', '--identifier', identifier) : undefined;
}
