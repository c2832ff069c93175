// The tokens of a YAML file as entries of maps and lists. Tokens hold every character, so one that is moved to the entry
// beside it prints as before. The yaml package leaves a comment wherever it meets it; here its column decides: a comment
// further left than a map or list belongs to what follows that.

import { CST, Parser } from 'yaml';
import { pushAll } from '../../model/values/collections.ts';
import { CannotEdit } from './edit-tree.ts';

export type Source = CST.SourceToken;
export type Block = CST.BlockMap | CST.BlockSequence;
export type Collection = Block | CST.FlowCollection;

/** A key or a dash with its value, to be changed in place. */
export interface Entry {
  /**
   * In a block, the lines above it and its indentation; in brackets, all between it and the entry before. The anchor
   * and the tag of its key follow.
   */
  start: Source[];
  readonly key?: CST.Token | null;
  /** The colon or dash, the anchor and tag of the value, and what follows them before the value. */
  readonly sep: Source[];
  value?: CST.Token | undefined;
}

export interface Page {
  readonly tokens: readonly CST.Token[];
  /** The root of each document, which is an entry without a key, and what follows it. */
  readonly documents: readonly (readonly Entry[])[];
}

export function readDocuments(text: string): Page {
  const tokens = [...new Parser().parse(text)].map((token) =>
    token.type === 'document' ? settledDocument(token) : token,
  );
  return { tokens, documents: tokens.flatMap((token) => (token.type === 'block-map' ? [itemsOf(token)] : [])) };
}

/** All tokens of a value, or of an entry but what is above it. */
export function* sourcesIn(part: CST.Token | Entry): Generator<Source | CST.FlowScalar | CST.BlockScalar> {
  if ('sep' in part) {
    if (part.key) yield* sourcesIn(part.key);
    yield* part.sep;
    if (part.value) yield* sourcesIn(part.value);
  } else if ('items' in part) {
    for (const item of itemsOf(part)) {
      yield* item.start;
      yield* sourcesIn(item);
    }
  } else {
    if ('props' in part) yield* part.props as Source[];
    yield part as Source;
  }
  if ('end' in part && part.end) yield* part.end;
}

/** The document as a map of one entry. */
function settledDocument({ start, value, end = [], offset }: CST.Document): CST.BlockMap {
  const items = [{ start: [], sep: start, value }, { start: end }] as unknown as CST.BlockMap['items'];
  const map: CST.BlockMap = { type: 'block-map', offset, indent: -1, items };
  const left = settle(map, [], -1);
  pushAll(map.items.at(-1)?.start ?? [], left);
  return map;
}

/**
 * Gives each entry of a collection the lines above it, and adds a last one, with a start only, for those at the end.
 * Returns the lines that are too far left for an entry at that column to own them.
 */
function settle(token: Collection, above: Source[], column: number): Source[] {
  const isFlow = token.type === 'flow-collection';
  const entries: Entry[] = [];
  let between = above;
  for (const item of token.items as CST.CollectionItem[]) {
    const part = item.start.findIndex(isPart);
    const isEntry = item.key || item.sep || item.value || part >= 0;
    // A dash, or the anchor of an item in brackets, is beside the value, as a colon is.
    const sep = item.sep ?? (item.key || part < 0 ? [] : item.start.splice(part));
    between = [...between, ...item.start];
    if (!isEntry) continue;
    const entry = { ...item, start: between, sep };
    entries.push(entry);
    between = settleValue(entry, token);
  }
  const own = isFlow ? between.length : deeper(between, column);
  entries.push({ start: between.slice(0, own), sep: [] });
  setItems(token, entries);
  return between.slice(own);
}

/** Returns what follows the entry: the lines below it, or in brackets, all before the next one. */
function settleValue({ sep, value }: Entry, within: Collection): Source[] {
  const head = headOf(sep);
  const isFlow = within.type === 'flow-collection';
  if (isBlock(value)) return settle(value, sep.splice(head === 0 ? 0 : lineEnd(sep, head)), within.indent);
  if (value?.type === 'block-scalar') return [];
  if (value?.type === 'flow-collection') settle(value, [], within.indent);
  const tokens = value === undefined ? sep : endOf(value);
  const from = value === undefined ? head : value.type === 'flow-collection' ? 1 : 0;
  return tokens.splice(isFlow || tokens.length === 0 ? from : lineEnd(tokens, from));
}

/** The tokens after a value on its line; in brackets, also below. */
function endOf(value: CST.Token): Source[] {
  switch (value.type) {
    case 'flow-collection':
      return value.end;
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      value.end ??= [];
      return value.end;
    default:
      throw new CannotEdit(value.type);
  }
}

/** All but the last, which has only a start. */
export function entriesOf(token: Collection): readonly Entry[] {
  return itemsOf(token).slice(0, -1);
}

/** The last item is included. */
export function itemsOf(token: Collection): Entry[] {
  return token.items as Entry[];
}

export function setItems(token: Collection, items: readonly Entry[]): void {
  token.items = items as CST.BlockMap['items'] & CST.BlockSequence['items'];
}

export function isBlock(token: CST.Token | undefined): token is Block {
  return token?.type === 'block-map' || token?.type === 'block-seq';
}

export function isCollection(token: CST.Token | undefined): token is Collection {
  return isBlock(token) || token?.type === 'flow-collection';
}

export function isMap(token: Collection): boolean {
  return token.type === 'block-map' || (token.type === 'flow-collection' && token.start.type === 'flow-map-start');
}

/** The name of an entry's key; undefined for the item of a list. */
export function keyOf({ key }: Entry): string | undefined {
  return key ? CST.resolveAsScalar(key)?.value : undefined;
}

/** True if an entry merges another map: `<<`, written plain. */
export function isMerge({ key }: Entry): boolean {
  return key?.type === 'scalar' && key.source === '<<';
}

export function anchorOf({ sep }: Entry): string | undefined {
  return sep.find(({ type }) => type === 'anchor')?.source.slice(1);
}

const between: ReadonlySet<Source['type']> = new Set(['space', 'newline', 'comment', 'comma']);

export function isPart({ type }: Source): boolean {
  return !between.has(type);
}

/** Counts the tokens before the blanks and comments at the end. */
export function headOf(tokens: readonly Source[]): number {
  return tokens.findLastIndex(isPart) + 1;
}

export function lineEnd(tokens: readonly Source[], from = 0): number {
  const found = tokens.findIndex(({ type }, index) => index >= from && type === 'newline');
  return found < 0 ? tokens.length : found + 1;
}

/** The last line has no line break; it may be empty. */
export function linesOf(tokens: readonly Source[]): readonly (readonly Source[])[] {
  const lines: Source[][] = [[]];
  for (const token of tokens) {
    lines.at(-1)?.push(token);
    if (token.type === 'newline') lines.push([]);
  }
  return lines;
}

export function linesAbove({ start }: Entry): readonly Source[] {
  return start.slice(0, start.findLastIndex(({ type }) => type === 'newline') + 1);
}

export function hasComment(tokens: readonly { readonly type: string }[]): boolean {
  return tokens.some(({ type }) => type === 'comment');
}

/** Counts the tokens at the start in comments that are indented deeper, with the blank lines above and between them. */
export function deeper(tokens: readonly Source[], column: number): number {
  const end = tokens.findIndex(
    ({ type, indent }) => type !== 'space' && type !== 'newline' && !(type === 'comment' && indent > column),
  );
  const last = tokens.findLastIndex(({ type }, index) => type === 'comment' && (end < 0 || index < end));
  return last < 0 ? 0 : last + 2;
}
