// A function of one text that is worked out once for each text: thousands of schedules share few of them.

/** `make` must depend on nothing but the key. Remembers for as long as the function that comes back is held. */
export function remember<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as T;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
