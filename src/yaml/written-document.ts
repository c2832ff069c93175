// Finds where values are really written. They may come through an alias or a merge key from elsewhere in the document,
// so one text can be the value of several places. A written place is a JSON pointer that follows neither.

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';
import { groupBy, memoize, once } from '../model/values/collections.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { isMerge, type YamlFile } from './yaml-documents.ts';

/** The giver of the value of an entry in a map or list. */
export interface Supplier {
  /** The entry in the map or list that holds it; an alias may stand there. */
  readonly slot: Pointer;
  /** The place where the value is written: behind the alias, if one is in the slot. */
  readonly text: Pointer;
}

export interface WrittenDocument {
  /** The givers of a place's value: the effective one first, then those that it hides; empty if there is none. */
  suppliersAt(pointer: Pointer): readonly Supplier[];
  /** The places of the document that have what is written at a pointer: itself, and those that refer to it. */
  readersOf(written: Pointer): readonly Pointer[];
  /** True if something outside of a map or list refers to a part of it. */
  isReferredTo(written: Pointer): boolean;
  /** The line of what is written at a pointer, from 1; undefined where nothing is. */
  lineOf(written: Pointer): number | undefined;
  /** The node at a place, as far as the pointer leads: for a missing field, its parent. */
  nodeAt(pointer: Pointer): WrittenNode;
}

/** A value as it is written at a place; the item of a list has no key. */
export interface WrittenNode {
  readonly key?: Node | undefined;
  readonly value?: Node | undefined;
  /** The value, or what it leads to if it is an alias. */
  readonly text?: Node | undefined;
}

/** The readable documents of a file, by their number. */
export function writtenDocuments({
  documents,
  lines,
}: Pick<YamlFile, 'documents' | 'lines'>): ReadonlyMap<number, WrittenDocument> {
  return new Map(documents.map(({ document, index }) => [index, writtenDocument(document, lines)]));
}

export function writtenDocument(document: Document.Parsed, lines: LineCounter): WrittenDocument {
  const pointers = once(() => pointersIn(document));
  const anchors = once(() => anchorsOf(document));
  // Found once for each map: one file may hold thousands of resources.
  const ownPairs = memoize(pairsOf);
  const merges = memoize((map: YAMLMap): readonly Pair[] => map.items.filter(isMerge));
  /** The target of an alias: the last node with its anchor that ends before it. */
  const followed = (node: unknown): Node | undefined => {
    if (!isAlias(node)) return nodeOf(node);
    const before = node.range?.[0] ?? 0;
    return anchors()
      .get(node.source)
      ?.findLast((candidate) => (candidate.range?.[1] ?? 0) <= before);
  };
  /** The entries of a map or list with this key: the effective one first, then those that it hides. */
  const entriesIn = (holder: Node | undefined, name: string): readonly WrittenEntry[] => {
    if (isSeq(holder)) {
      const at = Number(name);
      return at < holder.items.length ? [{ holder, name, value: holder.items[at] as Node }] : [];
    }
    if (!isMap(holder)) return [];
    const own = ownPairs(holder).get(name);
    const merged = mapsMergedBy(holder).flatMap((map) => entriesIn(map, name));
    return own === undefined ? merged : [{ holder, name, key: own.key as Node, value: nodeOf(own.value) }, ...merged];
  };
  const keysIn = (holder: Node | undefined): readonly string[] => {
    if (isSeq(holder)) return [...holder.items.keys()].map(String);
    if (!isMap(holder)) return [];
    return [...new Set([...ownPairs(holder).keys(), ...mapsMergedBy(holder).flatMap(keysIn)])];
  };
  const mapsMergedBy = (holder: YAMLMap): readonly (Node | undefined)[] =>
    merges(holder).flatMap(({ value }) => {
      const source = followed(value);
      return isSeq(source) ? source.items.map(followed) : [source];
    });
  const supplierOf = ({ holder, name, value }: WrittenEntry): Supplier => {
    const slot = holder === undefined ? '' : (pointers().get(holder) ?? '') + pointerTo(name);
    const text = followed(value);
    return { slot, text: (text && pointers().get(text)) ?? slot };
  };
  const root: WrittenEntry = { holder: undefined, name: '', value: nodeOf(document.contents) };
  /** The content of an entry, by its key. */
  const inside = ({ value }: WrittenEntry) => {
    const holder = followed(value);
    return keysIn(holder).flatMap((key) => entriesIn(holder, key).slice(0, 1));
  };
  const readers = once(() => readersFrom(root, inside, supplierOf));
  const nodes = once(() => new Map([...pointers()].map(([node, at]) => [at, node])));
  return {
    nodeAt: (pointer) => {
      let found = root;
      for (const key of pointerSegments(pointer)) {
        const [next] = entriesIn(followed(found.value), key);
        if (next === undefined) break;
        found = next;
      }
      return { ...found, text: followed(found.value) };
    },
    lineOf: (pointer) => {
      const offset = nodes().get(pointer)?.range?.[0];
      return offset === undefined ? undefined : lines.linePos(offset).line;
    },
    readersOf: (pointer) => readers().get(pointer) ?? [pointer],
    isReferredTo: (pointer) =>
      [...readers()].some(
        ([written, from]) => isWithin(written, pointer) && from.some((reader) => !isWithin(reader, pointer)),
      ),
    suppliersAt: (pointer) => {
      const within = (found: readonly WrittenEntry[], key: string) => entriesIn(followed(found[0]?.value), key);
      return pointerSegments(pointer).reduce(within, [root]).map(supplierOf);
    },
  };
}

/** The places that have what is written at each pointer. */
function readersFrom(
  root: WrittenEntry,
  inside: (entry: WrittenEntry) => readonly WrittenEntry[],
  supplierOf: (entry: WrittenEntry) => Supplier,
): ReadonlyMap<Pointer, readonly Pointer[]> {
  const found = new Map<Pointer, Pointer[]>();
  const visit = (entry: WrittenEntry, reader: Pointer): void => {
    const { slot, text } = supplierOf(entry);
    for (const pointer of new Set([slot, text])) {
      const known = found.get(pointer);
      if (known === undefined) found.set(pointer, [reader]);
      else known.push(reader);
    }
    for (const next of inside(entry)) visit(next, reader + pointerTo(next.name));
  };
  visit(root, '');
  return found;
}

interface WrittenEntry extends WrittenNode {
  /** The map or list that it stands in; undefined for the document. */
  readonly holder: Node | undefined;
  readonly name: string;
}

const nodeOf = (node: unknown): Node | undefined => (node as Node | null) ?? undefined;

function pointersIn(document: Document.Parsed): ReadonlyMap<Node, Pointer> {
  const pointers = new Map<Node, Pointer>();
  const place = (node: unknown, pointer: Pointer): void => {
    pointers.set(node as Node, pointer);
    if (isMap(node)) for (const pair of node.items) place(pair.value, pointer + pointerTo(keyOf(pair)));
    if (isSeq(node)) for (const [index, item] of node.items.entries()) place(item, pointer + pointerTo(index));
  };
  place(document.contents, '');
  return pointers;
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? (typeof key.value === 'symbol' ? '<<' : String(key.value)) : '';
}

function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  return new Map(map.items.filter((pair) => !isMerge(pair)).map((pair) => [keyOf(pair), pair]));
}

function anchorsOf(document: Document.Parsed): ReadonlyMap<string | undefined, readonly Node[]> {
  const nodes: Node[] = [];
  visit(document, { Node: (_, node) => void nodes.push(node) });
  return groupBy(nodes, (node) => ('anchor' in node ? (node.anchor as string | undefined) : undefined));
}
