// Sets, adds and removes single values in the text of a YAML file. The tokens of the yaml package hold every character, so
// what no edit names stays byte for byte. Then the meaning of the file is compared with what the edits ask for, in all
// documents, so that an unforeseen layout leaves the file unchanged.

import { diffArrays } from 'diff/lib/diff/array.js';
import { CST } from 'yaml';
import { groupBy } from '../../model/values/collections.ts';
import {
  canonicalJson,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  ownValue,
} from '../../model/values/json.ts';
import { memberOf } from '../../model/values/pointer.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { printString, type Quote } from '../format/print-string.ts';
import { rankIn } from '../format/sort-entries.ts';
import { type Order, sourceOrder } from '../format/source-order.ts';
import { parseSource } from '../parse-source.ts';
import {
  type EditPlace,
  insertInBlock,
  insertInFlow,
  removeFromBlock,
  removeFromFlow,
  renameKey,
  replaceValue,
} from './change-entries.ts';
import { applyEdits, CannotEdit, type Edit, type EditTree, growEdits } from './edit-tree.ts';
import {
  type Collection,
  type Entry,
  entriesOf,
  hasComment,
  isBlock,
  isCollection,
  isMap,
  isMerge,
  itemsOf,
  keyOf,
  linesAbove,
  linesOf,
  readDocuments,
  type Source,
  sourcesIn,
} from './entries.ts';
import { maxLineLength, printEntry, printFlowEntry, printValue } from './print-value.ts';

export type { Edit } from './edit-tree.ts';

/**
 * The text with all edits, or undefined if its layout is not supported. The order decides where a missing field is added;
 * that of almanac.yaml is `configOrder`. A list or map that is set keeps what stays in it as it is written.
 *
 * What comes by an alias or a merge key is written at the place itself, and the anchor stays as it is. An anchor's own
 * value changes only with that of all places that refer to it; undefined is returned if one of them has no edit.
 */
export function editYaml(
  text: string,
  edits: readonly Edit[],
  order: Order = sourceOrder,
  parse: ParseText = parseText,
): string | undefined {
  const lineEnd = /^(?:[^\r\n]*\r\n)+[^\r\n]*$/.test(text) ? '\r\n' : '\n';
  const unix = lineEnd === '\n' ? text : text.replaceAll(lineEnd, '\n');
  try {
    const edited = editText(unix, edits, order, parse);
    return lineEnd === '\n' ? edited : edited?.replaceAll('\n', lineEnd);
  } catch (error) {
    if (error instanceof CannotEdit) return undefined;
    throw error;
  }
}

/** Whoever has parsed a text already, or will need it, hands in how. */
export type ParseText = (text: string) => ReturnType<typeof parseSource>;

function parseText(text: string): ReturnType<ParseText> {
  return parseSource({ path: '', text });
}

type DocumentValues = ReadonlyMap<number, Json>;

function editText(text: string, edits: readonly Edit[], order: Order, parse: ParseText): string | undefined {
  const before = valuesOf(text, parse);
  if (before === undefined) return undefined;
  const changes = new Map<number, DocumentChange>();
  for (const [document, inside] of groupBy(edits, (edit) => edit.document)) {
    const value = before.get(document);
    if (value === undefined) return undefined;
    const tree = growEdits(inside);
    changes.set(document, { before: value, after: applyEdits(value, tree) ?? null, edits: tree });
  }
  const after = new Map([...before].map(([document, value]) => [document, changes.get(document)?.after ?? value]));
  const attempt = (hasBlockTexts: boolean) => {
    const edited = changeText(text, changes, { order, hasBlockTexts });
    return isMeant(edited, after, parse) ? edited : undefined;
  };
  // A comment that is indented deeper would become a part of a block text above it, but not of one in quotes.
  return attempt(true) ?? attempt(false);
}

interface DocumentChange {
  readonly before: Json;
  readonly after: Json;
  readonly edits: EditTree;
}

function changeText(
  text: string,
  changes: ReadonlyMap<number, DocumentChange>,
  style: { readonly order: Order; readonly hasBlockTexts: boolean },
): string {
  const isEnded = text === '' || text.endsWith('\n');
  const { tokens, documents } = readDocuments(isEnded ? text : `${text}\n`);
  for (const [document, change] of changes) {
    const [root] = documents[document] ?? [];
    if (root === undefined) throw new CannotEdit('no such document');
    const around = { ...style, inFlow: false, column: -2, step: 2, quote: undefined };
    const place = { ...around, entry: root, siblings: documents[document] ?? [], outer: undefined };
    changeValue(place, { ...change, meaningOf: meaningsIn(root, change) });
  }
  const edited = tokens.map((token) => CST.stringify(token)).join('');
  return isEnded ? edited : edited.replace(/\n$/, '');
}

