// What stands around the values of a source file: comments, and anchors and merge keys by which values share their text.
// Whoever moves or removes a value asks here what would be lost.

import { CST, Lexer, Parser } from 'yaml';
import { sections } from '../../model/values/address.ts';
import { memoize, once } from '../../model/values/memoize.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { Span } from '../../model/workspace/diagnostic.ts';
import { CannotEdit } from './edit-tree.ts';
import {
  type Collection,
  entriesOf,
  isCollection,
  isMap,
  isMergeEntry,
  keyOf,
  rootOf,
  type SourceEntry,
  type Spot,
} from './source-entries.ts';
import { columnOf, isFirstOnLine, lineEnd, lineStart } from './splice.ts';

export interface Layout {
  /** Of the sections whose entries stand in a block of their own, in the order of the text. */
  readonly declarations: readonly WrittenDeclaration[];
  /** Whether no anchor, alias or merge key is on the way to a place, or at it. It need not exist yet. */
  isOwn(document: number, pointer: Pointer): boolean;
  /** Whether the entry of a map can go: it has a text of its own, and no comment beside, above or below it. */
  canGo(document: number, pointer: Pointer): boolean;
  /** Whether a list of texts can be replaced: there is no comment in it. One beside its key stays. */
  canBeReplaced(document: number, pointer: Pointer): boolean;
  isComment(offset: number): boolean;
}

export interface WrittenDeclaration {
  readonly document: number;
  readonly pointer: Pointer;
  readonly key: Span;
  /** The comments between its key and the line end of its last value, in order. */
  readonly comments: readonly string[];
  /** Whether a comment stands immediately above it. */
  readonly hasCommentAbove: boolean;
  /** Whether it has anchors, aliases, merge keys or tags: its text means something only where it stands. */
  readonly isShared: boolean;
}

/** Of a text without errors. */
export function layoutOf(text: string): Layout {
  const marks = once(() => marksIn(text));
  const roots = once(() => [...new Parser().parse(text)].filter((token) => token.type === 'document').map(rootOf));
  // Found once for each map: one file may hold thousands of resources.
  const partsOf = memoize(partsIn);
  /** Undefined if something on the way is shared. */
  const follow = (document: number, pointer: Pointer): { readonly entry: SourceEntry | undefined } | undefined => {
    let spot: Spot | undefined = roots()[document];
    let entry: SourceEntry | undefined;
    for (const segment of pointerSegments(pointer)) {
      if (spot === undefined || isReference(spot)) return undefined;
      if (!isCollection(spot.value)) return { entry: undefined };
      const { entries, merges } = partsOf(spot.value);
      if (merges) return undefined;
      entry = entries.get(segment);
      if (entry === undefined) return { entry };
      spot = entry;
    }
    return spot === undefined || isReference(spot) ? undefined : { entry };
  };
  const around = { text, marks };
  const asked = (document: number, pointer: Pointer, answer: (entry: SourceEntry, around: Around) => boolean) =>
    unlessUnknown(false, () => {
      const entry = follow(document, pointer)?.entry;
      return entry !== undefined && answer(entry, around);
    });
  return {
    get declarations() {
      return roots().flatMap((root, document) => unlessUnknown([], () => declarationsIn(root, document, around)));
    },
    isOwn: (document, pointer) => unlessUnknown(false, () => follow(document, pointer) !== undefined),
    canGo: (document, pointer) => asked(document, pointer, isBareText),
    canBeReplaced: (document, pointer) => asked(document, pointer, isBareList),
    isComment: (offset) => {
      const mark = marks()[firstFrom(marks(), offset + 1) - 1];
      return mark?.isComment === true && offset < mark.start + mark.text.length;
    },
  };
}

/** In a layout that cannot be edited. */
function unlessUnknown<T>(otherwise: T, question: () => T): T {
  try {
    return question();
  } catch (error) {
    if (error instanceof CannotEdit) return otherwise;
    throw error;
  }
}

/** A comment, or what shares its text. */
interface Mark {
  readonly isComment: boolean;
  readonly start: number;
  readonly text: string;
}

/** In the order of the text. */
function marksIn(text: string): readonly Mark[] {
  const marks: Mark[] = [];
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const isContent: boolean = isScalar;
    isScalar = !isContent && lexeme === CST.SCALAR;
    // These have no text of their own.
    if (!isContent && (isScalar || lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END)) continue;
    const type = isContent ? undefined : CST.tokenType(lexeme);
    const isShared = lexeme === '<<' || type === 'anchor' || type === 'alias' || type === 'tag';
    if (type === 'comment' || isShared) marks.push({ isComment: type === 'comment', start: offset, text: lexeme });
    offset += lexeme.length;
  }
  return marks;
}

