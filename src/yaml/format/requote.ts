// Changes the quotes of a scalar for `fmt`. They go where a text is safe without them, and come in brackets where a
// text without them would be read as something else elsewhere.

import { isScalar, isSeq, parseDocument } from 'yaml';
import { isVisible } from '../../model/values/unseen.ts';
import { isSafePlain, type TextPlace } from './print-string.ts';

const maxLength = 1000;

/** The scalar in its canonical form: plain, in double quotes, or unchanged. */
export function requote(source: string, place: TextPlace): string {
  if (!/^["']/.test(source)) return place.inFlow ? quoteUnsafe(source, place) : source;
  if (source.length > maxLength || source.includes('\n')) return source;
  const value = scalarText(source);
  if (value === undefined || !isVisible(value)) return source;
  if (isSafePlain(value, place)) return value;
  return /["\\]/.test(value) || source.startsWith('"') ? source : `"${value}"`;
}

/**
 * A scalar in brackets, with quotes if it is a text that is not safe without them. A merge key is none. Line breaks mean the
 * same in quotes.
 */
export function quoteUnsafe(source: string, place: TextPlace): string {
  if (/^["'*&!]/.test(source) || (place.isKey && source === '<<')) return source;
  const value = scalarText(source);
  if (value === undefined || isSafePlain(value, place)) return source;
  return /["\\]/.test(source) ? `'${source.replaceAll("'", "''")}'` : `"${source}"`;
}

/** Read in brackets, where every scalar may stand on one line or several. Undefined if it is no text. */
function scalarText(source: string): string | undefined {
  const { errors, contents } = parseDocument(`[${source}]`);
  const item = errors.length === 0 && isSeq(contents) ? contents.items[0] : undefined;
  return isScalar(item) && typeof item.value === 'string' ? item.value : undefined;
}
