// Turns places into positions, lazily: a JSON pointer becomes a line and column only when a finding is shown. The file is
// then parsed again, once for all its findings, so that no syntax tree is kept while a workspace of thousands of files is
// read.

import { isScalar, LineCounter, type Node } from 'yaml';
import { once } from '../model/values/collections.ts';
import type { Origin, Place, SourceFile, Span } from '../model/workspace/diagnostic.ts';
import { parseTable, spanInTable, type Table } from './parse-table.ts';
import { isKept, scalarSpans } from './read-values.ts';
import { type WrittenDocument, type WrittenNode, writtenDocuments } from './written-document.ts';
import { parseYaml } from './yaml-documents.ts';

export interface Position {
  readonly span: Span;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Locator {
  /** Returns undefined if the place has no text: a whole file, or one that no longer exists. */
  locate(place: Place): Position | undefined;
  /** The text of a plain scalar: `12e10945`, even for a number. Without one, the comment in its place. */
  sourceAt(place: Place): string | undefined;
  /** The number that gives the value of a place, perhaps behind an alias, if it is not kept as written. */
  inexactAt(origin: Origin): InexactNumber | undefined;
}

export interface InexactNumber {
  readonly source: string;
  readonly span: Span;
}

/** A finding and its related places are in several files: the CSV file of a loop, almanac.yaml, the declaration. */
const maxOpen = 4;

/** Keeps the last files parsed: ask in the order of files. */
export function makeLocator(fileNamed: (path: string) => SourceFile | undefined): Locator {
  const recent: OpenFile[] = [];
  const open = (path: string): OpenFile | undefined => {
    const known = recent.find((each) => each.path === path);
    if (known !== undefined) return known;
    const file = fileNamed(path);
    if (file === undefined) return undefined;
    const opened = openFile(file);
    recent.unshift(opened);
    recent.splice(maxOpen);
    return opened;
  };
  const find = (place: Place): WrittenNode | undefined => {
    if (!('pointer' in place) || open(place.file)?.table() !== undefined) return undefined;
    return open(place.file)?.documents().get(place.document)?.nodeAt(place.pointer);
  };
  const spanOf = (place: Place): Span | undefined => {
    if ('span' in place) return place.span;
    if ('known' in place && place.known !== undefined) return place.known;
    const table = open(place.file)?.table();
    if (table !== undefined) return 'pointer' in place ? spanInTable(table, place.pointer) : undefined;
    if (!('pointer' in place)) return undefined;
    const scalar = open(place.file)?.scalars()[place.document]?.get(place.pointer)?.[place.at];
    if (scalar !== undefined && place.within === undefined) return scalar;
    const found = find(place);
    if (found === undefined) return undefined;
    const node = place.at === 'key' ? (found.key ?? found.value) : (found.value ?? found.key);
    return node && narrow(node, place.within, open(place.file)?.text ?? '');
  };
  return {
    locate(place) {
      const span = spanOf(place);
      const lines = open(place.file)?.lines;
      if (span === undefined || lines === undefined) return undefined;
      const from = lines.linePos(span.start);
      const to = lines.linePos(Math.max(span.start, span.end - 1));
      return { span, line: from.line, column: from.col, endLine: to.line, endColumn: to.col + 1 };
    },
    sourceAt(place) {
      const value = find(place)?.value;
      if (!isScalar(value)) return undefined;
      if (value.value !== null || !('file' in place)) return value.source;
      return /^[ \t]*(#.*\S)/.exec(open(place.file)?.text.slice(value.range?.[0]) ?? '')?.[1] ?? value.source;
    },
    inexactAt(origin) {
      const text = find({ ...origin, at: 'value' })?.text;
      if (!isScalar(text) || (typeof text.value !== 'number' && typeof text.value !== 'bigint')) return undefined;
      const { value, source = '' } = text;
      return isKept(Number(value), source) ? undefined : { source, span: narrow(text, undefined, source) };
    },
  };
}

interface OpenFile {
  readonly path: string;
  readonly text: string;
  readonly lines: LineCounter;
  /** The places of keys and single values, by document, as far as they are cheap to tell. */
  scalars(): ReturnType<typeof scalarSpans>;
  /** The documents by their number in the file; parsed when first asked for. */
  documents(): ReadonlyMap<number, WrittenDocument>;
  table(): Table | undefined;
}

function openFile(file: SourceFile): OpenFile {
  const table = once(() => parseTable(file.text));
  return {
    ...file,
    lines: lineCounterOf(file.text),
    scalars: once(() => scalarSpans(file)),
    documents: once(() => writtenDocuments(parseYaml(file))),
    table: () => (file.isTable ? table() : undefined),
  };
}

function lineCounterOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

/** A node, or the wanted part of its text: the occurrence of the same letters with the same number as in the value. */
function narrow(node: Node, within: Span | undefined, text: string): Span {
  const [start, end] = node.range ?? [0, 0];
  const whole = { start, end: Math.max(end, start + 1) };
  if (within === undefined || !isScalar(node) || typeof node.value !== 'string') return whole;
  // An offset into the value of a reference says nothing about the reference itself.
  const part = node.value.slice(within.start, within.end);
  if (node.value.includes('${') && !part.startsWith('${')) return whole;
  const written = text.slice(start, end);
  const quotes = node.type?.startsWith('QUOTE') ? 1 : 0;
  if (
    node.type !== 'BLOCK_LITERAL' &&
    node.type !== 'BLOCK_FOLDED' &&
    written.length === node.value.length + 2 * quotes
  ) {
    const from = start + quotes + within.start;
    return { start: from, end: Math.max(start + quotes + within.end, from + 1) };
  }
  const found = offsetsIn(node, part, node.value, written).get(within.start);
  return found === undefined ? whole : { start: start + found, end: start + found + part.length };
}

/** The offsets by node and part: thousands of findings may be in one text. */
const knownOffsets = new WeakMap<Node, Map<string, ReadonlyMap<number, number>>>();

/** The place in the text for each occurrence in the value; empty if their numbers differ. */
function offsetsIn(node: Node, part: string, value: string, written: string): ReadonlyMap<number, number> {
  const known = knownOffsets.get(node) ?? new Map<string, ReadonlyMap<number, number>>();
  knownOffsets.set(node, known);
  let offsets = known.get(part);
  if (offsets === undefined) {
    const [inValue, inText] = [offsetsOf(part, value), offsetsOf(part, written)];
    const pairs = inValue.map((at, index): readonly [number, number] => [at, inText[index] ?? 0]);
    offsets = new Map(inValue.length === inText.length ? pairs : []);
    known.set(part, offsets);
  }
  return offsets;
}

function offsetsOf(part: string, text: string): readonly number[] {
  const offsets: number[] = [];
  if (part === '') return offsets;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) offsets.push(at);
  return offsets;
}
