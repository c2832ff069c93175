// Formats a YAML file: layout, order of fields, quotes and brackets. The canonical form has sections and fields in the
// order of the tables, two spaces per level, quotes only where needed, and at most one blank line in a row. Comments,
// anchors, merge keys, documents and the style of strings and lists are kept. The meaning of the file is compared
// before and after, so that an unforeseen layout leaves the file unchanged.

import { CST, isScalar, isSeq, Lexer, parseDocument } from 'yaml';
import { pushAll } from '../../model/values/collections.ts';
import { equalJson } from '../../model/values/json.ts';
import { isVisible } from '../../model/values/unseen.ts';
import { CannotEdit } from '../edit/edit-tree.ts';
import {
  type Block,
  deeper,
  type Entry,
  entriesOf,
  isBlock,
  isMap,
  itemsOf,
  keyOf,
  readDocuments,
  type Source,
} from '../edit/entries.ts';
import { parseSource } from '../parse-source.ts';
import { isSafePlain, type TextPlace } from './print-string.ts';
import { sortEntries } from './sort-entries.ts';
import type { Order } from './source-order.ts';

const step = 2;

/** Formats a file without syntax errors; returns undefined if its layout is not supported. */
export function formatYaml(text: string, order: Order): string | undefined {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const unix = text.replaceAll('\r\n', '\n');
  try {
    const formatted = print(unix, order);
    return formatted === unix || meansTheSame(unix, formatted) ? formatted.replaceAll('\n', lineEnd) : undefined;
  } catch (error) {
    if (error instanceof CannotEdit) return undefined;
    throw error;
  }
}

function meansTheSame(before: string, after: string): boolean {
  const [a, b] = [before, after].map((text) => parseSource({ path: '', text }));
  if (a === undefined || b === undefined || a.value.length !== b.value.length) return false;
  return (
    a.findings.length === b.findings.length &&
    a.value.every(({ value }, index) => equalJson(value, b.value[index]?.value)) &&
    equalJson(commentsOf(before), commentsOf(after))
  );
}

/** All comments of a file, sorted: what must not get lost. */
export function commentsOf(text: string): readonly string[] {
  const comments: string[] = [];
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar && CST.tokenType(lexeme) === 'comment') comments.push(lexeme.trimEnd());
    isScalar = lexeme === CST.SCALAR;
  }
  return comments.sort();
}

/** A blank line inside a string, which rules about blank lines must not change. */
const blankOfText = '\u0000';
/** Ends a string that keeps its blank lines: another one after it would become part of it. */
const endOfKept = '\u0001';

function print(text: string, order: Order): string {
  const out: string[] = [];
  let between: Source[] = [];
  let isLineStart = true;
  const linesBetween = (): readonly string[] => {
    const { comment, below } = readTokens(between, isLineStart);
    if (comment !== '') out.push((out.pop() ?? '') + comment);
    between = [];
    isLineStart = true;
    return below;
  };
  for (const token of readDocuments(text).tokens) {
    switch (token.type) {
      case 'block-map':
        printDocument(token, linesBetween(), order, out);
        break;
      case 'directive':
      case 'doc-end':
        pushAll(out, [...linesBetween(), token.source.trimEnd()]);
        between = [...(token.type === 'doc-end' ? (token.end ?? []) : [])];
        isLineStart = false;
        break;
      case 'comment':
      case 'newline':
      case 'space':
        between.push(token as Source);
        break;
      default:
        throw new CannotEdit(token.type);
    }
  }
  pushAll(out, linesBetween());
  return tidied(out)
    .map((line) => `${line.replaceAll(blankOfText, '').replaceAll(endOfKept, '')}\n`)
    .join('');
}

/** Removes blank lines at both ends and after a string that keeps its own, and collapses several into one. */
function tidied(lines: readonly string[]): readonly string[] {
  const takesBlank = (line = '') => line !== '' && !line.endsWith(endOfKept);
  const keptLines = lines.filter((line, index) => line !== '' || takesBlank(lines[index - 1]));
  if (keptLines.at(-1) === '') keptLines.pop();
  return keptLines;
}

