// The comments, anchors and merge keys around a source file's declarations. Anchors and merge keys share text. A fold
// asks here what would be lost if a declaration became an item.

import type { CST } from 'yaml';
import { sections } from '../../model/values/address.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import {
  anchorOf,
  type Entry,
  entriesOf,
  isCollection,
  isMap,
  isPart,
  keyOf,
  linesAbove,
  readDocuments,
  sourcesIn,
} from '../../yaml/edit/entries.ts';

export interface WrittenDeclaration {
  readonly document: number;
  readonly pointer: Pointer;
  /** The comments between its key and the line end of its last value, in order. */
  readonly comments: readonly string[];
  /** Its comments at the items of a loop. */
  readonly itemComments: readonly string[];
  /** True if there is a comment directly above it. */
  readonly hasCommentAbove: boolean;
  /** True if it has anchors, aliases, merge keys or tags: its text means something only at its place. */
  readonly isShared: boolean;
}

/** The declarations of sections in block style, in the order of the text, which has no errors. */
export function writtenDeclarations(text: string): readonly WrittenDeclaration[] {
  return readDocuments(text).documents.flatMap(([root], document) => declarationsIn(root?.value, document));
}

function declarationsIn(root: CST.Token | undefined, document: number): readonly WrittenDeclaration[] {
  if (!isCollection(root) || !isMap(root)) return [];
  return entriesOf(root).flatMap((section) => {
    const name = keyOf(section) ?? '';
    if (!sections.some((each) => each === name) || section.value?.type !== 'block-map') return [];
    if (anchorOf(section) !== undefined) return [];
    return entriesOf(section.value).flatMap((entry): readonly WrittenDeclaration[] => {
      const key = keyOf(entry);
      if (key === undefined) return [];
      const all = [...sourcesIn(entry)];
      return [
        {
          document,
          pointer: pointerTo(name, key),
          comments: commentsIn(all),
          itemComments: fieldsOf(entry).flatMap((each) =>
            keyOf(each) === 'forEach' ? commentsIn(sourcesIn(each)) : [],
          ),
          hasCommentAbove: hasCommentAbove(entry),
          isShared: [...entry.start.filter(isPart), ...all].some(isShared),
        },
      ];
    });
  });
}

function fieldsOf({ value }: Entry): readonly Entry[] {
  return isCollection(value) && isMap(value) ? entriesOf(value) : [];
}

function commentsIn(sources: Iterable<{ readonly type: string; readonly source: string }>): readonly string[] {
  return [...sources].flatMap(({ type, source }) => (type === 'comment' ? source : []));
}

function isShared({ type, source }: { readonly type: string; readonly source: string }): boolean {
  return type === 'anchor' || type === 'alias' || type === 'tag' || (type === 'scalar' && source === '<<');
}

function hasCommentAbove(entry: Entry): boolean {
  return linesAbove(entry).at(-2)?.type === 'comment';
}
