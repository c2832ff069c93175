// Words for people: counts and lists, texts that are cut or quoted, keys made of names, patterns with asterisks, and the
// characters that a reader cannot see.

import { largest } from './collections.ts';
import { memoize } from './memoize.ts';

/** Counts in words: "1 error", "2 errors", "3 to create, 1 to update". */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The counts that aren't zero, in the order given, each before its words. */
export function countList(counts: readonly (readonly [count: number, words: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}

// How much of many alike a report shows, and what stands at the end of a list that is cut.

/** Up to this many equal ones are shown one by one; more are one entry, which names as many. */
export const mostEqual = 3;

/** The same where each is a single line about something of its own: moves, adoptions, results. */
export const mostSingle = 10;

/** For a terminal: `and 87 more (-v lists all)`. */
export function moreWords(count: number): string {
  return `and ${count} more (-v lists all)`;
}

/** `a, b, c and 87 more`. `count`: of all, where `names` holds only some of them. */
export function nameSome(names: readonly string[], count = names.length, most = mostEqual): string {
  const named = names.slice(0, most);
  const rest = count - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}

/** `a, b and c`, each as code. */
export function codeList(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${conjunction} ${last}`;
}

// Texts for messages: cut, in backticks, or decoded as far as that goes.

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
  const marks = '`'.repeat(
    1 +
      largest(
        0,
        runs.map(({ length }) => length),
      ),
  );
  const space = /^`|`$/.test(name) ? ' ' : '';
  return `${marks}${space}${name}${space}${marks}`;
}

/** For the command line of a shell: in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

// A part of a URL without its percent signs.

/** The text itself where a percent sign encodes nothing. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Without the characters at its end that match `one`. An expression such as `-+$` looks at a long run of them again from each of
 * its characters.
 */
export function trimEndOf(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0 && one.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

// Characters that a reader cannot see or takes for a space. The one place that decides which they are.

// Control and format characters, line separators, halves of pairs, what Unicode calls ignorable (fillers, variation
// selectors, joiners), every space but the plain one, and the letters that are drawn as nothing: the empty Braille
// pattern, the Khitan filler, the null notehead, blank hieroglyphs.
const unseen = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}[\p{Zs}--\x20]\u2800\u{16FE4}\u{1D159}\u{13441}\u{13442}]`;
// A joiner or a selector is part of a picture only inside a sequence that Unicode recommends. Between any other two
// emoji it draws nothing, so it could make two texts differ without looking different.
const emojiOrUnseen = String.raw`(?<emoji>\p{RGI_Emoji})|${unseen}`;
const plain = /^[ -~]*$/;
const ascii = /^\p{ASCII}*$/u;
/** Only when a text needs it: to compile all those sequences takes a third of the time in which Node starts. */
const compiled = memoize((pattern) => new RegExp(pattern, 'gv'));

/** The text with something else in place of every character that cannot be seen, line breaks included. */
export function replaceUnseen(text: string, replace: (character: string) => string): string {
  if (plain.test(text) || text.search(compiled(unseen)) === -1) return text;
  if (ascii.test(text)) return text.replace(compiled(unseen), (found) => replace(found));
  return text.replace(compiled(emojiOrUnseen), (found: string, emoji: string | undefined) =>
    emoji === undefined ? replace(found) : found,
  );
}

/** Whether a reader sees all of a text. */
export function isVisible(text: string): boolean {
  let isSeen = true;
  replaceUnseen(text, (character) => {
    isSeen = false;
    return character;
  });
  return isSeen;
}

/** In double quotes, as YAML reads it: what cannot be seen is escaped. */
export function inDoubleQuotes(text: string): string {
  return replaceUnseen(JSON.stringify(text), (found) => {
    const code = (found.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

// Any text as words that keys, files and environment variables can be made of.

/** The length of the longest key. */
export const mostLetters = 64;

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
    .slice(0, mostLetters)
    .replace(/^-|-$/g, '');
}

// Patterns that people write: `*` stands for any characters, and everything else for itself.

/**
 * Whether the whole of a text matches. Works without a regular expression, which would take for ever for a pattern with
 * many stars.
 */
export function wildcard(pattern: string, { ignoresCase = false } = {}): (text: string) => boolean {
  const plain = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const [first = '', ...rest] = plain(pattern).split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => plain(text) === first;
  return (given) => {
    const text = plain(given);
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const part of rest) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return text.length - from >= last.length && text.endsWith(last);
  };
}
