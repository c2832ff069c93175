// Values as a reviewer must see them: what a terminal would obey, and what a reader cannot see or takes for a space, is
// escaped as \u…, so that two texts that differ look different. The one place that decides what cannot be seen.

import { isJsonObject, type Json } from '../../model/values/json.ts';
import { knownAtApply, sensitive } from '../../model/values/secret.ts';

// Control and format characters, line separators, halves of pairs, what Unicode calls ignorable (fillers, variation
// selectors, joiners), every space but the plain one, and the letters that are drawn as nothing: the empty Braille
// pattern, the Khitan filler, the null notehead, blank hieroglyphs.
const unseen = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}[\p{Zs}--\x20]\u2800\u{16FE4}\u{1D159}\u{13441}\u{13442}]`;
// A joiner or a selector is part of a picture only inside a sequence that Unicode recommends. Between any other two
// emoji it draws nothing, so it could make two texts differ without looking different.
const emojiOrUnseen = new RegExp(String.raw`(?<emoji>\p{RGI_Emoji})|${unseen}`, 'gv');
const plain = /^[ -~]*$/;

const short: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n' };

/** One line of text with every invisible character escaped. */
export function visibleText(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(emojiOrUnseen, (found: string, emoji: string | undefined) =>
    emoji === undefined ? (short[found] ?? escapeOf(found)) : found,
  );
}

/** A text in quotes, as JSON writes it. */
export function quoteText(text: string): string {
  return visibleText(JSON.stringify(text));
}

function escapeOf(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A value on one line. Secrets arrive masked; a mask has no quotes. */
export function valueText(value: Json): string {
  if (typeof value === 'string') return isMask(value) ? value : quoteText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, entry]) => `${keyText(key)}: ${valueText(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A key as part of a path: quoted unless it is a plain word. */
export function keyText(key: string): string {
  return /^[A-Za-z0-9_$-]+$/.test(key) ? key : quoteText(key);
}

export function isMask(value: Json | undefined): boolean {
  return value === sensitive || value === knownAtApply;
}