interface TokensRead {
  /** Anchors and tags on the first line. */
  readonly props: readonly string[];
  /** The anchor and tag that are on other lines. */
  readonly propsBelow: readonly string[];
  /** The comment on the first line, with the spaces before it; empty with `atLineStart`. */
  readonly comment: string;
  /** The comments on lines of their own; a blank line is empty. */
  readonly below: readonly string[];
  readonly endsLine: boolean;
}

function readTokens(tokens: readonly Source[], atLineStart = false): TokensRead {
  const props: string[] = [];
  const propsBelow: string[] = [];
  const below: string[] = [];
  let comment = '';
  let space = '';
  let isFirst = !atLineStart;
  let isBlank = atLineStart;
  for (const { type, source } of tokens) {
    switch (type) {
      case 'space':
        space = source;
        continue;
      case 'comment':
        if (isFirst) comment = (space || ' ') + source.trimEnd();
        else below.push(source.trimEnd());
        isBlank = false;
        break;
      case 'newline':
        if (isBlank) below.push('');
        isFirst = false;
        isBlank = true;
        break;
      case 'anchor':
      case 'tag':
        (isFirst || atLineStart ? props : propsBelow).push(source);
        isBlank = false;
        break;
      default:
        throw new CannotEdit(type);
    }
    space = '';
  }
  return { props, propsBelow, comment, below, endsLine: !isFirst };
}

function printDocument(document: Block, before: readonly string[], order: Order, out: string[]): void {
  const [root = { start: [], sep: [] }, end] = itemsOf(document);
  const { sep, value } = root;
  const marker = sep.findIndex(({ type }) => type === 'doc-start');
  if (marker > 0) throw new CannotEdit('document');
  const { props, propsBelow, comment, below } = readTokens(sep.slice(marker + 1), marker < 0);
  if (props.length + propsBelow.length > 0) throw new CannotEdit('anchor of a document');
  if (marker === 0) pushAll(out, [...before, `---${comment}`]);
  const above = marker === 0 ? below : [...before, ...below];
  if (isBlock(value)) printBlock(value, { indent: 0, order, above, isRoot: true }, out);
  else {
    pushAll(out, above);
    if (value !== undefined) pushAll(out, printText(value, order, { indent: -step, base: 0 }).lines);
  }
  pushAll(out, readTokens(end?.start ?? [], true).below);
}

interface BlockPlace {
  readonly indent: number;
  readonly order: Order | undefined;
  /** The lines between its key and the block. */
  readonly above: readonly string[];
  readonly isRoot?: boolean;
}

function indented(lines: readonly string[], indent: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
}

function printBlock(block: Block, { indent, order, above, isRoot }: BlockPlace, out: string[]): void {
  const items = itemsOf(block);
  const entries = entriesOf(block);
  const [former] = entries;
  const leading = new Map<Entry, readonly string[]>();
  const ownLines = new Map<Entry, readonly string[]>();
  for (const [index, entry] of entries.entries()) {
    // Comments below an entry are its own if they are indented deeper; they are taken from the next entry. Those in a block
    // are read there, and those below a block text would become a part of it.
    const next = items[index + 1]?.start ?? [];
    if (!isBlock(entry.value) && entry.value?.type !== 'block-scalar')
      ownLines.set(entry, readTokens(next.splice(0, deeper(next, block.indent)), true).below);
    leading.set(entry, [...(entry === former ? above : []), ...readTokens(entry.start, true).below]);
  }
  const linesAbove = (entry: Entry | undefined) => (entry && leading.get(entry)) ?? [];
  // Comments that a blank line separates from the first entry stay at the top. Those right above the first section are about
  // the file, unless a blank line sets them apart.
  const lines = linesAbove(former);
  const blank = isRoot && !isMap(block) ? -1 : lines.lastIndexOf('');
  const top = isRoot && blank < 0 ? lines.length : blank + 1;
  pushAll(out, indented(lines.slice(0, top), indent));
  if (former !== undefined) leading.set(former, lines.slice(top));
  const sorted = isMap(block) && order !== undefined ? sortEntries(entries, order) : entries;
  const [first] = sorted;
  // Blank lines above the new first entry move to the old one.
  if (first !== undefined && former !== undefined && first !== former && linesAbove(first)[0] === '') {
    const text = linesAbove(first).findIndex((line) => line !== '');
    leading.set(first, text < 0 ? [] : linesAbove(first).slice(text));
    leading.set(former, ['', ...linesAbove(former)]);
  }
  for (const entry of sorted) {
    pushAll(out, indented(linesAbove(entry), indent));
    pushAll(out, printEntry(entry, indent, order, ownLines.get(entry) ?? []));
  }
  pushAll(out, indented(readTokens(items.at(-1)?.start ?? [], true).below, indent));
}

