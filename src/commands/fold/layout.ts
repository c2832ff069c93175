// What stands around the values of a source file: comments, and anchors and merge keys by which values share their text.
// A fold asks here what would be lost if a value moved or went.

import type { CST } from 'yaml';
import { sections } from '../../model/values/address.ts';
import { memoize, once } from '../../model/values/memoize.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import {
  anchorOf,
  type Collection,
  deeper,
  type Entry,
  entriesOf,
  hasComment,
  isCollection,
  isMap,
  isMerge,
  isPart,
  itemsOf,
  keyOf,
  linesAbove,
  readDocuments,
  sourcesIn,
} from '../../yaml/edit/entries.ts';

export interface Layout {
  /** Of the sections whose entries stand in a block of their own, in the order of the text. */
  readonly declarations: readonly WrittenDeclaration[];
  /** Whether no anchor, alias or merge key is on the way to a place, or at it. It need not exist yet. */
  isOwn(document: number, pointer: Pointer): boolean;
  /** Whether the entry of a map can go: it has a text of its own, and no comment beside, above or below it. */
  canGo(document: number, pointer: Pointer): boolean;
  /** Whether a list of texts can be replaced: there is no comment in it. One beside its key stays. */
  canBeReplaced(document: number, pointer: Pointer): boolean;
}

export interface WrittenDeclaration {
  readonly document: number;
  readonly pointer: Pointer;
  /** The comments between its key and the line end of its last value, in order. */
  readonly comments: readonly string[];
  /** Whether a comment stands immediately above it. */
  readonly hasCommentAbove: boolean;
  /** Whether it has anchors, aliases, merge keys or tags: its text means something only where it stands. */
  readonly isShared: boolean;
}

/** Of a text without errors. */
export function layoutOf(text: string): Layout {
  const page = once(() => readDocuments(text));
  // Found once for each map: one file may hold thousands of resources.
  const partsOf = memoize(partsIn);
  /** Undefined if something on the way is shared. */
  const follow = (document: number, pointer: Pointer): LaidOutEntry | undefined => {
    const [root] = page().documents[document] ?? [];
    let found: LaidOutEntry = { entry: root };
    for (const segment of pointerSegments(pointer)) {
      const { entry } = found;
      if (entry === undefined || isReference(entry)) return undefined;
      if (!isCollection(entry.value)) return {};
      const { parts, merges } = partsOf(entry.value);
      if (merges) return undefined;
      const part = parts.get(segment);
      if (part === undefined) return {};
      found = part;
    }
    return found.entry === undefined || isReference(found.entry) ? undefined : found;
  };
  return {
    get declarations() {
      return page().documents.flatMap(([root], document) => declarationsIn(root?.value, document));
    },
    isOwn: (document, pointer) => follow(document, pointer) !== undefined,
    canGo: (document, pointer) => isBareText(follow(document, pointer)),
    canBeReplaced: (document, pointer) => isBareList(follow(document, pointer)?.entry),
  };
}

/** An entry, if there is one, with that below it in the map or list that holds it. */
interface LaidOutEntry {
  readonly entry?: Entry | undefined;
  readonly next?: Entry | undefined;
  readonly within?: Collection;
}

function partsIn(within: Collection): { readonly parts: ReadonlyMap<string, LaidOutEntry>; readonly merges: boolean } {
  const items = itemsOf(within);
  const parts = entriesOf(within).map((entry, index) => {
    const name = isMap(within) ? keyOf(entry) : index;
    return [String(name), { entry, next: items[index + 1], within }] as const;
  });
  return { parts: new Map(parts), merges: isMap(within) && items.some(isMerge) };
}

function isReference(entry: Entry): boolean {
  return anchorOf(entry) !== undefined || entry.value?.type === 'alias';
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
          comments: all.flatMap((each) => (each.type === 'comment' ? each.source : [])),
          hasCommentAbove: hasCommentAbove(entry),
          isShared: [...entry.start.filter(isPart), ...all].some(isShared),
        },
      ];
    });
  });
}

function isShared({ type, source }: { readonly type: string; readonly source: string }): boolean {
  return type === 'anchor' || type === 'alias' || type === 'tag' || (type === 'scalar' && source === '<<');
}

function isBareText({ entry, next, within }: LaidOutEntry = {}): boolean {
  if (entry === undefined || next === undefined || !isText(entry.value) || hasCommentAbove(entry)) return false;
  if (within?.type === 'flow-collection') return !hasComment([...sourcesIn(entry), ...next.start]);
  return !hasComment([...sourcesIn(entry)]) && deeper(next.start, within?.indent ?? 0) === 0;
}

function isBareList(entry: Entry | undefined): boolean {
  const { value, sep = [] } = entry ?? {};
  if (!isCollection(value) || isMap(value)) return false;
  if (!entriesOf(value).every((item) => !item.key && anchorOf(item) === undefined && isText(item.value))) return false;
  // What follows the list on its line stays.
  if (value.type === 'flow-collection') return !hasComment([...sep, ...sourcesIn({ ...value, end: [] })]);
  return !hasComment([...sourcesIn(value)]);
}

function isText(token: CST.Token | undefined): boolean {
  return token?.type === 'scalar' || token?.type === 'single-quoted-scalar' || token?.type === 'double-quoted-scalar';
}

function hasCommentAbove(entry: Entry): boolean {
  return linesAbove(entry).at(-2)?.type === 'comment';
}
