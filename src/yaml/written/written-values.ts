// Where the values of a file are really written. A value may come through an alias or a merge key from elsewhere in its
// document, so one text can be the value of several places. A written place is a JSON pointer that follows neither.

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
import { groupBy } from '../../model/values/group-by.ts';
import { memoize, once } from '../../model/values/memoize.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { isMerge } from '../to-value.ts';
import type { YamlFile } from '../yaml-documents.ts';

/** A value, with aliases followed. */
export interface WrittenValue {
  readonly pointer: Pointer;
  /** What gives the entry of a map or the item of a list: the effective one first, then those that it hides. */
  suppliers(key: string): readonly Supplier[];
  /** Of the map or list, merged ones included. */
  keys(): readonly string[];
}

export interface Supplier {
  /** The entry in the map or list that holds it; an alias may stand there. */
  readonly slot: Pointer;
  readonly value: WrittenValue;
}

export interface WrittenDocument {
  /** What gives the value of a place, as `suppliers` does; empty where there is none. */
  suppliersAt(pointer: Pointer): readonly Supplier[];
  /** The places of the document that have what is written at a pointer: itself, and those that refer to it. */
  readersOf(written: Pointer): readonly Pointer[];
  /** Whether something outside of a map or list refers to a part of it. */
  isReferredTo(written: Pointer): boolean;
  /** The line of what is written at a pointer, from 1; undefined where nothing is. */
  lineOf(written: Pointer): number | undefined;
  /** What is written at a place, as far as the pointer leads: for a missing field, its parent. */
  nodeAt(pointer: Pointer): WrittenNode;
}

/** What is written at a place; the item of a list has no key. */
export interface WrittenNode {
  readonly key?: Node | undefined;
  readonly value?: Node | undefined;
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
  const entriesIn = (holder: Node | undefined, key: string): readonly Entry[] => {
    if (isSeq(holder)) {
      const at = Number(key);
      return at < holder.items.length ? [{ holder, value: holder.items[at] as Node }] : [];
    }
    if (!isMap(holder)) return [];
    const own = ownPairs(holder).get(key);
    const merged = merges(holder).flatMap((pair) => mapsMergedBy(pair).flatMap((map) => entriesIn(map, key)));
    return own === undefined ? merged : [{ holder, key: own.key as Node, value: nodeOf(own.value) }, ...merged];
  };
  const suppliersIn = (node: Node | undefined, key: string): readonly Supplier[] =>
    entriesIn(node, key).map(({ holder, value }) => {
      const slot = (pointers().get(holder) ?? '') + pointerTo(key);
      return { slot, value: written(followed(value), slot) };
    });
  const keysIn = (holder: Node | undefined): readonly string[] => {
    if (isSeq(holder)) return [...holder.items.keys()].map(String);
    if (!isMap(holder)) return [];
    const merged = merges(holder).flatMap((pair) => mapsMergedBy(pair).flatMap(keysIn));
    return [...new Set([...ownPairs(holder).keys(), ...merged])];
  };
  const mapsMergedBy = (pair: Pair): readonly (Node | undefined)[] => {
    const source = followed(pair.value);
    return isSeq(source) ? source.items.map(followed) : [source];
  };
  const written = (node: Node | undefined, slot: Pointer): WrittenValue => ({
    pointer: (node && pointers().get(node)) ?? slot,
    suppliers: (key) => suppliersIn(node, key),
    keys: () => keysIn(node),
  });
  const root: Supplier = { slot: '', value: written(nodeOf(document.contents), '') };
  const readers = once(() => readersIn(root));
  const nodes = once(() => new Map([...pointers()].map(([node, at]) => [at, node])));
  return {
    nodeAt: (pointer) => {
      let found: WrittenNode = { value: nodeOf(document.contents) };
      for (const key of pointerSegments(pointer)) {
        const [next] = entriesIn(followed(found.value), key);
        if (next === undefined) break;
        found = next;
      }
      return found;
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
    suppliersAt: (pointer) =>
      pointerSegments(pointer).reduce<readonly Supplier[]>(([first], key) => first?.value.suppliers(key) ?? [], [root]),
  };
}

interface Entry extends WrittenNode {
  readonly holder: Node;
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

function readersIn(root: Supplier): ReadonlyMap<Pointer, readonly Pointer[]> {
  const readers = new Map<Pointer, Pointer[]>();
  const visit = ({ slot, value }: Supplier, reader: Pointer): void => {
    for (const pointer of new Set([slot, value.pointer])) {
      const known = readers.get(pointer);
      if (known === undefined) readers.set(pointer, [reader]);
      else known.push(reader);
    }
    for (const key of value.keys()) {
      const [supplier] = value.suppliers(key);
      if (supplier !== undefined) visit(supplier, reader + pointerTo(key));
    }
  };
  visit(root, '');
  return readers;
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
