// A function that computes its result once for each key: thousands of schedules share few expressions and zones.

/** `make` must depend on nothing but the key. Keeps what it has seen for as long as the returned function is held. */
export function memoize<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as T;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
