// A value that is computed when it is first asked for: what few runs need is not made in all of them.

/** What `make` throws is not kept. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
