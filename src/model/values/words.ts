// Words for people: counts, lists and where they are cut, texts that are shortened or quoted, and names from which keys,
// files and environment variables are made.

import { largest } from './collections.ts';
import { replaceLooseAccents } from './unseen.ts';

/** `999`, `5,000`. */
export function grouped(count: number): string {
  const digits = String(count);
  return digits.length <= 3 ? digits : `${grouped(Math.floor(count / 1000))},${digits.slice(-3)}`;
}

/** Counts in words: "1 error", "2 errors", "3 to create, 1 to update". */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : several}`;
}

/** The counts that aren't zero, in the order given, each before its words. */
export function countList(counts: readonly (readonly [count: number, words: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${grouped(count)} ${words}`)
    .join(', ');
}

/** Up to this many equal ones are shown one by one; more are one entry, which names as many. */
export const maxEqual = 3;

/** The same limit if each is a single line about something of its own: moves, adoptions, what an apply does. */
export const maxSingle = 10;

/** The number of entries that are shown from a list that is only read; what is to be written or run is whole. */
export const maxListed = 5;

/** The limit if each has to be judged by somebody: whoever receives what, or sees whose rows. */
export const maxJudged = 10;

/** The words on a terminal: `and 87 more (-v lists all)`. */
export function moreWords(count: number): string {
  return `and ${grouped(count)} more (-v lists all)`;
}

/** `a, b, c and 87 more`. `count` is that of all, if `names` holds only some of them. */
export function nameSome(names: readonly string[], count = names.length, most = maxListed): string {
  const named = names.slice(0, most);
  const rest = count - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${grouped(rest)} more`;
}

/** `a, b and c`, each as code. */
export function codeList(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${conjunction} ${last}`;
}

/** The message for a required field: required always, or by a choice such as `destinationType email`. */
export function missingWords(name: string, by?: string): string {
  return `\`${name}\` is missing${by === undefined ? '' : `: ${by} requires it`}.`;
}

const blanks = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** A single line without control characters, direction marks and halves of characters. */
export function oneLine(text: string): string {
  return text.replace(blanks, ' ').trim();
}

export function shortText(text: string, longest = 200): string {
  const line = oneLine(text.slice(0, 8 * longest));
  const characters = [...line];
  return characters.length <= longest && text.length <= 8 * longest
    ? line
    : `${characters.slice(0, longest).join('')}…`;
}

/**
 * A name in a sentence: between backticks, which reports show as code. As in Markdown, a name that holds backticks stands
 * between more of them.
 */
export function inBackticks(name: string): string {
  const runs = name.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${name}\``;
  const marks = '`'.repeat(1 + largest(runs.map(({ length }) => length)));
  const space = /^`|`$/.test(name) ? ' ' : '';
  return `${marks}${space}${name}${space}${marks}`;
}

/** The text for the command line of a shell: in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command of git, in backticks. `repository`: where its root is from here, `.` for this folder. */
export function gitCommand(repository: string, command: string, paths: readonly string[] = []): string {
  const at = repository === '.' ? [] : ['-C', shellWord(repository)];
  const end = paths.some((path) => path.startsWith('-')) ? ['--'] : [];
  return inBackticks(['git', ...at, command, ...end, ...paths.map(shellWord)].join(' '));
}

/**
 * Removes the characters at the end that match `one`. An expression such as `-+$` looks at a long run of them again
 * from each of its characters.
 */
export function trimEndOf(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The length of the longest key. */
export const maxLetters = 64;

/** Lower-case words joined by hyphens, such as `weekly-sales`; empty if no ASCII letter or digit is left. */
export function kebabOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll('’', '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLetters)
    .replace(/^-|-$/g, '');
}

// Quotes a part of a value in a message: in backticks, on one line, with invisible characters made visible and long
// strings truncated. If a value contains a secret, neither the message nor the hint of a check may be shown: both may quote
// it, as written or decoded.

const maxLength = 60;
const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * maxLength)];
  const cut = characters.length > maxLength || text.length > 2 * maxLength;
  const whole = characters.slice(0, maxLength).join('').replaceAll(unseen, escaped).replaceAll('`', "'");
  const shown = replaceLooseAccents(whole, escaped);
  return `\`${shown}${cut ? '…' : ''}\``;
}

/** The name of an invisible character in a sentence: `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
