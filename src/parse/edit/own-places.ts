// What would go with an entry of a file that is removed, or whose value is replaced: comments, and whatever shares it by
// an anchor or a merge key. Whoever moves a value leaves an entry alone that is not on its own.

import { type CST, Parser } from 'yaml';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';
import { CannotEdit } from './edit-tree.ts';
import {
  type Collection,
  endOf,
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

export interface OwnPlaces {
  /** Whether no anchor, alias or merge key is on the way to a place, or at it. It need not exist yet. */
  isOwn(document: number, pointer: Pointer): boolean;
  /** Whether the entry of a map can go: it has a text of its own, and no comment beside, above or below it. */
  canGo(document: number, pointer: Pointer): boolean;
  /** Whether a list of texts can be replaced: there is no comment in it. One beside its key stays. */
  canBeReplaced(document: number, pointer: Pointer): boolean;
}

/** Of a text without errors. */
export function ownPlaces(text: string): OwnPlaces {
  const unix = `${text.replaceAll('\r\n', '\n')}\n`;
  const documents = [...new Parser().parse(unix)].filter((token) => token.type === 'document').map(rootOf);
  // Found once for each map: one file may hold thousands of resources.
  const partsOf = memoize(partsIn);
  const way = (document: number, pointer: Pointer): Way | undefined => {
    const root = documents[document];
    return root === undefined ? undefined : follow(root, pointerSegments(pointer), partsOf);
  };
  const asked = (document: number, pointer: Pointer, answer: (found: Found) => boolean): boolean => {
    const found = way(document, pointer)?.found;
    return found !== undefined && answer(found);
  };
  const safely = (question: () => boolean): boolean => {
    try {
      return question();
    } catch (error) {
      if (error instanceof CannotEdit) return false;
      throw error;
    }
  };
  return {
    isOwn: (document, pointer) => safely(() => way(document, pointer) !== undefined),
    canGo: (document, pointer) => safely(() => asked(document, pointer, (found) => isBareText(found, unix))),
    canBeReplaced: (document, pointer) =>
      safely(() => asked(document, pointer, ({ entry }) => isBareList(entry, columnOf(unix, entry.start), unix))),
  };
}

/** An entry, and the end of what comes before it in the text. */
interface Found {
  readonly entry: SourceEntry;
  readonly top: number;
}

/** `found` is undefined where nothing is yet. */
interface Way {
  readonly found: Found | undefined;
}

interface Parts {
  readonly entries: ReadonlyMap<string, SourceEntry & Pick<Found, 'top'>>;
  readonly merges: boolean;
}

function partsIn(token: Collection): Parts {
  const all = entriesOf(token);
  const entries = all.map((entry, index) => {
    const name = isMap(token) ? keyOf(entry) : index;
    return [String(name), { ...entry, top: all[index - 1]?.end ?? 0 }] as const;
  });
  return { entries: new Map(entries), merges: isMap(token) && all.some(isMergeEntry) };
}

/** Undefined if something on the way is shared. */
function follow(root: Spot, segments: readonly string[], partsOf: (token: Collection) => Parts): Way | undefined {
  let spot = root;
  let found: Found | undefined;
  for (const segment of segments) {
    if (isShared(spot)) return undefined;
    if (!isCollection(spot.value)) return { found: undefined };
    const { entries, merges } = partsOf(spot.value);
    if (merges) return undefined;
    const entry = entries.get(segment);
    if (entry === undefined) return { found: undefined };
    found = { entry, top: Math.max(entry.top, spot.head) };
    spot = entry;
  }
  return isShared(spot) ? undefined : { found };
}

function isShared({ anchor, value }: Spot): boolean {
  return anchor !== undefined || value?.type === 'alias';
}

function isText(token: CST.Token | undefined): token is CST.FlowScalar {
  return token?.type === 'scalar' || token?.type === 'single-quoted-scalar' || token?.type === 'double-quoted-scalar';
}

function isBareText({ entry, top }: Found, text: string): boolean {
  const { start, head, value, end, comma } = entry;
  if (!isText(value) || hasComment(text.slice(head, value.offset))) return false;
  const after = comma ?? end;
  if (isComment(text.slice(after, lineEnd(text, after)))) return false;
  return !hasCommentAbove(start, top, text) && !hasCommentBelow(end, columnOf(text, start), text);
}

/** `column`: that of its key. What is indented deeper belongs to it. */
function isBareList({ head, value, end }: SourceEntry, column: number, text: string): boolean {
  if (!isCollection(value) || isMap(value)) return false;
  const items = entriesOf(value);
  let at = isFlow(value) ? head : lineEnd(text, head);
  for (const { anchor, value: item, key } of items) {
    if (key !== undefined || anchor !== undefined || !isText(item)) return false;
    if (hasComment(text.slice(at, item.offset))) return false;
    at = endOf(item);
  }
  return isFlow(value)
    ? !hasComment(text.slice(at, end))
    : !hasComment(text.slice(at, lineEnd(text, at))) && !hasCommentBelow(at, column, text);
}

function isFlow({ type }: Collection): boolean {
  return type === 'flow-collection';
}

/** In a part of the text without values. */
function hasComment(between: string): boolean {
  return between.includes('#');
}

function hasCommentAbove(start: number, top: number, text: string): boolean {
  if (!isFirstOnLine(text, start)) return false;
  const own = lineStart(text, start);
  const above = lineStart(text, Math.max(own - 1, 0));
  return above >= top && isComment(text.slice(above, own));
}

/** On the lines after, indented deeper than the key. */
function hasCommentBelow(end: number, column: number, text: string): boolean {
  const blankLines = /(?:[ \t]*\n)*/y;
  blankLines.lastIndex = lineEnd(text, end);
  blankLines.exec(text);
  const next = blankLines.lastIndex;
  const line = text.slice(next, lineEnd(text, next + 1));
  return isComment(line) && line.indexOf('#') > column;
}

function isComment(line: string): boolean {
  return /^[ \t]*#/.test(line);
}
