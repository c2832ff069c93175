// Quotes only where needed: where the plain text would be read as something else, here or by a YAML 1.1 reader, for which
// `no` is false and `12:30` is a number.

import { isScalar, parseDocument } from 'yaml';
import { memoize } from '../../model/values/memoize.ts';
import { inDoubleQuotes, isVisible } from '../../model/values/unseen.ts';

const versions = ['1.1', '1.2'] as const;
const longest = 1000;
const mostKept = 10_000;

/** The one-line scalar in its canonical form: plain, in double quotes, or unchanged. */
export function requote(source: string, place: { readonly inFlow: boolean; readonly isKey: boolean }): string {
  if (!/^["']/.test(source) || source.length > longest || source.includes('\n')) return source;
  const value = scalarOf(parseDocument(source));
  if (typeof value !== 'string' || !isVisible(value)) return source;
  if (isSafePlain(value, place)) return value;
  return /["\\]/.test(value) || source.startsWith('"') ? source : `"${value}"`;
}

export type Quote = '"' | "'";

/** Any string on one line: plain where that is safe, or in the quotes asked for where they can hold it. */
export function printString(
  text: string,
  place: { readonly inFlow: boolean; readonly isKey: boolean },
  quote?: Quote,
): string {
  const isSeen = isVisible(text);
  if (quote === undefined && isSeen && isSafePlain(text, place)) return text;
  const prefersSingle = quote === "'" || (quote === undefined && /["\\]/.test(text) && !text.includes("'"));
  return isSeen && prefersSingle ? `'${text.replaceAll("'", "''")}'` : inDoubleQuotes(text);
}

function isSafePlain(text: string, { inFlow, isKey }: { readonly inFlow: boolean; readonly isKey: boolean }): boolean {
  // Most strings are letters and single spaces; the parser decides about words with a meaning.
  // Some YAML 1.1 readers treat `=` as a special value and fail.
  if (text === '' || text === '=' || text.trim() !== text) return false;
  return isReadBack(inFlow)(isKey)(text);
}

/** Whether readers of either version give the text back, by the place where it stands: few texts make up a workspace. */
const isReadBack = memoize((inFlow: boolean) =>
  memoize((isKey: boolean) =>
    memoize((text: string) => {
      const line = inFlow ? (isKey ? `{ ${text}: 0 }` : `[ ${text} ]`) : isKey ? `${text}: 0` : `k: ${text}`;
      return versions.every((version) => readBack(line, version, { inFlow, isKey }) === text);
    }, mostKept),
  ),
);

function readBack(
  line: string,
  version: (typeof versions)[number],
  { inFlow, isKey }: { readonly inFlow: boolean; readonly isKey: boolean },
): unknown {
  const document = parseDocument(line, { version, merge: true, prettyErrors: false, logLevel: 'silent' });
  if (document.errors.length > 0 || document.warnings.length > 0 || document.comment || hasComment(document.contents))
    return undefined;
  const { contents } = document;
  if (contents === null || !('items' in contents)) return undefined;
  const items = contents.items as readonly unknown[];
  if (items.length !== 1) return undefined;
  if (inFlow && !isKey) return plainValue(items[0]);
  const pair = items[0] as { key: unknown; value: unknown };
  return plainValue(isKey ? pair.key : pair.value);
}

function plainValue(node: unknown): unknown {
  return isScalar(node) && node.type === 'PLAIN' && node.comment === undefined ? node.value : undefined;
}

function hasComment(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'comment' in node && node.comment !== undefined;
}

function scalarOf(document: { readonly contents: unknown; readonly errors: readonly unknown[] }): unknown {
  return document.errors.length === 0 && isScalar(document.contents) ? document.contents.value : undefined;
}
