// The declarations of a file as they are laid out: where their keys stand, which comments belong to them, and whether they
// share their text with others. Whoever moves a declaration asks here what would be lost.

import { CST, isMap, isScalar, Lexer } from 'yaml';
import { sections } from '../../model/values/address.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { Span } from '../../model/workspace/diagnostic.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parseYaml } from '../yaml-documents.ts';

export interface WrittenEntry {
  readonly document: number;
  readonly pointer: Pointer;
  readonly key: Span;
  /** The comments between its key and its last value, in order. */
  readonly comments: readonly string[];
  /** Whether a comment stands immediately above it. */
  readonly hasCommentAbove: boolean;
  /** Whether it has anchors, aliases, merge keys or tags: its text means something only where it stands. */
  readonly isShared: boolean;
}

/** Of the sections whose entries stand in a block of their own, in the order of the text. */
export function writtenEntries(file: SourceFile): readonly WrittenEntry[] {
  const marks = marksIn(file.text);
  return parseYaml(file).documents.flatMap(({ document, index }) => {
    if (!isMap(document.contents)) return [];
    const ends = document.contents.items.map(({ key }) => startOf(key));
    return document.contents.items.flatMap(({ key, value }, at) => {
      const section = sections.find((name) => isScalar(key) && key.value === name);
      if (section === undefined || !isMap(value) || value.flow === true || value.anchor !== undefined) return [];
      const limit = ends[at + 1] ?? document.range[2];
      return value.items.flatMap((pair, position): readonly WrittenEntry[] => {
        if (!isScalar(pair.key) || !pair.key.range) return [];
        const [start, end] = pair.key.range;
        const next = startOf(value.items[position + 1]?.key) ?? limit;
        const own = { document: index, pointer: pointerTo(section, String(pair.key.value)), key: { start, end } };
        return [{ ...own, ...marksOf(marks, file.text, start, next) }];
      });
    });
  });
}

function startOf(key: unknown): number | undefined {
  return isScalar(key) ? key.range?.[0] : undefined;
}

interface Mark {
  readonly kind: 'content' | 'comment' | 'shared';
  readonly start: number;
  readonly text: string;
}

/** What has a meaning in the text, in its order. */
function marksIn(text: string): readonly Mark[] {
  const marks: Mark[] = [];
  let offset = text.startsWith('\ufeff') ? 1 : 0;
  let isText = false;
  for (const lexeme of new Lexer().lex(text)) {
    const isContent: boolean = isText;
    isText = !isContent && lexeme === CST.SCALAR;
    // These have no text of their own.
    if (!isContent && (lexeme === CST.SCALAR || lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END)) continue;
    const kind = isContent ? 'scalar' : CST.tokenType(lexeme);
    const start = offset;
    offset += lexeme.length;
    if (kind === 'comment') marks.push({ kind, start, text: lexeme });
    else if (kind === 'anchor' || kind === 'alias' || kind === 'tag')
      marks.push({ kind: 'shared', start, text: lexeme });
    else if (kind !== 'space' && kind !== 'newline' && kind !== 'byte-order-mark')
      marks.push({ kind: lexeme === '<<' ? 'shared' : 'content', start, text: lexeme });
  }
  return marks;
}

function marksOf(
  marks: readonly Mark[],
  text: string,
  start: number,
  next: number,
): Pick<WrittenEntry, 'comments' | 'hasCommentAbove' | 'isShared'> {
  const from = firstFrom(marks, start);
  const own = marks.slice(from, firstFrom(marks, next));
  const last = own.findLastIndex(({ kind }) => kind !== 'comment');
  const lineEnd = text.indexOf('\n', (own[last]?.start ?? start) + (own[last]?.text.length ?? 0) - 1);
  const inside = own.filter(
    ({ kind, start: at }, index) => kind === 'comment' && (index < last || lineEnd < 0 || at < lineEnd),
  );
  const before = marks[from - 1];
  // On a line of its own, and that line is the one above.
  const isAbove =
    before?.kind === 'comment' &&
    text.slice(text.lastIndexOf('\n', before.start - 1) + 1, before.start).trim() === '' &&
    !/\n[ \t\r]*\n/.test(text.slice(before.start + before.text.length, start));
  return {
    comments: inside.map((comment) => comment.text),
    hasCommentAbove: isAbove,
    isShared: own.some(({ kind }) => kind === 'shared'),
  };
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
