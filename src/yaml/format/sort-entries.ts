// Sorts the entries of a map into canonical order, as far as anchors allow: an alias refers to the last anchor with its
// name above it, so entries that name an anchor keep their order among each other.

import { pushAll } from '../../model/values/collections.ts';
import { type Entry, keyOf, sourcesIn } from '../edit/entries.ts';
import type { Order } from './source-order.ts';

const userKey = /^x-/;

/**
 * Keys with a lower rank come first, and those with the same rank keep their order. A merge key is last: its place says nothing
 * in YAML, but the YAML language server lets what comes below it hide what a map has itself.
 */
export function rankIn(order: Order, name: string): number {
  if (name === '<<') return order.keys.length + 1;
  if (userKey.test(name)) return -1;
  const place = order.keys.indexOf(name);
  return place < 0 ? order.keys.length : place;
}

export function sortEntries(entries: readonly Entry[], order: Order): readonly Entry[] {
  const ranks = entries.map((entry) => rankIn(order, keyOf(entry) ?? ''));
  // Most maps are already in order, and a section with thousands of entries keeps the user's order.
  if (ranks.every((value, index) => index === 0 || value >= (ranks[index - 1] ?? value))) return entries;
  const ranked = entries.map((entry, index) => ({ entry, index, rank: ranks[index] ?? 0, names: namesIn(entry) }));
  const sorted: Entry[] = [];
  const remaining = [...ranked].sort((a, b) => a.rank - b.rank || a.index - b.index);
  while (remaining.length > 0) {
    const free = remaining.findIndex((candidate) => !remaining.some((other) => mustPrecede(other, candidate)));
    pushAll(
      sorted,
      remaining.splice(Math.max(free, 0), 1).map(({ entry }) => entry),
    );
  }
  return sorted;
}

interface Names {
  readonly anchors: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
}

interface RankedEntry {
  readonly index: number;
  readonly names: Names;
}

function mustPrecede(other: RankedEntry, candidate: RankedEntry): boolean {
  if (other.index >= candidate.index) return false;
  const shares = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((name) => b.has(name));
  return (
    shares(other.names.anchors, candidate.names.anchors) ||
    shares(other.names.anchors, candidate.names.aliases) ||
    shares(other.names.aliases, candidate.names.anchors)
  );
}

function namesIn(entry: Entry): Names {
  const named = (wanted: string) =>
    new Set(
      [...entry.start, ...sourcesIn(entry)].flatMap(({ type, source }) => (type === wanted ? source.slice(1) : [])),
    );
  return { anchors: named('anchor'), aliases: named('alias') };
}