function isMeant(text: string, wanted: DocumentValues, parse: ParseText): boolean {
  const found = valuesOf(text, parse);
  // A document whose last section was removed is empty.
  const orEmpty = (value: Json | undefined): Json => value ?? {};
  return (
    found !== undefined &&
    found.size <= wanted.size &&
    [...wanted].every(([document, value]) => equalJson(orEmpty(found.get(document)), orEmpty(value)))
  );
}

/** The values of all documents; undefined if one has errors. */
function valuesOf(text: string, parse: ParseText): DocumentValues | undefined {
  const { value, findings } = parse(text);
  return hasErrors(findings) ? undefined : new Map(value.map((document) => [document.origin.document, document.value]));
}

/** The values of aliases after all edits: the last anchor above counts. Nothing is known inside a merged map. */
function meaningsIn(root: Entry, { before, edits }: DocumentChange): MeaningOf {
  const anchors: { readonly name: string; readonly offset: number; readonly meaning: () => Json | undefined }[] = [];
  const visit = (entry: Entry, value: Json | undefined, tree: EditTree | undefined): void => {
    const { source, offset } = entry.sep.find(({ type }) => type === 'anchor') ?? {};
    if (source !== undefined && offset !== undefined)
      anchors.push({ name: source.slice(1), offset, meaning: () => tree && applyEdits(value, tree) });
    if (!isCollection(entry.value)) return;
    const inside = tree?.own === undefined ? tree : undefined;
    for (const [index, item] of entriesOf(entry.value).entries()) {
      const name = isMap(entry.value) ? keyOf(item) : item.key ? undefined : String(index);
      const part = name === undefined || isMerge(item) ? undefined : memberOf(value, name);
      visit(item, part, part === undefined ? undefined : inside && (inside.children.get(name ?? '') ?? noEdits));
    }
  };
  visit(root, before, edits);
  return (alias) =>
    anchors
      .findLast(({ name, offset }) => alias.type === 'alias' && name === alias.source.slice(1) && offset < alias.offset)
      ?.meaning();
}

const noEdits = growEdits([]);

// Finds the tokens that must change for a value to become another. From the outside in, only what the edits name is
// visited, and a list or map that is set as a whole changes by its entries.

/** The value of an alias after all edits; undefined if that is not known. */
type MeaningOf = (alias: CST.Token) => Json | undefined;

interface Change<T extends Json | undefined> {
  readonly before: T;
  readonly after: T & Json;
  /** The edits; undefined if everything that differs changes, below a value that is set. */
  readonly edits: EditTree | undefined;
  readonly meaningOf: MeaningOf;
}

function changeValue(place: EditPlace, change: Change<Json | undefined>): void {
  const { value } = place.entry;
  const { before, after, meaningOf } = change;
  if (value?.type === 'alias') {
    if (equalJson(meaningOf(value), after)) return;
  } else if (isCollection(value) && isMap(value) && isJsonObject(before) && isJsonObject(after)) {
    changeInside(place, after, () => changeMap(value, place, { ...change, before, after }));
    return;
  } else if (isCollection(value) && !isMap(value) && Array.isArray(before) && Array.isArray(after)) {
    changeInside(place, after, () => changeList(value, place, { ...change, before, after }));
    return;
  } else if (equalJson(before, after)) return;
  const inFlow = place.inFlow || (value?.type === 'flow-collection' && typeof after === 'object');
  const style = { ...place, inFlow, quote: quoteOf(value) };
  replaceValue(place, printValue(after, style, headOfLine(place)));
}

/** Brackets that fitted their line, and do not any more, become a block. */
function changeInside(place: EditPlace, after: Json, change: () => void): void {
  const before = place.inFlow ? undefined : bracketLine(place);
  change();
  if (before === undefined || before.length > maxLineLength) return;
  if ((bracketLine(place) ?? '').length <= maxLineLength) return;
  replaceValue(place, printValue(after, { ...place, quote: undefined }, headOfLine(place)));
}

/** The line of a value that is in brackets on one line; undefined if there is none, or it has anchors or aliases. */
function bracketLine({ entry, column }: EditPlace): string | undefined {
  const { key, sep, value } = entry;
  if (value?.type !== 'flow-collection') return undefined;
  if ([...sourcesIn(value)].some(({ type }) => type === 'anchor' || type === 'alias' || type === 'tag'))
    return undefined;
  const inline = CST.stringify({ ...value, end: value.end.slice(0, 1) });
  if (inline.includes('\n')) return undefined;
  const head = (key ? CST.stringify(key) : '') + sep.map(({ source }) => source).join('');
  return `${' '.repeat(Math.max(column, 0))}${head}${inline}`.split('\n').at(-1);
}

