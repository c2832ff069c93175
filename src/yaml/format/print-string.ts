// Quotes only where needed: where the plain text would be read as something else, here or by a YAML 1.1 reader, for which
// `no` is false and `12:30` is a number.

import { Document, isCollection, isScalar, parseDocument } from 'yaml';
import { memoize } from '../../model/values/memoize.ts';
import { inDoubleQuotes, isVisible } from '../../model/values/unseen.ts';

const longest = 1000;
const mostKept = 10_000;

/** The one-line scalar in its canonical form: plain, in double quotes, or unchanged. */
export function requote(source: string, place: ScalarPlace): string {
  if (!/^["']/.test(source) || source.length > longest || source.includes('\n')) return source;
  const value = scalarOf(parseDocument(source));
  if (typeof value !== 'string' || !isVisible(value)) return source;
  if (isSafePlain(value, place)) return value;
  return /["\\]/.test(value) || source.startsWith('"') ? source : `"${value}"`;
}

export type Quote = '"' | "'";

/** Any string on one line: plain where that is safe, or in the quotes asked for where they can hold it. */
export function printString(text: string, place: ScalarPlace, quote?: Quote): string {
  const isSeen = isVisible(text);
  if (quote === undefined && isSeen && isSafePlain(text, place)) return text;
  const prefersSingle = quote === "'" || (quote === undefined && /["\\]/.test(text) && !text.includes("'"));
  return isSeen && prefersSingle ? `'${text.replaceAll("'", "''")}'` : inDoubleQuotes(text);
}

/** Where a text stands; a key has a colon behind it. */
interface ScalarPlace {
  readonly inFlow: boolean;
  readonly isKey: boolean;
}

function isSafePlain(text: string, place: ScalarPlace): boolean {
  // Some YAML 1.1 readers treat `=` as a special value and fail.
  return text !== '=' && staysPlain(JSON.stringify(place))(text);
}

/** Whether the package writes the text without quotes, by the place: few texts make up a workspace. */
const staysPlain = memoize((placed: string) =>
  memoize((text: string) => {
    const { inFlow, isKey } = JSON.parse(placed) as ScalarPlace;
    const document = new Document(isKey ? { [text]: 0 } : [text], { compat: 'yaml-1.1' });
    if (isCollection(document.contents)) document.contents.flow = inFlow;
    const line = isKey ? (inFlow ? `{ ${text}: 0 }` : `${text}: 0`) : inFlow ? `[ ${text} ]` : `- ${text}`;
    return document.toString({ lineWidth: 0 }) === `${line}\n`;
  }, mostKept),
);

function scalarOf(document: { readonly contents: unknown; readonly errors: readonly unknown[] }): unknown {
  return document.errors.length === 0 && isScalar(document.contents) ? document.contents.value : undefined;
}
