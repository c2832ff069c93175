// The first items of a sequence. Node 20 has no iterator helpers.

/** The first items of a sequence that may have no end. */
export function firstOf<T>(sequence: Iterable<T>, count: number): T[] {
  const items: T[] = [];
  if (count === 0) return items;
  for (const item of sequence) {
    items.push(item);
    if (items.length === count) break;
  }
  return items;
}