/** The index of the first mark at or behind an offset. */
function firstFrom(marks: readonly Mark[], offset: number): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Parts {
  readonly entries: ReadonlyMap<string, SourceEntry>;
  readonly merges: boolean;
}

function partsIn(token: Collection): Parts {
  const all = entriesOf(token);
  const entries = all.map((entry, index) => [String(isMap(token) ? keyOf(entry) : index), entry] as const);
  return { entries: new Map(entries), merges: isMap(token) && all.some(isMergeEntry) };
}

function isReference({ anchor, value }: Spot): boolean {
  return anchor !== undefined || value?.type === 'alias';
}

function declarationsIn({ value: root }: Spot, document: number, around: Around): readonly WrittenDeclaration[] {
  if (!isCollection(root) || !isMap(root)) return [];
  return entriesOf(root).flatMap((section) => {
    const name = keyOf(section) ?? '';
    if (!sections.some((each) => each === name) || section.value?.type !== 'block-map' || section.anchor !== undefined)
      return [];
    return entriesOf(section.value).flatMap((entry): readonly WrittenDeclaration[] => {
      if (entry.key === undefined) return [];
      const { offset, source } = entry.key;
      const within = marksBetween(entry.start, entry.end, around);
      return [
        {
          ...{ document, pointer: pointerTo(name, keyOf(entry) ?? '') },
          key: { start: offset, end: offset + source.length },
          comments: [...within.flatMap(({ isComment, text }) => (isComment ? text : [])), ...beside(entry, around)],
          hasCommentAbove: hasCommentAbove(entry, around),
          isShared: within.some(({ isComment }) => !isComment),
        },
      ];
    });
  });
}

/** The text, and its marks in order. */
interface Around {
  readonly text: string;
  readonly marks: () => readonly Mark[];
}

function marksBetween(start: number, end: number, { marks }: Around): readonly Mark[] {
  return marks().slice(firstFrom(marks(), start), firstFrom(marks(), end));
}

function hasComment(start: number, end: number, around: Around): boolean {
  return marksBetween(start, end, around).some(({ isComment }) => isComment);
}

/** The comment behind an entry on its line. */
function beside({ end, comma = end }: SourceEntry, around: Around): readonly string[] {
  const [mark] = marksBetween(comma, lineEnd(around.text, comma), around);
  return mark?.isComment === true && around.text.slice(comma, mark.start).trim() === '' ? [mark.text] : [];
}

function isBareText(entry: SourceEntry, around: Around): boolean {
  const { start, end, value } = entry;
  if (!isText(value) || hasComment(start, end, around) || beside(entry, around).length > 0) return false;
  return !hasCommentAbove(entry, around) && !hasCommentBelow(end, columnOf(around.text, start), around.text);
}

function isBareList({ start, head, value, end }: SourceEntry, around: Around): boolean {
  const { text } = around;
  if (!isCollection(value) || isMap(value)) return false;
  const isBare = entriesOf(value).every(
    ({ anchor, value: item, key }) => key === undefined && anchor === undefined && isText(item),
  );
  if (!isBare) return false;
  if (value.type === 'flow-collection') return !hasComment(head, end, around);
  // What is indented deeper than its key belongs to it.
  return (
    !hasComment(lineEnd(text, head), lineEnd(text, end), around) && !hasCommentBelow(end, columnOf(text, start), text)
  );
}

function isText(token: CST.Token | undefined): boolean {
  return token?.type === 'scalar' || token?.type === 'single-quoted-scalar' || token?.type === 'double-quoted-scalar';
}

function hasCommentAbove({ start }: SourceEntry, around: Around): boolean {
  const { text } = around;
  const own = lineStart(text, start);
  if (own === 0 || !isFirstOnLine(text, start)) return false;
  const [mark] = marksBetween(lineStart(text, own - 1), own, around);
  return mark?.isComment === true && isFirstOnLine(text, mark.start);
}

/** On the lines after, indented deeper than the key. */
function hasCommentBelow(end: number, column: number, text: string): boolean {
  const blankLines = /(?:[ \t\r]*\n)*/y;
  blankLines.lastIndex = lineEnd(text, end);
  blankLines.exec(text);
  const comment = /[ \t]*(?=#)/y;
  comment.lastIndex = blankLines.lastIndex;
  const [indent] = comment.exec(text) ?? [];
  return indent !== undefined && indent.length > column;
}
