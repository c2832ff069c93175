// Moves entries of a block out of the entry that holds them, to stand before it, each with its comments. Who calls it compares
// the meaning: indentation is left as it comes.

import { CST } from 'yaml';
import {
  type Block,
  type Entry,
  entriesOf,
  isBlock,
  isMap,
  itemsOf,
  keyOf,
  linesAbove,
  readDocuments,
} from './entries.ts';

export interface Hoist {
  readonly document: number;
  /** The keys down to the entry that holds others. */
  readonly path: readonly string[];
  /** The keys of those that move. */
  readonly names: readonly string[];
}

/** What does not stand in blocks stays where it is. */
export function hoistEntries(text: string, hoists: readonly Hoist[]): string {
  const { tokens, documents } = readDocuments(text);
  for (const { document, path, names } of hoists) {
    const [holder = '', ...above] = [...path].reverse();
    const map = above.reverse().reduce<Block | undefined>(blockBelow, blockOf(documents[document]?.[0]));
    if (map !== undefined) for (const name of names) hoist(map, holder, name);
  }
  return tokens.map((token) => CST.stringify(token)).join('');
}

function blockOf(entry: Entry | undefined): Block | undefined {
  const value = entry?.value;
  return isBlock(value) && isMap(value) ? value : undefined;
}

function entryIn(map: Block, name: string): Entry | undefined {
  return entriesOf(map).find((entry) => keyOf(entry) === name);
}

function blockBelow(map: Block | undefined, name: string): Block | undefined {
  return map && blockOf(entryIn(map, name));
}

function hoist(map: Block, holder: string, name: string): void {
  const outer = entryIn(map, holder);
  const inside = blockOf(outer);
  const entry = inside && entryIn(inside, name);
  if (outer === undefined || inside === undefined || entry === undefined) return;
  const [siblings, items] = [itemsOf(inside), itemsOf(map)];
  siblings.splice(siblings.indexOf(entry), 1);
  const at = items.indexOf(outer);
  const above = linesAbove(outer);
  const indent = outer.start.slice(above.length);
  const own = [...linesAbove(entry), ...indent];
  if (siblings.length > 1) {
    items.splice(at, 0, { ...entry, start: own });
    return;
  }
  // Nothing is left in it but the lines at its end.
  items.splice(at, 1, { ...entry, start: [...above, ...own] });
  const next = items[at + 1];
  if (next !== undefined) next.start = [...(siblings[0]?.start ?? []), ...next.start];
}
