// Characters that a reader cannot see or takes for a space. The one place that decides which they are.

import { memoize } from './collections.ts';

// Control and format characters, line separators, halves of pairs, what Unicode calls ignorable (fillers, variation
// selectors, joiners), every space but the plain one, and the letters that are drawn as nothing: the empty Braille
// pattern, the Khitan filler, the null notehead, blank hieroglyphs.
const unseen = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}[\p{Zs}--\x20]\u2800\u{16FE4}\u{1D159}\u{13441}\u{13442}]`;
// A joiner or a selector is part of a picture only inside a sequence that Unicode recommends. Between any other two
// emoji it draws nothing, so it could make two texts differ without looking different.
const emojiOrUnseen = String.raw`(?<emoji>\p{RGI_Emoji})|${unseen}`;
const plain = /^[ -~]*$/;
const ascii = /^\p{ASCII}*$/u;
/** Compiled only when a text needs it: all those sequences take a third of the time in which Node starts. */
const compiled = memoize((pattern) => new RegExp(pattern, 'gv'));

/** The text with something else in place of every character that cannot be seen, line breaks included. */
export function replaceUnseen(text: string, replace: (character: string) => string): string {
  if (plain.test(text) || text.search(compiled(unseen)) === -1) return text;
  if (ascii.test(text)) return text.replace(compiled(unseen), (found) => replace(found));
  return text.replace(compiled(emojiOrUnseen), (found: string, emoji: string | undefined) =>
    emoji === undefined ? replace(found) : found,
  );
}

/** The text with something else in place of every accent that stands behind its letter: it looks like the one letter that holds both. */
export function replaceLooseAccents(text: string, replace: (accent: string) => string): string {
  if (plain.test(text) || text === text.normalize('NFC')) return text;
  return text.replace(/(\P{M})(\p{M})/gu, (both: string, letter: string, accent: string) =>
    both === both.normalize('NFC') ? both : letter + replace(accent),
  );
}

/** True if a reader sees all of a text. */
export function isVisible(text: string): boolean {
  let isSeen = true;
  replaceUnseen(text, (character) => {
    isSeen = false;
    return character;
  });
  return isSeen;
}

/** The text in double quotes, as YAML reads it: what cannot be seen is escaped. */
export function inDoubleQuotes(text: string): string {
  return replaceUnseen(JSON.stringify(text), (found) => {
    const code = (found.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}