/** `ownLines`: the comments below it. */
function printEntry(
  { start, key, sep, value }: Entry,
  indent: number,
  order: Order | undefined,
  ownLines: readonly string[],
): readonly string[] {
  const isItem = sep[0]?.type === 'seq-item-ind';
  const colon = sep.findIndex(({ type }) => type !== 'space');
  if (!isItem && sep[colon]?.type !== 'map-value-ind') throw new CannotEdit('colon');
  const name = isItem ? '' : nameOf(key);
  const { props, propsBelow, comment, below, endsLine } = readTokens(sep.slice(colon + 1));
  const isKept = endsLine && (isBracketOrLines(value) || (ownLines.length > 0 && value !== undefined));
  const isBeside = !isKept && comment === '' && below.length === 0;
  const ownProps = value === undefined || isBlock(value) || isBeside ? [] : propsBelow;
  const quoteKey = (source: string) => (isKept ? source : requote(source, { inFlow: false, isKey: true }));
  const shownKey = isItem ? '-' : `${quoteKey(sourceOf(key))}:`;
  const onKeyLine = [...readTokens(start, true).props, shownKey, ...props, ...propsBelow.slice(ownProps.length)];
  const begin = ' '.repeat(indent) + onKeyLine.join(' ');
  const orderBelow = order?.below(name);
  if (value === undefined) return [begin + comment, ...indented([...below, ...ownLines], indent + step)];
  if (isBlock(value)) {
    const lines: string[] = [];
    printBlock(value, { indent: indent + step, order: orderBelow, above: below }, lines);
    const [first = '', ...rest] = lines;
    const canShareLine = isItem && onKeyLine.length === 1 && comment === '' && first !== '';
    return canShareLine ? [`${begin} ${first.trimStart()}`, ...rest] : [begin + comment, ...lines];
  }
  const base = isBeside && !isItem ? indent : indent + step;
  const { lines, isBlockText } = printText(value, orderBelow, {
    indent,
    base,
    isKept,
    dash: isItem ? sep[0]?.indent : undefined,
  });
  const [first = '', ...rest] = lines;
  const linesBelow = [...rest, ...indented(ownLines, indent + step)];
  if (isBeside) return [`${begin} ${first}`, ...linesBelow];
  if (isBlockText) throw new CannotEdit('comment before a block text');
  return [begin + comment, ...indented([...below, [...ownProps, first].join(' ')], indent + step), ...linesBelow];
}

/** Below its key it stays as it is: beside the key, or with fewer quotes, it may fit a line that it did not fit before. */
function isBracketOrLines(value: CST.Token | undefined): boolean {
  if (value?.type === 'flow-collection') return true;
  return value !== undefined && value.type !== 'block-scalar' && 'source' in value && value.source.includes('\n');
}

function sourceOf(key: Entry['key']): string {
  return key && 'source' in key ? key.source : '';
}

