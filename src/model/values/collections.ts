// Lists: items by a key, and what a call cannot take as its arguments, because a hundred thousand items that are spread into
// one overflow the stack.

/** The groups in the order in which their keys first come. Replaces Map.groupBy, which Node 20 does not have. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Adds all items at the end of a list. */
export function pushAll<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}

/** The largest of the numbers, and at least `least`. */
export function largest(numbers: Iterable<number>, least = 0): number {
  let found = least;
  for (const each of numbers) if (each > found) found = each;
  return found;
}

/** Returns infinity for no numbers. */
export function smallest(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const each of numbers) if (each < found) found = each;
  return found;
}