/** A dash, or a key with its colon. */
function headOfLine({ entry: { key }, outer }: EditPlace): string {
  if (key) return `${CST.stringify(key)}:`;
  return outer === undefined ? '' : '-';
}

/** True if all that differs changes. */
function isWhole(edits: EditTree | undefined): edits is undefined {
  return edits === undefined || edits.own !== undefined;
}

function changeMap(token: Collection, place: EditPlace, change: Change<JsonObject>): void {
  const { before, after, edits, meaningOf } = change;
  const entries = entriesOf(token);
  const known = new Map(entries.map((entry) => [isMerge(entry) ? undefined : keyOf(entry), entry]));
  const names = isWhole(edits) ? new Set([...Object.keys(before), ...Object.keys(after)]) : edits.children.keys();
  const removed = new Map<Entry, readonly Source[]>();
  const inserts: Insert[] = [];
  for (const name of names) {
    const entry = known.get(name);
    const inside = isWhole(edits) ? undefined : edits.children.get(name);
    const key = inside?.key ?? name;
    const value = ownValue(after, key);
    if (entry === undefined) {
      if (value !== undefined && !equalJson(mergedValue(name, entries, meaningOf), value))
        inserts.push({ key: name, value, after: indexOfKey(name, entries, place.order) });
    } else if (value === undefined) removed.set(entry, commentsThatStay(entry, inside));
    else {
      if (key !== name)
        renameKey(
          entry,
          printString(key, { inFlow: token.type === 'flow-collection', isKey: true }, quoteOf(entry.key)),
        );
      const within = placeIn(token, entry, place, place.order?.below(name));
      changeValue(within, { before: before[name], after: value, edits: inside, meaningOf });
    }
  }
  const rank = ({ key }: Insert) => (place.order === undefined ? 0 : rankIn(place.order, key ?? ''));
  inserts.sort((a, b) => a.after - b.after || rank(a) - rank(b));
  changeEntries(token, place, removed, inserts);
}

/** The comments between a block's entries, if the edits remove these one by one, and then its key. */
function commentsThatStay({ value }: Entry, edits: EditTree | undefined): readonly Source[] {
  if (!isBlock(value) || edits === undefined || edits.children.size === 0) return [];
  if (edits.children.size !== entriesOf(value).length)
    throw new CannotEdit('a block that goes with some of its entries');
  return itemsOf(value).map(linesAbove).filter(hasComment).flat();
}

/** The value that a map has from those that it merges, after all edits; undefined if that is nothing or not known. */
function mergedValue(name: string, entries: readonly Entry[], meaningOf: MeaningOf): Json | undefined {
  const sources = entries
    .filter(isMerge)
    .flatMap((entry) => (isCollection(entry.value) && !isMap(entry.value) ? entriesOf(entry.value) : entry));
  for (const { value } of sources) {
    const map = value?.type === 'alias' ? meaningOf(value) : undefined;
    if (!isJsonObject(map)) return undefined;
    if (Object.hasOwn(map, name)) return map[name];
  }
  return undefined;
}

/** The place after the last of the keys that come closest before it in canonical order. */
function indexOfKey(name: string, entries: readonly Entry[], order: Order | undefined): number {
  if (order === undefined) return entries.length - 1;
  const rank = rankIn(order, name);
  let [place, best] = [-1, Number.NEGATIVE_INFINITY];
  entries.forEach((entry, index) => {
    const other = rankIn(order, keyOf(entry) ?? '');
    if (other <= rank && other >= best) [place, best] = [index, other];
  });
  return place;
}

