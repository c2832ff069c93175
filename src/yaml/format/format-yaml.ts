// A YAML file in its canonical form: sections and fields in the order of the tables, two spaces per level, quotes only
// where needed, and at most one blank line in a row. Comments, anchors, merge keys, documents and the style of strings and
// lists are kept. The meaning of the file is compared before and after, so that an unforeseen layout leaves the file
// unchanged.

import { CST, Lexer, Parser } from 'yaml';
import { equalJson } from '../../model/values/json.ts';
import { parseSource } from '../parse-source.ts';
import {
  type Entry,
  growTree,
  type Line,
  readTokens,
  type TextToken,
  type Tree,
  UnknownLayout,
} from './layout-tree.ts';
import { flowOnOneLine, nameOf, requote } from './print-flow.ts';
import { type Order, sortEntries } from './sort-entries.ts';

const step = 2;

/** For a file without syntax errors; undefined if its layout is not supported. */
export function formatYaml(text: string, order: Order): string | undefined {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const unix = text.replaceAll('\r\n', '\n');
  try {
    const formatted = print(unix, order);
    return formatted === unix || meansTheSame(unix, formatted) ? formatted.replaceAll('\n', lineEnd) : undefined;
  } catch (error) {
    if (error instanceof UnknownLayout) return undefined;
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

function commentsOf(text: string): readonly string[] {
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
  let between: CST.SourceToken[] = [];
  let isLineStart = true;
  const linesBetween = (): readonly Line[] => {
    const { comment, below } = readTokens(between, isLineStart);
    if (comment !== '') out.push((out.pop() ?? '') + comment);
    between = [];
    isLineStart = true;
    return below;
  };
  for (const token of new Parser().parse(text)) {
    switch (token.type) {
      case 'document':
        printDocument(token, linesBetween(), order, out);
        break;
      case 'directive':
      case 'doc-end':
        out.push(...printLines(linesBetween(), 0), token.source.trimEnd());
        between = [...(token.type === 'doc-end' ? (token.end ?? []) : [])];
        isLineStart = false;
        break;
      case 'comment':
      case 'newline':
      case 'space':
        between.push(token as CST.SourceToken);
        break;
      default:
        throw new UnknownLayout(token.type);
    }
  }
  out.push(...printLines(linesBetween(), 0));
  return tidied(out)
    .map((line) => `${line.replaceAll(blankOfText, '').replaceAll(endOfKept, '')}\n`)
    .join('');
}

/** Removes blank lines at both ends and after a string that keeps its own, and collapses several into one. */
function tidied(lines: readonly string[]): readonly string[] {
  const takesBlank = (line = '') => line !== '' && !line.endsWith(endOfKept);
  const kept = lines.filter((line, index) => line !== '' || takesBlank(lines[index - 1]));
  if (kept.at(-1) === '') kept.pop();
  return kept;
}

function printDocument(
  { start, value, end }: CST.Document,
  before: readonly Line[],
  order: Order,
  out: string[],
): void {
  const marker = start.findIndex(({ type }) => type === 'doc-start');
  if (marker > 0) throw new UnknownLayout('document');
  const { props, comment, below } = readTokens(start.slice(marker + 1), marker < 0);
  if (props.length > 0) throw new UnknownLayout('anchor of a document');
  if (marker === 0) out.push(...printLines(before, 0), `---${comment}`);
  const above = marker === 0 ? below : [...before, ...below];
  if (value === undefined) out.push(...printLines(above, 0));
  else printRoot(value, above, order, out);
  out.push(...printLines(readTokens(end ?? [], true).below, 0));
}

function printRoot(value: CST.Token, above: readonly Line[], order: Order, out: string[]): void {
  // Comments right above the first section are about the file, unless a blank line sets them apart.
  const blank = value.type === 'block-map' ? above.findLastIndex(({ text }) => text === '') : -1;
  const apart = blank >= 0 ? blank + 1 : above.length;
  out.push(...printLines(above.slice(0, apart), 0));
  const { grown, after } = growTree(value, above.slice(apart));
  if (grown.type === 'text') {
    const { lines, isBlock } = printText(grown.token, order, { indent: -step, base: 0 });
    out.push(...withComment(lines, grown.comment, isBlock));
  } else printTree(grown, 0, order, out);
  out.push(...printLines(after, 0));
}

function printLines(lines: readonly Line[], indent: number): readonly string[] {
  return lines.map(({ text }) => (text === '' ? '' : ' '.repeat(indent) + text));
}

function printTree(
  { type, entries, trailing }: Exclude<Tree, { type: 'text' }>,
  indent: number,
  order: Order | undefined,
  out: string[],
): void {
  const [first, ...rest] = entries;
  // Comments that a blank line separates from the first entry stay at the top.
  const top = first === undefined ? 0 : first.leading.findLastIndex(({ text }) => text === '') + 1;
  out.push(...printLines(first?.leading.slice(0, top) ?? [], indent));
  const own = first === undefined ? [] : [{ ...first, leading: first.leading.slice(top) }, ...rest];
  const sorted =
    type === 'map' && order !== undefined
      ? sortEntries(own, order, ({ key }) => (key === undefined ? '' : nameOf(key)))
      : own;
  for (const entry of sorted) {
    out.push(...printLines(entry.leading, indent));
    out.push(...printEntry(entry, indent, order));
  }
  out.push(...printLines(trailing, indent));
}

function printEntry(
  { keyProps, key, props, comment, below, value }: Entry,
  indent: number,
  order: Order | undefined,
): readonly string[] {
  const key_ = key === undefined ? undefined : requote(key.source, { inFlow: false, isKey: true });
  const head = [...keyProps, key_ === undefined ? '-' : `${key_}:`, ...props].join(' ');
  const begin = ' '.repeat(indent) + head;
  const orderBelow = order?.below(key === undefined ? '' : nameOf(key));
  const inner = printLines(below, indent + step);
  if (value === undefined) return [begin + comment, ...inner];
  if (value.type !== 'text') {
    const lines: string[] = [];
    printTree(value, indent + step, orderBelow, lines);
    const canShareLine =
      key === undefined && props.length === 0 && comment === '' && !/^ *(?:#|$)/.test(lines[0] ?? '');
    return canShareLine
      ? [begin + (lines[0] ?? '').slice(begin.length), ...lines.slice(1)]
      : [begin + comment, ...lines];
  }
  const base = key === undefined ? indent + step : indent;
  const { lines, isBlock } = printText(value.token, orderBelow, { indent, base });
  if (comment !== '' || inner.length > 0) {
    if (isBlock) throw new UnknownLayout('comment before a block text');
    const [first = '', ...rest] = withComment(lines, value.comment);
    return [begin + comment, ...inner, ' '.repeat(indent + step) + first, ...rest];
  }
  const [first = '', ...rest] = withComment(lines, value.comment, isBlock);
  return [`${begin} ${first}`, ...rest];
}

/** A comment comes at the end of a value; for a block string, on its first line. */
function withComment(lines: readonly string[], comment: string, isBlock = false): readonly string[] {
  const at = isBlock ? 0 : lines.length - 1;
  return lines.map((line, index) => (index === at ? line + comment : line));
}

interface Place {
  /** Of the entry. */
  readonly indent: number;
  /** What the parser measures the value's own lines from. */
  readonly base: number;
}

/** The first line is without its indentation. */
function printText(
  token: TextToken,
  order: Order | undefined,
  place: Place,
): { readonly lines: readonly string[]; readonly isBlock: boolean } {
  switch (token.type) {
    case 'block-scalar':
      return { lines: printBlockScalar(token, place), isBlock: true };
    case 'flow-collection': {
      const oneLine = flowOnOneLine(token, order);
      return { lines: oneLine === undefined ? movedFlow(token, place) : [oneLine], isBlock: false };
    }
    default: {
      const [first = '', ...rest] = requote(token.source, { inFlow: false, isKey: false }).split('\n');
      const indented = rest.map((line) => indentedText(line.trimStart(), place.indent + step));
      return { lines: [first, ...indented], isBlock: false };
    }
  }
}

function indentedText(text: string, indent: number): string {
  return text === '' ? blankOfText : ' '.repeat(indent) + text;
}

function movedFlow(token: CST.FlowCollection, { indent, base }: Place): readonly string[] {
  const source = CST.stringify({ ...token, end: token.end.slice(0, 1) });
  const [first = '', ...rest] = source.split('\n');
  const moved = rest.map((line) => {
    const text = line.trimStart();
    return indentedText(text.trimEnd(), Math.max(indent + step, line.length - text.length + base - token.indent));
  });
  return [first.trimEnd(), ...moved];
}

function printBlockScalar(token: CST.BlockScalar, { indent, base }: Place): readonly string[] {
  const [header] = token.props;
  if (header === undefined || !('source' in header)) throw new UnknownLayout('block text');
  const digit = Number(/\d/.exec(header.source)?.[0] ?? 0);
  const lines = token.source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const firstText = lines.find((line) => line.trim() !== '') ?? '';
  const old = digit > 0 ? token.indent + digit : firstText.length - firstText.trimStart().length;
  const now = digit > 0 ? base + digit : indent + step;
  const moved = lines.map((line) => (line.length <= old ? blankOfText : ' '.repeat(now) + line.slice(old)));
  const last = moved.pop();
  if (last === undefined) return [header.source];
  return [header.source, ...moved, header.source.includes('+') ? last + endOfKept : last];
}
