// Changes tokens: a value is replaced, and entries of a block or of brackets come and go. In a block, comments on lines
// of their own stay, but those that are indented deeper than a removed entry go with it. In brackets, an entry that has a
// line of its own goes and comes with that line; the comma after the entry before stays where that is on another line.

import type { CST } from 'yaml';
import { pushAll } from '../../model/values/collections.ts';
import {
  type Block,
  deeper,
  type Entry,
  entriesOf,
  hasComment,
  headOf,
  isBlock,
  isMap,
  isPart,
  itemsOf,
  lineEnd,
  linesAbove,
  linesOf,
  type Source,
  setItems,
} from './entries.ts';
import type { PrintedValue, Style } from './print-value.ts';

/** An entry in its surroundings, and how its value is printed there. */
export interface EditPlace extends Style {
  readonly entry: Entry;
  /** All entries of the map or list that holds it. */
  readonly siblings: readonly Entry[];
  /** The place of that map or list; undefined for a document, whose column is below zero. */
  readonly outer: EditPlace | undefined;
}

/**
 * Puts another value beside a key or dash and on the lines below. A comment on the line of the key stays, and so do those
 * above the first and below the last entry of a block.
 */
export function replaceValue({ entry }: EditPlace, { inline, below }: PrintedValue): void {
  const { value, sep } = entry;
  const gap = sep.splice(headOf(sep));
  const isBelow = gap.some(isNewline);
  if (entry.key && !sep.some(({ type }) => type === 'map-value-ind')) sep.push(written(':', 'map-value-ind'));
  if (inline !== '') pushAll(sep, value === undefined || isBlock(value) ? [written(' ')] : gap);
  const isKeyAlone = value === undefined || (isBelow && (isBlock(value) || inline === ''));
  const tail = isKeyAlone ? gap.slice(0, lineEnd(gap)) : tailOf(value);
  const first = isBlock(value) ? entriesOf(value)[0] : undefined;
  const above = first === undefined ? [] : linesAbove(first);
  entry.value = scalar(inline, [...tail, ...above, written(asText(below)), ...linesAtEnd(value)]);
}

/** Puts another name in place of the key. */
export function renameKey({ key }: Entry, name: string): void {
  if (key) Object.assign(key, { type: 'scalar', source: name });
}

/** The tokens after a value up to the end of its last line. */
function tailOf(value: CST.Token | undefined): readonly Source[] {
  if (isBlock(value)) return tailOf(entriesOf(value).at(-1)?.value);
  if (value?.type === 'block-scalar') return value.props.slice(1) as Source[];
  if (value?.type === 'flow-collection') return value.end.slice(1);
  return value !== undefined && 'end' in value ? (value.end ?? []) : [newline()];
}

function linesAtEnd(value: CST.Token | undefined): readonly Source[] {
  if (!isBlock(value)) return [];
  return [...linesAtEnd(entriesOf(value).at(-1)?.value), ...(itemsOf(value).at(-1)?.start ?? [])];
}

/** The entry whose lines follow those of a place. */
function entryBelow({ entry, siblings, outer }: EditPlace): Entry {
  const next = siblings[siblings.indexOf(entry) + 1];
  if (next !== undefined && (outer === undefined || next.start.length > 0 || next !== siblings.at(-1))) return next;
  return outer === undefined ? entry : entryBelow(outer);
}

function prepend(tokens: readonly Source[], entry: Entry): void {
  entry.start = [...tokens, ...entry.start];
}

/** `isApart`: with a blank line between it and the others. */
export function insertInBlock(
  token: Block,
  index: number,
  lines: readonly string[],
  { place, isApart }: { readonly place: EditPlace; readonly isApart: boolean },
): void {
  const items = itemsOf(token);
  const next = items[index];
  if (next === undefined) return;
  const indent = written(' '.repeat(token.indent));
  const entry = newEntry([], asText(lines).trimStart());
  items.splice(index, 0, entry);
  if (index === 0 && isBesideDash(place)) {
    prepend([indent], next);
    return;
  }
  const above = index === 0 ? frontOf(next, place.outer === undefined) : deeper(next.start, token.indent);
  entry.start = next.start.splice(0, above);
  if (isApart && index === 0) prepend([newline()], next);
  else if (isApart) entry.start.push(newline());
  entry.start.push(indent);
}

/** True if the first entry is on the line of a dash. */
function isBesideDash({ entry: { sep } }: EditPlace): boolean {
  return sep.length > 0 && sep.at(-1)?.type !== 'newline';
}

/** Counts the tokens above the first entry that are not its comments: those at the top are the document's. */
function frontOf({ start }: Entry, isRoot: boolean): number {
  const lines = linesOf(start).slice(0, -1);
  const own = lines.findLastIndex((line) => !hasComment(line)) + 1;
  return (isRoot && own === 0 ? lines : lines.slice(0, own)).flat().length;
}

/** `removed`: with comments inside an entry that stay. A map or list that loses all is `{}` or `[]`, but not a document. */
export function removeFromBlock(token: Block, removed: ReadonlyMap<Entry, readonly Source[]>, place: EditPlace): void {
  const items = itemsOf(token);
  const [first, end] = [items[0], items.at(-1)];
  // Below an item, what is further left than its value is not its own.
  const column = isMap(token) ? token.indent : token.indent + 1;
  const keptEntries: Entry[] = [];
  let above: readonly Source[] | undefined;
  for (const item of items) {
    if (above !== undefined) {
      item.start.splice(0, deeper(item.start, column));
      const next = item !== end || item.start.length > 0 ? item : entryBelow(place);
      next.start = joinedLines(above, next.start, keptEntries.length === 0 && item !== end);
    }
    const comments = removed.get(item);
    const own = linesAbove(item);
    // Blank lines between two that go would become a part of a text above that keeps its own.
    above = comments && [...(above === undefined || hasComment(own) ? own : above), ...comments];
    if (comments === undefined) keptEntries.push(item);
  }
  setItems(token, keptEntries);
  if (keptEntries.length === 1 && place.outer !== undefined)
    replaceValue(place, { inline: isMap(token) ? '{}' : '[]', below: [] });
  // The entry that then comes first is beside the dash.
  else if (isBesideDash(place) && keptEntries[0] !== first)
    keptEntries[0]?.start.splice(0, textAt(keptEntries[0].start));
}

