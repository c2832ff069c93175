// Text of a service as people may see it.

import { stripVTControlCharacters } from 'node:util';
import type { Mask } from '../model/values/secret.ts';
import { oneLine } from '../model/values/words.ts';

/** A single line, also without control sequences. */
export function cleanText(text: string): string {
  return oneLine(stripVTControlCharacters(text));
}

/** Any text that is not ours, as it may be shown. `mask` covers every secret that it could repeat. */
export function shownText(text: string, mask: Mask, longest = 500): string {
  const words = mask(cleanText(mask(text)));
  return words.length <= longest ? words : `${cleanText(words.slice(0, longest))}…`;
}
