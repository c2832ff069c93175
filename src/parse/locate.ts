// Places to positions, late: a JSON pointer becomes a line and column only when a finding about it is to be shown.
// The file is parsed again for that, once for all its findings, so that no syntax tree is kept while a workspace of
// thousands of files is read.

import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, visit } from 'yaml';
import type { Place, Span } from '../model/diagnostic.ts';
import { pointerSegments } from '../model/pointer.ts';
import type { SourceFile } from '../model/source-file.ts';
import { isMerge } from './to-value.ts';
import { parseYaml, type YamlDocument } from './yaml-documents.ts';

export interface Position {
  readonly span: Span;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Locator {
  /** Undefined where the place has no text: a whole file, or one that isn't there any more. */
  locate(place: Place): Position | undefined;
  /** The text of a plain scalar as it stands in the file: `12e10945`, where the value is a number. */
  sourceAt(place: Place): string | undefined;
}

/** Keeps the last file parsed: ask in the order of files. */
export function makeLocator(fileNamed: (path: string) => SourceFile | undefined): Locator {
  let current: { path: string; documents: readonly YamlDocument[]; lines: LineCounter } | undefined;
  const open = (path: string) => {
    if (current?.path === path) return current;
    const file = fileNamed(path);
    if (file === undefined) return undefined;
    const { documents, lines } = parseYaml(file);
    current = { path, documents, lines };
    return current;
  };
  const find = (place: Place): Found | undefined => {
    if (!('pointer' in place)) return undefined;
    const document = open(place.file)?.documents.find(({ index }) => index === place.document)?.document;
    return document === undefined ? undefined : findNode(document, place.pointer);
  };
  const spanOf = (place: Place): Span | undefined => {
    if ('span' in place) return place.span;
    const found = find(place);
    if (found === undefined || !('pointer' in place)) return undefined;
    const node = place.at === 'key' ? (found.key ?? found.value) : (found.value ?? found.key);
    return node && narrow(spanOfNode(node), node, place.within);
  };
  return {
    locate(place) {
      const span = spanOf(place);
      if (span === undefined) return undefined;
      const lines = 'span' in place ? linesOf(fileNamed(place.file)?.text ?? '') : open(place.file)?.lines;
      if (lines === undefined) return undefined;
      const from = lines.linePos(span.start);
      const to = lines.linePos(Math.max(span.start, span.end - 1));
      return { span, line: from.line, column: from.col, endLine: to.line, endColumn: to.col + 1 };
    },
    sourceAt(place) {
      const value = find(place)?.value;
      return isScalar(value) ? value.source : undefined;
    },
  };
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

interface Found {
  readonly key?: Node | undefined;
  readonly value?: Node | undefined;
}

/** Walks as far as the pointer leads; a missing field ends on what would hold it. */
function findNode(document: Document.Parsed, pointer: string): Found | undefined {
  let found: Found = { value: document.contents ?? undefined };
  for (const segment of pointerSegments(pointer)) {
    const holder = followed(found.value, document);
    const next = isSeq(holder)
      ? { key: found.key, value: holder.items[Number(segment)] as Node | undefined }
      : isMap(holder)
        ? fromPair(pairOf(holder.items, segment, document))
        : undefined;
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

function fromPair(pair: Pair | undefined): Found | undefined {
  return pair && { key: pair.key as Node, value: (pair.value as Node | null) ?? undefined };
}

function pairOf(pairs: readonly Pair[], key: string, document: Document.Parsed): Pair | undefined {
  const own = pairs.find((pair) => isScalar(pair.key) && pair.key.value === key && !isMerge(pair));
  if (own !== undefined) return own;
  for (const pair of pairs.filter(isMerge)) {
    const source = followed(pair.value as Node | null, document);
    for (const map of isSeq(source) ? source.items.map((item) => followed(item as Node, document)) : [source]) {
      const merged = isMap(map) ? pairOf(map.items, key, document) : undefined;
      if (merged !== undefined) return merged;
    }
  }
  return undefined;
}

/** What an alias stands for: the last node with its anchor before it. */
function followed(node: Node | null | undefined, document: Document.Parsed): Node | undefined {
  if (!isAlias(node)) return node ?? undefined;
  const before = node.range?.[0] ?? 0;
  let target: Node | undefined;
  visit(document, {
    Node: (_, candidate) => {
      const anchored = 'anchor' in candidate && candidate.anchor === node.source;
      if (anchored && (candidate.range?.[0] ?? 0) < before) target = candidate;
    },
  });
  return target;
}

function spanOfNode(node: Node): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start, end: Math.max(end, start + 1) };
}

/** A part of a text on one line; quoted and escaped texts only when they stand in the file as they are. */
function narrow(span: Span, node: Node, within: Span | undefined): Span {
  if (within === undefined || !isScalar(node) || typeof node.value !== 'string') return span;
  const quotes = node.type === 'PLAIN' ? 0 : node.type?.startsWith('QUOTE') ? 1 : undefined;
  if (quotes === undefined || span.end - span.start !== node.value.length + 2 * quotes) return span;
  return {
    start: span.start + quotes + within.start,
    end: span.start + quotes + Math.max(within.end, within.start + 1),
  };
}
