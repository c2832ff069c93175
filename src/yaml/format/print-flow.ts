// Collections in brackets and braces: on one line they get the usual spaces and are sorted like any map; over several
// lines they are kept and moved as a whole.

import { CST, Document, isCollection, isScalar, parseDocument } from 'yaml';
import { memoize } from '../../model/values/memoize.ts';
import { inDoubleQuotes, isVisible } from '../../model/values/words.ts';
import { type Entry, UnknownLayout } from './layout-tree.ts';
import { type Order, sortEntries } from './sort-entries.ts';

/** Undefined if it has several lines or a comment. */
export function flowOnOneLine(token: CST.FlowCollection, order: Order | undefined): string | undefined {
  try {
    return printFlow(token, order);
  } catch (error) {
    if (error instanceof UnknownLayout) return undefined;
    throw error;
  }
}

function printFlow(token: CST.FlowCollection, order: Order | undefined): string {
  const isMap = token.start.type === 'flow-map-start';
  const entries = token.items.filter((item) => !isEmpty(item)).map(flowEntry);
  const sorted =
    isMap && order !== undefined
      ? sortEntries(entries, order, ({ key }) => (key === undefined ? '' : nameOf(key)))
      : entries;
  const items = sorted.map((entry) => printEntry(entry, order, isMap));
  if (items.length === 0) return isMap ? '{}' : '[]';
  return isMap ? `{ ${items.join(', ')} }` : `[${items.join(', ')}]`;
}

/** What follows the last comma. */
function isEmpty({ start, key, sep, value }: CST.FlowCollection['items'][number]): boolean {
  return !key && !value && !sep && start.every(({ type }) => type === 'comma' || type === 'space');
}

function flowEntry({ start, key, sep, value }: CST.FlowCollection['items'][number]): Entry {
  const before = propsOf(start);
  if (key && !sep) throw new UnknownLayout('key without a colon');
  if (key && key.type !== 'scalar' && key.type !== 'double-quoted-scalar' && key.type !== 'single-quoted-scalar')
    throw new UnknownLayout('key');
  if (!key && sep) throw new UnknownLayout('colon without a key');
  if (value && !isInline(value)) throw new UnknownLayout('several lines');
  const text = value && isInline(value) ? ({ type: 'text', token: value, comment: '' } as const) : undefined;
  return {
    leading: [],
    keyProps: key ? before : [],
    key: key ?? undefined,
    props: key ? propsOf(sep ?? []) : before,
    comment: '',
    below: [],
    value: text,
  };
}

function isInline(token: CST.Token): token is CST.FlowScalar | CST.FlowCollection {
  return (
    token.type === 'alias' ||
    token.type === 'scalar' ||
    token.type === 'single-quoted-scalar' ||
    token.type === 'double-quoted-scalar' ||
    token.type === 'flow-collection'
  );
}

function propsOf(tokens: readonly CST.SourceToken[]): readonly string[] {
  return tokens.flatMap(({ type, source }) => {
    if (type === 'anchor' || type === 'tag') return source;
    if (type === 'space' || type === 'comma' || type === 'map-value-ind') return [];
    throw new UnknownLayout(type);
  });
}

function printEntry({ keyProps, key, props, value }: Entry, order: Order | undefined, isMap: boolean): string {
  const name = key === undefined ? '' : nameOf(key);
  const text =
    value?.type === 'text'
      ? [printInline(value.token, order?.below(isMap ? name : ''))].filter((part) => part !== '')
      : [];
  const after = [...props, ...text].join(' ');
  if (key === undefined) return after;
  // Another key of this kind (`{ a, b }`) has the value null.
  return [...keyProps, `${scalarText(key, true)}:`, ...(after === '' ? [] : [after])].join(' ');
}

function printInline(token: CST.Token, order: Order | undefined): string {
  if (token.type === 'flow-collection') {
    if (hasTokensAfter(token.end.slice(1))) throw new UnknownLayout('comment');
    return printFlow(token, order);
  }
  if (!isInline(token)) throw new UnknownLayout(token.type);
  return scalarText(token, false);
}

function scalarText(token: CST.FlowScalar, isKey: boolean): string {
  if (token.source.includes('\n') || hasTokensAfter(token.end ?? [])) throw new UnknownLayout('several lines');
  return requote(token.source, { inFlow: true, isKey });
}

function hasTokensAfter(tokens: readonly CST.SourceToken[]): boolean {
  return tokens.some(({ type }) => type !== 'space');
}

/** The name of a key. */
export function nameOf(key: CST.FlowScalar): string {
  return CST.resolveAsScalar(key)?.value ?? key.source;
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
