// The tokens of a YAML file as a tree of entries, each with its comments and blank lines. The tree can be reordered and
// reindented without losing a character. The yaml package attaches a comment wherever it meets it; here its column
// decides: a comment further left than a map belongs to what follows the map.

import type { CST } from 'yaml';

/** A comment line; a blank one has no text. */
export interface Line {
  readonly text: string;
  readonly column: number;
}

export interface Entry {
  /** The lines above it. */
  readonly leading: readonly Line[];
  /** Anchor and tag of the key. */
  readonly keyProps: readonly string[];
  /** Undefined for the item of a list. */
  readonly key: CST.FlowScalar | undefined;
  /** Anchor and tag of the value. */
  readonly props: readonly string[];
  /** The comment on the line of the key or dash, with the spaces before it. */
  readonly comment: string;
  /** Comments between the key or dash and its value. */
  readonly below: readonly Line[];
  readonly value: Tree | undefined;
}

export type Tree =
  | { readonly type: 'map' | 'list'; readonly entries: readonly Entry[]; readonly trailing: readonly Line[] }
  | { readonly type: 'text'; readonly token: TextToken; readonly comment: string };

export type TextToken = CST.FlowScalar | CST.BlockScalar | CST.FlowCollection;

/** A file with an unsupported layout, such as explicit keys (`? key`): it is left unchanged. */
export class UnknownLayout extends Error {}

interface Grown<T> {
  readonly grown: T;
  /** Lines at its end that are too far left to be part of it. */
  readonly after: readonly Line[];
}

/**
 * `leading` are the lines between its key and the token. `isAtItsKey`: a list stands at the column of its key, so what
 * follows at that column belongs to the next key.
 */
export function growTree(token: CST.Token, leading: readonly Line[] = [], isAtItsKey = false): Grown<Tree> {
  switch (token.type) {
    case 'block-map':
    case 'block-seq':
      return growCollection(token, leading, isAtItsKey);
    case 'flow-collection':
      return growText(token, token.end.slice(1));
    case 'block-scalar':
      return growText(token, token.props.slice(1) as CST.SourceToken[]);
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return growText(token, token.end ?? []);
    default:
      throw new UnknownLayout(token.type);
  }
}

function growText(token: TextToken, end: readonly CST.SourceToken[]): Grown<Tree> {
  const { comment, below } = readTokens(end);
  return { grown: { type: 'text', token, comment }, after: below };
}

function growCollection(
  token: CST.BlockMap | CST.BlockSequence,
  leading: readonly Line[],
  isAtItsKey: boolean,
): Grown<Tree> {
  const entries: Entry[] = [];
  let pending: readonly Line[] = leading;
  for (const item of token.items) {
    const { grown, after } = growEntry(item, pending, token);
    if (grown !== undefined) entries.push(grown);
    pending = after;
  }
  const inside = isAtItsKey ? token.indent + 1 : token.indent;
  const outside = pending.findIndex(({ text, column }) => text !== '' && column < inside);
  let split = outside < 0 ? pending.length : outside;
  while (split > 0 && pending[split - 1]?.text === '') split -= 1;
  const type = token.type === 'block-map' ? 'map' : 'list';
  return { grown: { type, entries, trailing: pending.slice(0, split) }, after: pending.slice(split) };
}

type Item = CST.BlockMap['items'][number] | CST.BlockSequence['items'][number];

function growEntry(
  item: Item,
  before: readonly Line[],
  parent: CST.BlockMap | CST.BlockSequence,
): Grown<Entry | undefined> {
  const dash = item.start.findIndex(({ type }) => type === 'seq-item-ind');
  const isList = parent.type === 'block-seq';
  if (item.start.some(({ type }) => type === 'explicit-key-ind')) throw new UnknownLayout('explicit key');
  const head = readTokens(isList && dash >= 0 ? item.start.slice(0, dash) : item.start, true);
  const leading = [...before, ...head.below];
  if (isList ? dash < 0 : item.key === undefined || item.key === null) {
    if (item.value !== undefined || head.props.length > 0) throw new UnknownLayout('value without a key');
    return { grown: undefined, after: leading };
  }
  const key = isList ? undefined : scalarKey(item.key);
  const { props, comment, below } = readTokens(isList ? item.start.slice(dash + 1) : afterColon(item.sep ?? []));
  const entry = { leading, keyProps: head.props, key, props, comment };
  if (!item.value) {
    const stays = below.findIndex(({ text, column }) => text !== '' && column <= parent.indent);
    const split = stays < 0 ? below.length : stays;
    return {
      grown: { ...entry, below: trimEnd(below.slice(0, split)), value: undefined },
      after: restOf(below, split),
    };
  }
  const isAtItsKey = item.value.type === 'block-seq' && !isList && item.value.indent === parent.indent;
  const isCollection = item.value.type === 'block-map' || item.value.type === 'block-seq';
  const { grown: value, after } = growTree(item.value, isCollection ? below : [], isAtItsKey);
  return { grown: { ...entry, below: isCollection ? [] : below, value }, after };
}

function trimEnd(lines: readonly Line[]): readonly Line[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.text === '') end -= 1;
  return lines.slice(0, end);
}

/** The lines from `split` on, with the blank ones before them. */
function restOf(lines: readonly Line[], split: number): readonly Line[] {
  return lines.slice(trimEnd(lines.slice(0, split)).length);
}

function scalarKey(key: CST.Token | null | undefined): CST.FlowScalar {
  if (key?.type === 'scalar' || key?.type === 'single-quoted-scalar' || key?.type === 'double-quoted-scalar') {
    return key;
  }
  throw new UnknownLayout('key');
}

function afterColon(sep: readonly CST.SourceToken[]): readonly CST.SourceToken[] {
  const colon = sep.findIndex(({ type }) => type === 'map-value-ind');
  if (colon < 0 || sep.slice(0, colon).some(({ type }) => type !== 'space')) throw new UnknownLayout('colon');
  return sep.slice(colon + 1);
}

export interface TokensRead {
  readonly props: readonly string[];
  /** On the first line; none with `atLineStart`. */
  readonly comment: string;
  readonly below: readonly Line[];
}

/** What comes between two values: anchors and tags, and comments by line. */
export function readTokens(tokens: readonly CST.SourceToken[], atLineStart = false): TokensRead {
  const props: string[] = [];
  const below: Line[] = [];
  let comment = '';
  let space = '';
  let isFirst = !atLineStart;
  let isBlank = atLineStart;
  for (const { type, source } of tokens) {
    if (type === 'space') space = source;
    else if (type === 'comment') {
      if (isFirst) comment = (space || ' ') + source.trimEnd();
      else below.push({ text: source.trimEnd(), column: space.length });
      isBlank = false;
    } else if (type === 'newline') {
      if (isBlank) below.push({ text: '', column: 0 });
      isFirst = false;
      isBlank = true;
      space = '';
    } else if (type === 'anchor' || type === 'tag') {
      props.push(source);
      isBlank = false;
      space = '';
    } else throw new UnknownLayout(type);
  }
  return { props, comment, below };
}