function changeList(token: Collection, place: EditPlace, change: Change<readonly Json[]>): void {
  const { before, after, edits, meaningOf } = change;
  const entries = entriesOf(token);
  if (entries.length !== before.length) throw new CannotEdit('list');
  const places = isWhole(edits) ? placesOf(before, after) : placesAfter(before, edits);
  const removed = new Map<Entry, readonly Source[]>();
  const indexAt = new Map<number, number>();
  for (const [index, entry] of entries.entries()) {
    const at = places[index];
    if (at === undefined) {
      removed.set(entry, []);
      continue;
    }
    indexAt.set(at, index);
    const inside = isWhole(edits) ? undefined : edits.children.get(String(index));
    if (isWhole(edits) ? equalJson(before[index], after[at]) : inside === undefined) continue;
    if (entry.key) throw new CannotEdit('a pair in a list');
    const within = placeIn(token, entry, place, place.order?.below(''));
    changeValue(within, { before: before[index], after: after[at] ?? null, edits: inside, meaningOf });
  }
  const inserts: Insert[] = [];
  let last = -1;
  after.forEach((value, at) => {
    const index = indexAt.get(at);
    if (index === undefined) inserts.push({ key: undefined, value, after: last });
    else last = index;
  });
  changeEntries(token, place, removed, inserts);
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

interface Insert {
  readonly key: string | undefined;
  readonly value: Json;
  /** The index of the entry before it; -1 for the first place. */
  readonly after: number;
}

/** Puts what comes beside what goes, so that no map or list is empty in between. */
function changeEntries(
  token: Collection,
  place: EditPlace,
  removed: ReadonlyMap<Entry, readonly Source[]>,
  inserts: readonly Insert[],
): void {
  const entries = entriesOf(token);
  const style = styleInside(entries, placeIn(token, undefined, place, place.order));
  const isApart = inserts.length > 0 && areApart(entries, place.outer === undefined);
  for (const { key, value, after } of inserts.toReversed()) {
    const own = { ...style, order: style.order?.below(key ?? '') };
    if (token.type !== 'flow-collection')
      insertInBlock(token, after + 1, printEntry(key, value, own), { place, isApart });
    else {
      // The comma of an entry that goes may stay, where it is on another line than the next one.
      const kept = entries.findLastIndex((entry, index) => index <= after && !removed.has(entry));
      const index = removed.size < entries.length ? kept : entries.length - 1;
      insertInFlow(token, index + 1, printFlowEntry(key, value, own));
    }
  }
  if (removed.size === 0) return;
  if (token.type === 'flow-collection') removeFromFlow(token, removed);
  else removeFromBlock(token, removed, place);
}

/** An entry inside a map or list; without one, a new entry. */
function placeIn(token: Collection, entry: Entry | undefined, outer: EditPlace, order: Order | undefined): EditPlace {
  const inFlow = token.type === 'flow-collection';
  const column = inFlow ? outer.column : token.indent;
  const isItem = !outer.entry.key;
  const step = isItem || outer.inFlow || column <= outer.column ? outer.step : column - outer.column;
  const siblings = itemsOf(token);
  return { ...outer, entry: entry ?? { start: [], sep: [] }, siblings, outer, inFlow, column, step, order };
}

/** The style of new entries of a list or map: strings and keys get the quotes that all others have. */
function styleInside(entries: readonly Entry[], place: EditPlace) {
  const quotes = new Set(entries.map(({ key, value }) => quoteOf(key ?? value)));
  const quote = quotes.size === 1 ? [...quotes][0] : undefined;
  const isList = !entries[0]?.key;
  return { ...place, quote: isList || quote === '"' ? quote : undefined, quotesKeys: !isList && quote === '"' };
}

function quoteOf(token: CST.Token | null | undefined): Quote | undefined {
  if (token?.type === 'double-quoted-scalar') return '"';
  return token?.type === 'single-quoted-scalar' ? "'" : undefined;
}

/** True if all entries have a blank line between them. */
function areApart([first, ...others]: readonly Entry[], isRoot: boolean): boolean {
  if (others.length === 0) return isRoot && first?.value?.type.startsWith('block') === true;
  return others.every((entry) =>
    linesOf(linesAbove(entry))
      .slice(0, -1)
      .some((line) => !hasComment(line)),
  );
}

/** Each item's index after the edits; undefined if it goes. Maps between items that stay change in place. */
function placesOf(before: readonly Json[], after: readonly Json[]): readonly (number | undefined)[] {
  const places: (number | undefined)[] = before.map(() => undefined);
  const isChanged = (from: number, to: number) => isJsonObject(before[from]) && isJsonObject(after[to]);
  let [index, place, removed] = [0, 0, 0];
  for (const part of diffArrays(before.map(canonicalJson), after.map(canonicalJson))) {
    const { length: count } = part.value;
    // Maps that were removed just before may be those that are added here.
    const last = index - removed;
    for (let at = 0; at < count; at += 1) {
      if (part.removed) continue;
      if (!part.added) places[index + at] = place + at;
      else if (at < removed && isChanged(last + at, place + at)) places[last + at] = place + at;
    }
    removed = part.removed ? count : 0;
    if (!part.added) index += count;
    if (!part.removed) place += count;
  }
  return places;
}
