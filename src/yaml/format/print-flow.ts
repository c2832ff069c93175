// Collections in brackets and braces: on one line they get the usual spaces and are sorted like any map; over several
// lines they are kept and moved as a whole.

import { type CST, Document, isCollection, isScalar, parseDocument } from 'yaml';
import { memoize } from '../../model/values/memoize.ts';
import { inDoubleQuotes, isVisible } from '../../model/values/words.ts';
import { CannotEdit } from '../edit/edit-tree.ts';
import { type Entry, entriesOf, isMap, itemsOf, keyOf, type Source } from '../edit/entries.ts';
import { type Order, sortEntries } from './sort-entries.ts';

/** Undefined if it has several lines or a comment. */
export function flowOnOneLine(token: CST.FlowCollection, order: Order | undefined): string | undefined {
  try {
    return printFlow(token, order);
  } catch (error) {
    if (error instanceof CannotEdit) return undefined;
    throw error;
  }
}

function printFlow(token: CST.FlowCollection, order: Order | undefined): string {
  const entries = entriesOf(token);
  // Refuses a comment behind the last comma.
  propsOf(itemsOf(token).at(-1)?.start ?? []);
  const sorted = isMap(token) && order !== undefined ? sortEntries(entries, order) : entries;
  const items = sorted.map((entry) => printEntry(entry, order, isMap(token)));
  if (items.length === 0) return isMap(token) ? '{}' : '[]';
  return isMap(token) ? `{ ${items.join(', ')} }` : `[${items.join(', ')}]`;
}

/** Anchors and tags. Throws CannotEdit for a comment or another line. */
function propsOf(tokens: readonly Source[]): readonly string[] {
  return tokens.flatMap(({ type, source }) => {
    if (type === 'anchor' || type === 'tag') return source;
    if (type === 'space' || type === 'comma' || type === 'map-value-ind') return [];
    throw new CannotEdit(type);
  });
}

function printEntry({ start, key, sep, value }: Entry, order: Order | undefined, isMap: boolean): string {
  const hasColon = sep.some(({ type }) => type === 'map-value-ind');
  if (!key && hasColon) throw new CannotEdit('colon without a key');
  const below = order?.below(isMap && key ? nameOf(key) : '');
  const [before, props] = [propsOf(start), propsOf(sep)];
  const after = [...props, ...(value === undefined || value === null ? [] : [printInline(value, below, false)])];
  // A key alone (`{ a, b }`) has the value null.
  return [...before, ...(key ? [`${printInline(key, undefined, true)}:`] : []), ...after].join(' ');
}

function printInline(token: CST.Token, order: Order | undefined, isKey: boolean): string {
  if (token.type === 'flow-collection' && !isKey) return printFlow(token, order);
  if (!isFlowScalar(token) || token.source.includes('\n')) throw new CannotEdit('several lines');
  // Refuses a comment behind it.
  propsOf(token.end ?? []);
  return requote(token.source, { inFlow: true, isKey });
}

/** The name of a key. */
export function nameOf(key: Entry['key']): string {
  if (!key || !isFlowScalar(key) || key.type === 'alias') throw new CannotEdit('key');
  return keyOf({ start: [], sep: [], key }) ?? key.source;
}

function isFlowScalar(token: CST.Token): token is CST.FlowScalar {
  return ['alias', 'scalar', 'single-quoted-scalar', 'double-quoted-scalar'].includes(token.type);
}

// Quotes only where needed: where the plain text would be read as something else, here or by a YAML 1.1 reader, for which
// `no` is false and `12:30` is a number.

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
