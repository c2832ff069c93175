// Sorts the entries of a map into canonical order, as far as anchors allow: an alias refers to the last anchor with its
// name above it, so entries that name an anchor keep their order among each other.

import type { CST } from 'yaml';
import type { Order } from './canonical-order.ts';
import type { Entry, Line, Tree } from './layout-tree.ts';

const userKey = /^x-/;

/** Keys with a lower rank come first, and those with the same rank keep their order. */
export function rankIn(order: Order, name: string): number {
  if (name === '<<' || userKey.test(name)) return -1;
  const place = order.keys.indexOf(name);
  return place < 0 ? order.keys.length : place;
}

/** The same entries; the lines above the first entry stay above whichever entry comes first. */
export function sortEntries(
  entries: readonly Entry[],
  order: Order,
  nameOf: (entry: Entry) => string,
): readonly Entry[] {
  const ranks = entries.map((entry) => rankIn(order, nameOf(entry)));
  // Most maps are already in order, and a section with thousands of entries keeps the user's order.
  if (ranks.every((value, index) => index === 0 || value >= (ranks[index - 1] ?? value))) return entries;
  const ranked = entries.map((entry, index) => ({ entry, index, rank: ranks[index] ?? 0, names: namesIn(entry) }));
  const sorted: Entry[] = [];
  const left = [...ranked].sort((a, b) => a.rank - b.rank || a.index - b.index);
  while (left.length > 0) {
    const free = left.findIndex((candidate) => !left.some((other) => mustPrecede(other, candidate)));
    sorted.push(...left.splice(Math.max(free, 0), 1).map(({ entry }) => entry));
  }
  return sorted.every((entry, index) => entry === entries[index]) ? entries : withFirstLines(sorted, entries);
}

interface Names {
  readonly anchors: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
}

interface Ranked {
  readonly index: number;
  readonly names: Names;
}

function mustPrecede(other: Ranked, candidate: Ranked): boolean {
  if (other.index >= candidate.index) return false;
  const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((name) => b.has(name));
  return (
    shares(other.names.anchors, candidate.names.anchors) ||
    shares(other.names.anchors, candidate.names.aliases) ||
    shares(other.names.aliases, candidate.names.anchors)
  );
}

/** Blank lines above the new first entry move to the old first entry. */
function withFirstLines(sorted: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  const [first, former] = [sorted[0], before[0]];
  if (first === undefined || former === undefined || first === former || first.leading[0]?.text !== '') return sorted;
  const blank: Line = { text: '', column: 0 };
  const text = first.leading.findIndex((line) => line.text !== '');
  return sorted.map((entry) => {
    if (entry === first) return { ...entry, leading: text < 0 ? [] : entry.leading.slice(text) };
    return entry === former ? { ...entry, leading: [blank, ...entry.leading] } : entry;
  });
}

function namesIn(entry: Entry): Names {
  const names = { anchors: new Set<string>(), aliases: new Set<string>() };
  collectFromEntry(entry, names);
  return names;
}

function collectFromEntry(
  { keyProps, props, value }: Entry,
  names: { anchors: Set<string>; aliases: Set<string> },
): void {
  for (const prop of [...keyProps, ...props]) if (prop.startsWith('&')) names.anchors.add(prop.slice(1));
  if (value !== undefined) collectFromTree(value, names);
}

function collectFromTree(tree: Tree, names: { anchors: Set<string>; aliases: Set<string> }): void {
  if (tree.type === 'text') collectFromToken(tree.token, names);
  else for (const entry of tree.entries) collectFromEntry(entry, names);
}

function collectFromToken(token: CST.Token, names: { anchors: Set<string>; aliases: Set<string> }): void {
  if (token.type === 'alias') names.aliases.add(token.source.slice(1));
  if (token.type !== 'flow-collection') return;
  for (const { start, key, sep, value } of token.items) {
    for (const { type, source } of [...start, ...(sep ?? [])])
      if (type === 'anchor') names.anchors.add(source.slice(1));
    if (key) collectFromToken(key, names);
    if (value) collectFromToken(value, names);
  }
}
