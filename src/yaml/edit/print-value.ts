// New values as text, in the form that `fmt` keeps: maps as blocks, lists of scalars on one line where there is room, and a
// text of several lines as a block.

import { byName, isJsonObject, type Json } from '../../model/values/json.ts';
import { isVisible } from '../../model/values/unseen.ts';
import { printString, type Quote } from '../format/print-string.ts';
import { rankIn } from '../format/sort-entries.ts';
import type { Order } from '../format/source-order.ts';

export interface PrintedValue {
  /** The text after the key or dash on its line. */
  readonly inline: string;
  /** Whole lines below it, without line breaks. */
  readonly below: readonly string[];
}

export interface Style {
  readonly inFlow: boolean;
  /** The column of the key or dash. */
  readonly column: number;
  /** The indentation of each level below it. */
  readonly step: number;
  readonly order: Order | undefined;
  readonly quote: Quote | undefined;
  readonly quotesKeys?: boolean;
  /** True if a text of several lines may become a block. */
  readonly hasBlockTexts: boolean;
  /** A value with comments has a line of its own. */
  readonly notes?: Notes | undefined;
}

/** Comments behind a value, and behind those inside it. */
export interface Notes {
  readonly words: string | undefined;
  readonly below: (key: string) => Notes;
}

/** The longest line with brackets: formatters for YAML break a longer one. */
export const maxLineLength = 80;

const dash = '-';

/** The value of a key, or of a dash; `head` is that dash, or the key with its colon. */
export function printValue(value: Json, around: Style, head: string): PrintedValue {
  const isItem = head === dash;
  // The lines of an item begin two columns after its dash, whatever the step is.
  const style = isItem ? { ...around, step: 2 } : around;
  const inline = () => ({ inline: printInline(value, style), below: [] });
  // A list inside a list is on one line, unless there are comments.
  const isOpened = style.notes !== undefined && hasParts(value);
  const isLine = !isOpened && (isShort(value) || (isItem && Array.isArray(value)));
  if (style.inFlow || (isLine && fits(inline().inline, head, style))) return inline();
  if (typeof value === 'string') return printBlockText(value, style) ?? inline();
  const lines = blockLines(value, { ...style, column: style.column + style.step, quote: undefined });
  const [first = '', ...rest] = lines;
  return isItem ? { inline: first.trimStart(), below: rest } : { inline: '', below: lines };
}

/** An entry of a block: whole lines without line breaks. */
export function printEntry(key: string | undefined, value: Json, style: Style): readonly string[] {
  const head = key === undefined ? dash : `${printKey(key, style)}:`;
  const { inline, below } = printOneLine(value, style, head) ?? printValue(value, style, head);
  // Behind a dash is the first part of a map or list, with its own comment.
  const words = key === undefined && hasParts(value) ? undefined : style.notes?.words;
  const comment = words === undefined ? [] : [`# ${words}`];
  return [' '.repeat(style.column) + [head, ...(inline === '' ? [] : [inline]), ...comment].join(' '), ...below];
}

/** A map that its order wants on one line; undefined where there is no room. */
function printOneLine(value: Json, style: Style, head: string): PrintedValue | undefined {
  if (style.order?.onOneLine !== true || style.notes !== undefined || style.inFlow || !isJsonObject(value))
    return undefined;
  const inline = printInline(value, { ...style, quote: undefined });
  return fits(inline, head, style) ? { inline, below: [] } : undefined;
}

/** True if it fits, or is not in brackets, which alone can be written in another way. */
function fits(inline: string, head: string, { column }: Style): boolean {
  return !/^[[{][^\]}]/.test(inline) || column + head.length + 1 + inline.length <= maxLineLength;
}

/** An entry inside brackets. */
export function printFlowEntry(key: string | undefined, value: Json, style: Style): string {
  const text = printInline(value, { ...style, inFlow: true });
  return key === undefined ? text : `${printKey(key, { ...style, inFlow: true })}: ${text}`;
}

function printKey(key: string, { inFlow, quotesKeys }: Style): string {
  return printString(key, { inFlow, isKey: true }, quotesKeys ? '"' : undefined);
}

/** True if the value takes no block where it has room. */
function isShort(value: Json): boolean {
  if (Array.isArray(value)) return value.every((item) => !isNested(item));
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return typeof value !== 'string' || !value.includes('\n');
}

function isNested(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

function hasParts(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function printInline(value: Json, style: Style): string {
  const inside = { ...style, inFlow: true };
  if (Array.isArray(value)) return `[${value.map((item) => printInline(item, inside)).join(', ')}]`;
  if (isJsonObject(value)) {
    const entries = sorted(value, style.order).map(([key, entry]) =>
      printFlowEntry(key, entry, { ...style, order: style.order?.below(key) }),
    );
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string'
    ? printString(value, { inFlow: style.inFlow, isKey: false }, style.quote)
    : JSON.stringify(value);
}

function blockLines(value: Json, style: Style): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => printEntry(undefined, item, styleBelow(style, '', String(index))));
  }
  if (!isJsonObject(value)) return [];
  return sorted(value, style.order).flatMap(([key, entry]) => printEntry(key, entry, styleBelow(style, key)));
}

function styleBelow(style: Style, key: string, place = key): Style {
  return { ...style, order: style.order?.below(key), notes: style.notes?.below(place) };
}

function sorted(
  value: { readonly [key: string]: Json },
  order: Order | undefined,
): readonly (readonly [string, Json])[] {
  const entries = Object.entries(value);
  // An object has those first that are numbers, wherever they belong: `11` before `01`.
  if (entries.some(([key]) => /^(?:0|[1-9]\d*)$/.test(key))) entries.sort(([a], [b]) => byName(a, b));
  return order === undefined ? entries : entries.sort(([a], [b]) => rankIn(order, a) - rankIn(order, b));
}

/** Returns undefined if a reader could not see, or a block could not hold, all of the text. */
function printBlockText(text: string, { column, step, hasBlockTexts }: Style): PrintedValue | undefined {
  if (!hasBlockTexts || !isVisible(text.replaceAll('\n', '')) || /^[ \n]| \n| $/.test(text)) return undefined;
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  const indent = ' '.repeat(column + step);
  return { inline: `|${chomping}`, below: lines.map((line) => (line === '' ? '' : indent + line)) };
}
