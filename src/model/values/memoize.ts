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
