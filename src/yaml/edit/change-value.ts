// Finds what in the text must change for a value to become another, from the outside in: only what the edits name is
// visited, and a list or map that is set as a whole changes by its entries.

import { equalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Order, rankIn } from '../format/sort-entries.ts';
import { changeBlock, removeBlock } from './change-block.ts';
import { changeFlow } from './change-flow.ts';
import { type CollectionChange, type Holder, holderOf, type Insert, type Page, styleOf } from './collection-change.ts';
import { CannotEdit, type EditTree } from './edit-tree.ts';
import { type Printed, printValue } from './print-value.ts';
import {
  bodyOf,
  type Collection,
  endOf,
  entriesOf,
  headerOf,
  isCollection,
  isMap,
  isMergeEntry,
  keyOf,
  mergeSources,
  placesOf,
  type SourceEntry,
  startOf,
} from './source-entries.ts';
import { areOnOneLine, lineEnd, lineStart } from './splice.ts';

/** `whole`: everything that differs changes, below a value that is set. */
type Edits = EditTree | 'whole';

interface Both<T extends Json> {
  readonly before: T;
  readonly after: T;
}

export function changeValue(
  holder: Holder,
  { before, after }: { readonly before: Json | undefined; readonly after: Json },
  edits: Edits,
  page: Page,
): void {
  const { value } = holder;
  if (value?.type === 'alias') {
    if (equalJson(page.meaningOf(value), after)) return;
  } else if (isCollection(value) && isMap(value) && isJsonObject(before) && isJsonObject(after)) {
    changeMap(value, holder, { before, after }, edits, page);
    return;
  } else if (isCollection(value) && !isMap(value) && Array.isArray(before) && Array.isArray(after)) {
    changeList(value, holder, { before, after }, edits, page);
    return;
  } else if (equalJson(before, after)) return;
  const style = styleOf(holder, page);
  const inFlow = style.inFlow || (value?.type === 'flow-collection' && typeof after === 'object');
  replaceValue(holder, printValue(after, { ...style, inFlow }, holder.isItem), page);
}

function isWhole(edits: Edits): edits is 'whole' {
  return edits === 'whole' || edits.own !== undefined;
}

function changeMap(
  token: Collection,
  holder: Holder,
  { before, after }: Both<JsonObject>,
  edits: Edits,
  page: Page,
): void {
  const entries = entriesOf(token);
  const indexOf = new Map(entries.map((entry, index) => [isMergeEntry(entry) ? undefined : keyOf(entry), index]));
  const names = isWhole(edits) ? new Set([...Object.keys(before), ...Object.keys(after)]) : edits.children.keys();
  const removed = new Set<number>();
  const emptied = new Set<number>();
  const inserts: (Insert & { readonly key: string })[] = [];
  for (const name of names) {
    const index = indexOf.get(name);
    const entry = index === undefined ? undefined : entries[index];
    const value = Object.hasOwn(after, name) ? after[name] : undefined;
    if (index === undefined || entry === undefined) {
      if (value !== undefined && !equalJson(mergedValue(name, entries, page), value))
        inserts.push({ key: name, value, after: placeOf(name, entries, holder.order) });
      continue;
    }
    const child = isWhole(edits) ? 'whole' : (edits.children.get(name) ?? 'whole');
    const inner = holderOf(entry, { token, holder, order: holder.order?.below(name) }, page);
    if (value !== undefined) changeValue(inner, { before: before[name], after: value }, child, page);
    else {
      removed.add(index);
      if (child !== 'whole' && removeItems(inner, child, page)) emptied.add(index);
    }
  }
  const rank = ({ key }: { readonly key: string }) => (holder.order === undefined ? 0 : rankIn(holder.order, key));
  inserts.sort((a, b) => a.after - b.after || rank(a) - rank(b));
  change({ token, holder, entries, removed, emptied, inserts }, page);
}

/** Removes the items of a block list one by one, if the edits say so; its key goes, too. */
function removeItems(holder: Holder, { children }: EditTree, page: Page): boolean {
  const { value } = holder;
  if (value?.type !== 'block-seq' || children.size === 0) return false;
  const entries = entriesOf(value);
  const removed = new Set([...children.keys()].map(Number));
  if (removed.size !== entries.length) throw new CannotEdit('a list that goes with some of its items');
  removeBlock({ token: value, holder, entries, removed, emptied: new Set(), inserts: [] }, page);
  return true;
}

