// Lists, their items by key, and values that are worked out once. Spreading a hundred thousand items into the arguments
// of a call overflows the stack, so long lists are joined here.

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

// Values that are worked out once: one for each key, or one alone.

/**
 * `make` must depend on nothing but the key. What it throws is not kept. Results are kept for as long as the returned
 * function is held, the first `most` of them: users' files have no limit.
 */
export function memoize<T, K = string>(make: (key: K) => T, most = Number.POSITIVE_INFINITY): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as T;
    const value = make(key);
    if (known.size < most) known.set(key, value);
    return value;
  };
}

/** The same for objects, which nobody changes. Each result is kept for as long as its object. */
export function memoizeObject<T extends object, K extends object>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

/** Computed when it is first asked for: what few runs need is not made in all of them. What `make` throws is not kept. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
