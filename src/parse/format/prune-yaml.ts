// Removes entries of `moved`, `adopt` and `removed` from a file by cutting them out of its text: comments on lines of their
// own and the style of everything else stay. A section without entries goes as a whole. The meaning of the file is
// compared before and after, so that an unforeseen layout leaves the file unchanged.

import { define, equalJson, isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { Span } from '../../model/workspace/diagnostic.ts';
import { makeLocator } from '../locate.ts';
import { parseSource } from '../parse-source.ts';

/** The place of an entry, such as `/adopt/3`. */
export interface EntryPlace {
  readonly document: number;
  readonly pointer: Pointer;
}

/** Undefined if the layout is not supported. */
export function pruneYaml(text: string, entries: readonly EntryPlace[]): string | undefined {
  const before = documentsOf(text);
  const cuts: Span[] = [];
  for (const [document, value] of before) {
    for (const [section, list] of isJsonObject(value) ? Object.entries(value) : []) {
      const gone = indexesIn(entries, document, section);
      if (gone.size === 0 || !Array.isArray(list)) continue;
      const found = cutsOf(text, { document, section, gone, count: list.length });
      if (found === undefined) return undefined;
      cuts.push(...found);
    }
  }
  const pruned = without(text, cuts);
  const after = documentsOf(pruned);
  const isMeant = [...before].every(([document, value]) =>
    equalJson(orEmpty(after.get(document)), orEmpty(pruneValue(value, document, entries))),
  );
  return isMeant ? pruned : undefined;
}

function documentsOf(text: string): ReadonlyMap<number, Json> {
  return new Map(parseSource({ path: '', text }).value.map(({ origin, value }) => [origin.document, value]));
}

function orEmpty(value: Json | undefined): Json {
  return value ?? {};
}

function indexesIn(entries: readonly EntryPlace[], document: number, section: string): ReadonlySet<number> {
  const inside = entries.filter((entry) => entry.document === document);
  const segments = inside.map(({ pointer }) => pointerSegments(pointer));
  return new Set(segments.flatMap(([name, index]) => (name === section ? Number(index) : [])));
}

function pruneValue(value: Json, document: number, entries: readonly EntryPlace[]): Json {
  if (!isJsonObject(value)) return value;
  const pruned: Record<string, Json> = {};
  for (const [section, list] of Object.entries(value)) {
    const gone = indexesIn(entries, document, section);
    const kept = gone.size > 0 && Array.isArray(list) ? list.filter((_, index) => !gone.has(index)) : list;
    if (gone.size === 0 || !Array.isArray(kept) || kept.length > 0) define(pruned, section, kept);
  }
  return pruned;
}

interface Section {
  readonly document: number;
  readonly section: string;
  readonly gone: ReadonlySet<number>;
  readonly count: number;
}

function cutsOf(text: string, { document, section, gone, count }: Section): readonly Span[] | undefined {
  const locator = makeLocator(() => ({ path: '', text }));
  const spanOf = (at: 'key' | 'value', ...index: readonly number[]) =>
    locator.locate({ file: '', document, pointer: pointerTo(section, ...index), at })?.span;
  const [key, list] = [spanOf('key'), spanOf('value')];
  const items = [...gone].sort((a, b) => a - b).flatMap((index) => spanOf('value', index) ?? []);
  if (key === undefined || list === undefined || items.length !== gone.size) return undefined;
  const isWhole = gone.size === count;
  const ownsItsLine = text.slice(lineStart(text, key.start), key.start).trim() === '';
  if (isWhole && !ownsItsLine) return undefined;
  if (text[list.start] === '[') {
    return isWhole ? [linesOf(text, { start: key.start, end: list.end })] : flowCuts(text, items);
  }
  const isDash = ({ start }: Span) => /^ *- +$/.test(text.slice(lineStart(text, start), start));
  if (!items.every(isDash)) return undefined;
  return [...(isWhole ? [linesOf(text, key)] : []), ...items.map((item) => linesOf(text, item))];
}

/** Whole lines, with the comment after the last one. */
function linesOf(text: string, { start, end }: Span): Span {
  const last = start + text.slice(start, end).trimEnd().length;
  const lineEnd = text.indexOf('\n', last);
  return { start: lineStart(text, start), end: lineEnd < 0 ? text.length : lineEnd + 1 };
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Each item with the comma after it; at the end of the list, with the one before. */
function flowCuts(text: string, items: readonly Span[]): readonly Span[] {
  const cuts: Span[] = [];
  for (const { start, end } of items) {
    const next = end + (/^\s*,[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
    const last = cuts.at(-1);
    if (last?.end === start) cuts[cuts.length - 1] = { start: last.start, end: next };
    else cuts.push({ start, end: next });
  }
  const last = cuts.at(-1);
  if (last === undefined || !/^\s*\]/.test(text.slice(last.end))) return cuts;
  return [...cuts.slice(0, -1), { start: text.lastIndexOf(',', last.start), end: last.end }];
}

function without(text: string, cuts: readonly Span[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { start, end } of [...cuts].sort((a, b) => a.start - b.start)) {
    kept.push(text.slice(at, start));
    at = end;
  }
  return kept.join('') + text.slice(at);
}
