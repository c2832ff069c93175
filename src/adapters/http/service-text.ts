// Makes text from the service fit to show: removes control characters, masks secrets, and limits the length. Masking comes
// before the cut; otherwise the first half of a secret would remain.

import { stripVTControlCharacters } from 'node:util';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Mask } from '../../model/values/mask-secrets.ts';

/** A single line without control sequences, direction marks and similar characters. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\s]+/gu, ' ')
    .trim();
}

/** Any text that is not ours, as it may be shown. `mask` covers every secret that it could repeat. */
export function shownText(text: string, mask: Mask, longest = 500): string {
  const words = mask(cleanText(mask(text)));
  return words.length <= longest ? words : `${cleanText(words.slice(0, longest))}…`;
}

/** The text of an unsuccessful answer: its detail, message or error, or else the whole body. */
export function readWords(text: string, mask: Mask): string {
  return shownText(wordsOf(text), mask);
}

function wordsOf(text: string): string {
  const answer = parseJson(text);
  if (!isJsonObject(answer)) return text;
  for (const name of ['detail', 'message', 'error']) {
    const words = answer[name];
    if (typeof words === 'string' && words.trim() !== '') return words;
    if (typeof words === 'object' && words !== null) return JSON.stringify(words);
  }
  return text;
}

/** The parsed JSON; undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