/** Joins lines without blank ones that would be double, below the key, or at the end of the file. */
function joinedLines(above: readonly Source[], below: readonly Source[], isFirst: boolean): Source[] {
  if (hasComment(above)) return [...above, ...below];
  if (isFirst) return [...above, ...below.slice(blankAt(below))];
  return below.length === 0 || blankAt(below) > 0 ? [...below] : [...above, ...below];
}

/** Counts the tokens of blank lines at the start. */
function blankAt(tokens: readonly Source[]): number {
  return tokens.slice(0, textAt(tokens)).findLastIndex(isNewline) + 1;
}

function textAt(tokens: readonly Source[]): number {
  const found = tokens.findIndex(({ type }) => type !== 'space' && type !== 'newline');
  return found < 0 ? tokens.length : found;
}

/** Puts the text of an entry into brackets. */
export function insertInFlow(token: CST.FlowCollection, index: number, text: string): void {
  const items = itemsOf(token);
  const [before, next] = [items[index - 1], items[index]];
  if (next === undefined) return;
  const gap = next.start.splice(0, gapLength(next));
  // The gaps around the entry beside which it comes.
  const [left, right] = before === undefined ? [gap, gapOf(items[1])] : [gapOf(before), gap];
  let [start, rest]: [readonly Source[], readonly Source[]] = [[comma(), written(' ')], gap];
  if (items.length === 1) {
    const padding = isMap(token) ? [written(' ')] : [];
    [start, rest] = hasComment(gap) ? [[], gap] : [padding, padding];
  } else if (ownsLine(left, right)) {
    const { upTo, after } = atComma(gap);
    const line = lineEnd(after);
    const isLast = before !== undefined && upTo.length === 0;
    start = [...(isLast ? [comma()] : upTo), ...after.slice(0, line), ...lastLine(left)];
    rest = [...(isLast ? [] : [comma()]), newline(), ...after.slice(line)];
  } else if (before === undefined) [start, rest] = [gap, start];
  prepend(rest, next);
  items.splice(index, 0, newEntry([...start], text));
}

export function removeFromFlow(token: CST.FlowCollection, removed: ReadonlyMap<Entry, unknown>): void {
  const keptEntries: Entry[] = [];
  let before: readonly Source[] | undefined;
  const items = itemsOf(token);
  for (const item of items) {
    const gap = item.start.splice(0, gapLength(item));
    const joined =
      before === undefined ? gap : joinedGaps(before, gap, keptEntries.length === 0, item === items.at(-1));
    before = removed.has(item) ? joined : undefined;
    if (before !== undefined) continue;
    prepend(joined, item);
    keptEntries.push(item);
  }
  const [end] = keptEntries;
  if (keptEntries.length === 1 && end !== undefined && !hasComment(end.start)) end.start = [];
  setItems(token, keptEntries);
}

/** The tokens between two entries when the one between them goes. */
function joinedGaps(before: readonly Source[], gap: readonly Source[], isFirst: boolean, isLast: boolean): Source[] {
  const [left, right] = [atComma(before), atComma(gap)];
  if (ownsLine(before, gap)) {
    const indent = lastLine(before).length;
    return [...before.slice(0, before.length - indent), ...right.after.slice(lineEnd(right.after))];
  }
  if (!isFirst && !left.after.some(isNewline)) return [...left.upTo.slice(0, -1), ...gap];
  if (!isLast && !right.after.some(isNewline)) return [...before];
  const line = right.after.findIndex(isNewline);
  return [...before, ...right.after.slice(line < 0 ? right.after.length : line)];
}

/** True if an entry between these has a line of its own. */
function ownsLine(before: readonly Source[], gap: readonly Source[]): boolean {
  return atComma(before).after.some(isNewline) && atComma(gap).after.some(isNewline);
}

function atComma(gap: readonly Source[]): { readonly upTo: readonly Source[]; readonly after: readonly Source[] } {
  const end = gap.findIndex(({ type }) => type === 'comma') + 1;
  return { upTo: gap.slice(0, end), after: gap.slice(end) };
}

/** The indentation at the end of a gap. */
function lastLine(gap: readonly Source[]): readonly Source[] {
  return gap.slice(gap.findLastIndex(isNewline) + 1);
}

function gapOf(entry: Entry | undefined): readonly Source[] {
  return entry === undefined ? [] : entry.start.slice(0, gapLength(entry));
}

function gapLength({ start }: Entry): number {
  const part = start.findIndex(isPart);
  return part < 0 ? start.length : part;
}

function isNewline({ type }: Source): boolean {
  return type === 'newline';
}

/** New texts are tokens without a place; no later change looks into them. */
function written(source: string, type: Source['type'] = 'space'): Source {
  return { type, offset: -1, indent: -1, source };
}

const newline = () => written('\n', 'newline');
const comma = () => written(',', 'comma');

function newEntry(start: Source[], text: string): Entry {
  return { start, sep: [], value: scalar(text, []) };
}

function scalar(source: string, end: Source[]): CST.FlowScalar {
  return { type: 'scalar', offset: -1, indent: -1, source, end };
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