interface Indents {
  /** The indentation of the entry. */
  readonly indent: number;
  /** The column from which the parser measures the value's own lines. */
  readonly base: number;
  /** True if a bracket keeps its own quotes, blanks and order. */
  readonly isKept?: boolean;
  /** The column of the dash that it is beside: the digit of a block text counts from there. */
  readonly dash?: number | undefined;
}

/** Prints the value with the comment behind it, or on a block's first line, which has no indentation. */
function printText(
  token: CST.Token,
  order: Order | undefined,
  place: Indents,
): { readonly lines: readonly string[]; readonly isBlockText: boolean } {
  const withComment = (lines: readonly string[], at: number, end: readonly Source[]) =>
    lines.with(at, (lines.at(at) ?? '') + readTokens(end).comment);
  switch (token.type) {
    case 'block-scalar':
      return {
        lines: withComment(printBlockScalar(token, place), 0, token.props.slice(1) as Source[]),
        isBlockText: true,
      };
    case 'flow-collection': {
      const oneLine = place.isKept ? undefined : flowOnOneLine(token, order);
      const lines = oneLine === undefined ? movedFlow(token, place) : [oneLine];
      return { lines: withComment(lines, -1, token.end.slice(1)), isBlockText: false };
    }
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar': {
      const [first = '', ...rest] = requote(token.source, { inFlow: false, isKey: false }).split('\n');
      const lines = [first, ...rest.map((line) => indentedText(line.trimStart(), place.indent + step))];
      return { lines: withComment(lines, -1, token.end ?? []), isBlockText: false };
    }
    default:
      throw new CannotEdit(token.type);
  }
}

function indentedText(text: string, indent: number): string {
  return text === '' ? blankOfText : ' '.repeat(indent) + text;
}

function movedFlow(token: CST.FlowCollection, { indent, base }: Indents): readonly string[] {
  quoteInside(token);
  const source = CST.stringify({ ...token, end: token.end.slice(0, 1) });
  const [first = '', ...rest] = source.split('\n');
  const moved = rest.map((line) => {
    const text = line.trimStart();
    return indentedText(text.trimEnd(), Math.max(indent + step, line.length - text.length + base - token.indent));
  });
  return [first.trimEnd(), ...moved];
}

function printBlockScalar(token: CST.BlockScalar, { indent, dash }: Indents): readonly string[] {
  const [header] = token.props;
  if (header === undefined || !('source' in header)) throw new CannotEdit('block text');
  const digit = Number(/\d/.exec(header.source)?.[0] ?? 0);
  const lines = token.source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const firstText = lines.find((line) => line.trim() !== '') ?? '';
  const old = digit > 0 ? (dash ?? token.indent) + digit : firstText.length - firstText.trimStart().length;
  const now = digit > 0 ? indent + digit : indent + step;
  const moved = lines.map((line) => (line.length <= old ? blankOfText : ' '.repeat(now) + line.slice(old)));
  const last = moved.pop();
  if (last === undefined) return [header.source];
  return [header.source, ...moved, header.source.includes('+') ? last + endOfKept : last];
}

// Changes the quotes of a scalar for `fmt`. They go where a text is safe without them, and come in brackets where a
// text without them would be read as something else elsewhere.

const maxLength = 1000;

