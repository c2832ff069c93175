// Follows entries of `moved` from address to address. `next` maps the address
// that an entry moves to the one that it moves to. A chain may have thousands of entries, so each is followed once.

type Next = ReadonlyMap<string, string>;

/** Finds the first address that `isEnd`, from an address on. */
export function endFinder(next: Next, isEnd: (address: string) => boolean): (address: string) => string | undefined {
  const ends = new Map<string, string | undefined>();
  return (address) => {
    const way: string[] = [];
    let at: string | undefined = address;
    for (; at !== undefined && !ends.has(at) && !isEnd(at); at = next.get(at)) {
      ends.set(at, undefined);
      way.push(at);
    }
    const end = at !== undefined && ends.has(at) ? ends.get(at) : at;
    for (const each of way) ends.set(each, end);
    return end;
  };
}

/** The addresses from which the entries lead back to the same address. */
export function addressesInCircles(next: Next): ReadonlySet<string> {
  const walked = new Set<string>();
  const found = new Set<string>();
  for (const start of next.keys()) {
    const way: string[] = [];
    let at: string | undefined = start;
    for (; at !== undefined && !walked.has(at); at = next.get(at)) {
      walked.add(at);
      way.push(at);
    }
    const back = at === undefined ? -1 : way.indexOf(at);
    if (back >= 0) for (const each of way.slice(back)) found.add(each);
  }
  return found;
}
