// The tokens of a YAML file as entries with their positions: where an entry begins, where its value begins and where it
// ends, without the comments and line breaks around it.

import type { CST } from 'yaml';
import { canonicalJson, isJsonObject, type Json } from '../../model/values/json.ts';
import { nameOf } from '../format/print-flow.ts';
import { CannotEdit } from './edit-tree.ts';

/** Where a value is written, or would be. */
export interface Spot {
  /** The end of the colon or dash, or of the anchor and tag after it. */
  readonly head: number;
  /** Without anchor and tag. */
  readonly value: CST.Token | undefined;
  readonly anchor: string | undefined;
}

export interface SourceEntry extends Spot {
  /** Undefined for the item of a list. */
  readonly key: CST.FlowScalar | undefined;
  /** Of the key with its anchor, of the dash, or of the item in brackets with its anchor. */
  readonly start: number;
  readonly end: number;
  /** The end of the comma after it. */
  readonly comma: number | undefined;
  readonly hasColon: boolean;
}

export type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

export function isCollection(token: CST.Token | undefined): token is Collection {
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection';
}

export function isMap(token: Collection): boolean {
  return token.type === 'block-map' || (token.type === 'flow-collection' && token.start.type === 'flow-map-start');
}

/** In the order of the text; comments at the end are no entry. */
export function entriesOf(token: Collection): readonly SourceEntry[] {
  const items: readonly Item[] = token.items;
  return items.flatMap((item, index) => {
    const entry = entryOf(item, isMap(token));
    const comma = items[index + 1]?.start.find(({ type }) => type === 'comma');
    return entry === undefined ? [] : [{ ...entry, comma: comma && endOfSource(comma) }];
  });
}

type Item = CST.BlockMap['items'][number] | CST.BlockSequence['items'][number] | CST.FlowCollection['items'][number];

function entryOf({ start, key, sep, value: written }: Item, ofMap: boolean): Omit<SourceEntry, 'comma'> | undefined {
  // In brackets, a missing value is a scalar without text.
  const value = written?.type === 'scalar' && written.source === '' ? undefined : written;
  const before = start.filter(isPart);
  const between = (sep ?? []).filter(isPart);
  const first = before[0]?.offset ?? key?.offset ?? between[0]?.offset ?? value?.offset;
  if (first === undefined) return undefined;
  const head = between.at(-1) ?? (key ? undefined : before.at(-1));
  const end = value ? endOf(value) : head ? endOfSource(head) : key ? endOf(key) : first;
  if (key && key.type !== 'scalar' && key.type !== 'single-quoted-scalar' && key.type !== 'double-quoted-scalar')
    throw new CannotEdit('key');
  return {
    key: key ?? undefined,
    start: first,
    head: head ? endOfSource(head) : key ? endOf(key) : first,
    value: value ?? undefined,
    anchor: anchorIn(ofMap ? between : before),
    end,
    hasColon: between.some(({ type }) => type === 'map-value-ind'),
  };
}

/** The value of a whole document. */
export function rootOf({ start, value, offset }: CST.Document): Spot {
  const before = start.filter(isPart);
  const head = before.at(-1);
  return { head: head ? endOfSource(head) : offset, value, anchor: anchorIn(before) };
}

function anchorIn(tokens: readonly CST.SourceToken[]): string | undefined {
  return tokens.find(({ type }) => type === 'anchor')?.source.slice(1);
}

const between: ReadonlySet<CST.SourceToken['type']> = new Set(['space', 'newline', 'comment', 'comma']);

function isPart({ type }: CST.SourceToken): boolean {
  return !between.has(type);
}

function endOfSource({ offset, source }: CST.SourceToken): number {
  return offset + source.length;
}

/** The beginning of a value without its anchor and tag, but with those of its first key. */
export function startOf(token: CST.Token): number {
  return token.type === 'block-map' || token.type === 'block-seq'
    ? (entriesOf(token)[0]?.start ?? token.offset)
    : token.offset;
}

/** The end of a value without the comments and line breaks after it; a block text ends with its last line break. */
export function endOf(token: CST.Token): number {
  switch (token.type) {
    case 'block-map':
    case 'block-seq':
      return entriesOf(token).at(-1)?.end ?? token.offset;
    case 'flow-collection': {
      const [close] = token.end;
      return close === undefined ? token.offset : endOfSource(close);
    }
    case 'block-scalar':
      return bodyOf(token) + token.source.length;
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return token.offset + token.source.length;
    default:
      throw new CannotEdit(token.type);
  }
}

/** Where the lines of a block text begin. */
export function bodyOf(token: CST.BlockScalar): number {
  const last = token.props.at(-1);
  return last === undefined || !('source' in last) ? token.offset : last.offset + last.source.length;
}

/** The `|` or `>` of a block text, with what follows it immediately. */
export function headerOf(token: CST.BlockScalar): CST.SourceToken {
  const props = token.props as readonly CST.SourceToken[];
  const header = props.find(({ type }) => type === 'block-scalar-header');
  if (header === undefined) throw new CannotEdit('block text');
  return header;
}

/** The name of an entry's key; undefined for the item of a list. */
export function keyOf({ key }: SourceEntry): string | undefined {
  return key && nameOf(key);
}

/** Whether an entry merges another map: `<<`, written plain. */
export function isMergeEntry({ key }: SourceEntry): boolean {
  return key?.type === 'scalar' && key.source === '<<';
}

/** What the merge keys of a map refer to: the first that has a key gives its value. */
export function mergeSources(entries: readonly SourceEntry[]): readonly CST.Token[] {
  return entries
    .filter(isMergeEntry)
    .flatMap(({ value }) =>
      isCollection(value) && !isMap(value) ? entriesOf(value).map((item) => item.value) : [value],
    )
    .flatMap((source) => source ?? []);
}

// Which items of a list stay when the whole list is replaced: as many as keep their order.

/** For each item before, its index after; undefined if it goes. Maps between items that stay are changed in place. */
export function placesOf(before: readonly Json[], after: readonly Json[]): readonly (number | undefined)[] {
  const free = new Map<string, number[]>();
  after.forEach((item, index) => {
    const name = canonicalJson(item);
    const known = free.get(name);
    if (known === undefined) free.set(name, [index]);
    else known.push(index);
  });
  for (const indexes of free.values()) indexes.reverse();
  const candidates = before.map((item) => free.get(canonicalJson(item))?.pop());
  const staying = longestRising(candidates);
  const places = candidates.map((place, index) => (staying.has(index) ? place : undefined));
  return withChangedMaps(before, after, places);
}

/** The indexes of the longest part whose numbers rise. */
function longestRising(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  // The index of the smallest number that ends a rising part, by its length.
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    if (number === undefined) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  });
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.add(at);
  return found;
}

function withChangedMaps(
  before: readonly Json[],
  after: readonly Json[],
  places: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  const taken = new Set(places);
  let next = 0;
  return places.map((place, index) => {
    if (place !== undefined) {
      next = place + 1;
      return place;
    }
    const [item, candidate] = [before[index], after[next]];
    if (taken.has(next) || !isJsonObject(item) || !isJsonObject(candidate)) return undefined;
    next += 1;
    return next - 1;
  });
}