/** The scalar in its canonical form: plain, in double quotes, or unchanged. */
export function requote(source: string, place: TextPlace): string {
  if (!/^["']/.test(source)) return place.inFlow ? quoteUnsafe(source, place) : source;
  if (source.length > maxLength || source.includes('\n')) return source;
  const value = scalarText(source);
  if (value === undefined || !isVisible(value)) return source;
  if (isSafePlain(value, place)) return value;
  return /["\\]/.test(value) || source.startsWith('"') ? source : `"${value}"`;
}

/**
 * A scalar in brackets, with quotes if it is a text that is not safe without them. A merge key is none. Line breaks mean the
 * same in quotes.
 */
export function quoteUnsafe(source: string, place: TextPlace): string {
  if (/^["'*&!]/.test(source) || (place.isKey && source === '<<')) return source;
  const value = scalarText(source);
  if (value === undefined || isSafePlain(value, place)) return source;
  return /["\\]/.test(source) ? `'${source.replaceAll("'", "''")}'` : `"${source}"`;
}

/** Read in brackets, where every scalar may stand on one line or several. Undefined if it is no text. */
function scalarText(source: string): string | undefined {
  const { errors, contents } = parseDocument(`[${source}]`);
  const item = errors.length === 0 && isSeq(contents) ? contents.items[0] : undefined;
  return isScalar(item) && typeof item.value === 'string' ? item.value : undefined;
}

// Collections in brackets and braces: on one line they get the usual spaces and are sorted like any map; over several
// lines they are kept and moved as a whole, but for texts that are not safe without quotes.

/** Returns undefined if it has several lines or a comment. */
function flowOnOneLine(token: CST.FlowCollection, order: Order | undefined): string | undefined {
  try {
    return printFlow(token, order);
  } catch (error) {
    if (error instanceof CannotEdit) return undefined;
    throw error;
  }
}

function printFlow(token: CST.FlowCollection, order: Order | undefined): string {
  const entries = entriesOf(token);
  // Refuses a comment behind the last comma.
  propsOf(itemsOf(token).at(-1)?.start ?? []);
  const sorted = isMap(token) && order !== undefined ? sortEntries(entries, order) : entries;
  const items = sorted.map((entry) => reprintFlowEntry(entry, order, isMap(token)));
  if (items.length === 0) return isMap(token) ? '{}' : '[]';
  return isMap(token) ? `{ ${items.join(', ')} }` : `[${items.join(', ')}]`;
}

/** Anchors and tags. Throws CannotEdit for a comment or another line. */
function propsOf(tokens: readonly Source[]): readonly string[] {
  return tokens.flatMap(({ type, source }) => {
    if (type === 'anchor' || type === 'tag') return source;
    if (type === 'space' || type === 'comma' || type === 'map-value-ind') return [];
    throw new CannotEdit(type);
  });
}

function reprintFlowEntry({ start, key, sep, value }: Entry, order: Order | undefined, isMap: boolean): string {
  const hasColon = sep.some(({ type }) => type === 'map-value-ind');
  if (!key && hasColon) throw new CannotEdit('colon without a key');
  const below = order?.below(isMap && key ? nameOf(key) : '');
  const [before, props] = [propsOf(start), propsOf(sep)];
  const after = [...props, ...(value === undefined || value === null ? [] : [printInline(value, below, false)])];
  // A key alone (`{ a, b }`) has no colon.
  const colon = hasColon ? ':' : '';
  return [...before, ...(key ? [`${printInline(key, undefined, true)}${colon}`] : []), ...after].join(' ');
}

function printInline(token: CST.Token, order: Order | undefined, isKey: boolean): string {
  if (token.type === 'flow-collection' && !isKey) return printFlow(token, order);
  if (!isFlowScalar(token) || token.source.includes('\n')) throw new CannotEdit('several lines');
  // Refuses a comment behind it.
  propsOf(token.end ?? []);
  return requote(token.source, { inFlow: true, isKey });
}

/** Quotes what is not safe without, and changes nothing else. */
function quoteInside(token: CST.FlowCollection): void {
  CST.visit({ start: [], value: token }, ({ key, value }) => {
    for (const scalar of [key, value])
      if (scalar?.type === 'scalar')
        scalar.source = quoteUnsafe(scalar.source, { inFlow: true, isKey: scalar === key });
  });
}

function nameOf(key: Entry['key']): string {
  if (!key || !isFlowScalar(key) || key.type === 'alias') throw new CannotEdit('key');
  return keyOf({ start: [], sep: [], key }) ?? key.source;
}

function isFlowScalar(token: CST.Token): token is CST.FlowScalar {
  return ['alias', 'scalar', 'single-quoted-scalar', 'double-quoted-scalar'].includes(token.type);
}