/** What a map has from those that it merges, after all edits; undefined if that is nothing or not known. */
function mergedValue(name: string, entries: readonly SourceEntry[], page: Page): Json | undefined {
  for (const source of mergeSources(entries)) {
    const map = source.type === 'alias' ? page.meaningOf(source) : undefined;
    if (!isJsonObject(map)) return undefined;
    if (Object.hasOwn(map, name)) return map[name];
  }
  return undefined;
}

/** After the last of the keys that come closest before it in canonical order. */
function placeOf(name: string, entries: readonly SourceEntry[], order: Order | undefined): number {
  if (order === undefined) return entries.length - 1;
  const rank = rankIn(order, name);
  let [place, best] = [-1, Number.NEGATIVE_INFINITY];
  entries.forEach((entry, index) => {
    const other = rankIn(order, keyOf(entry) ?? '');
    if (other <= rank && other >= best) [place, best] = [index, other];
  });
  return place;
}

function changeList(
  token: Collection,
  holder: Holder,
  { before, after }: Both<readonly Json[]>,
  edits: Edits,
  page: Page,
): void {
  const entries = entriesOf(token);
  if (entries.length !== before.length) throw new CannotEdit('list');
  const places = isWhole(edits) ? placesOf(before, after) : placesAfter(before, edits);
  const removed = new Set<number>();
  const indexAt = new Map<number, number>();
  places.forEach((place, index) => {
    const entry = entries[index];
    if (entry === undefined || place === undefined) {
      removed.add(index);
      return;
    }
    indexAt.set(place, index);
    const child = isWhole(edits) ? 'whole' : edits.children.get(String(index));
    if (child === undefined || (child === 'whole' && equalJson(before[index], after[place]))) return;
    if (entry.key !== undefined) throw new CannotEdit('a pair in a list');
    const inner = holderOf(entry, { token, holder, order: holder.order?.below('') }, page);
    changeValue(inner, { before: before[index], after: after[place] ?? null }, child, page);
  });
  const inserts: Insert[] = [];
  let last = -1;
  after.forEach((value, place) => {
    const index = indexAt.get(place);
    if (index === undefined) inserts.push({ after: last, key: undefined, value });
    else last = index;
  });
  change({ token, holder, entries, removed, emptied: new Set(), inserts }, page);
}

function placesAfter(before: readonly Json[], { children }: EditTree): readonly (number | undefined)[] {
  let next = 0;
  return before.map((_, index) => {
    const own = children.get(String(index))?.own;
    if (own !== undefined && own.value === undefined) return undefined;
    next += 1;
    return next - 1;
  });
}

function change(found: CollectionChange, page: Page): void {
  if (found.removed.size === 0 && found.inserts.length === 0) return;
  if (found.token.type === 'flow-collection') changeFlow({ ...found, token: found.token }, page);
  else changeBlock(found, page);
}

/**
 * Puts another value into the place of one: beside its key or dash, and on the lines below. A comment on the line of the
 * key stays.
 */
function replaceValue(holder: Holder, { inline, below }: Printed, { text, splices }: Page): void {
  const { value, head } = holder;
  const put = (start: number, end: number, inserted: string) => {
    if (start < end || inserted !== '') splices.push({ start, end, text: inserted });
  };
  /** Beside the key, where nothing is yet. */
  const putInline = () => {
    const colon = holder.isItem || holder.hasColon ? '' : ':';
    put(head, head, inline === '' ? colon : `${colon} ${inline}`);
  };
  const putBelow = (start: number, end: number) => put(start, end, below.map((line) => `${line}\n`).join(''));
  if (value === undefined) {
    putInline();
    putBelow(lineEnd(text, head), lineEnd(text, head));
    return;
  }
  const start = startOf(value);
  // A map that ends with a block text ends with its line break, which stays.
  const end = lineEnd(text, endOf(value)) === endOf(value) ? endOf(value) - 1 : endOf(value);
  const isBlock = value.type === 'block-map' || value.type === 'block-seq';
  if (value.type === 'block-scalar') {
    const { offset, source } = headerOf(value);
    put(inline === '' ? head : offset, offset + source.length, inline);
    putBelow(bodyOf(value), endOf(value));
  } else if (!areOnOneLine(text, head, start) && (isBlock || inline === '')) {
    putInline();
    putBelow(lineStart(text, start), lineEnd(text, end));
  } else {
    put(inline === '' ? head : start, end, inline);
    putBelow(lineEnd(text, end), lineEnd(text, end));
  }
}
