// Which items of a list stay when the whole list is replaced: as many as keep their order.

import { canonicalJson, isJsonObject, type Json } from '../../model/values/json.ts';

/** For each item before, its index after; undefined if it goes. Maps between items that stay are changed in place. */
export function placesOf(before: readonly Json[], after: readonly Json[]): readonly (number | undefined)[] {
  const free = new Map<string, number[]>();
  after.forEach((item, index) => {
    const name = canonicalJson(item);
    const known = free.get(name);
    if (known === undefined) free.set(name, [index]);
    else known.push(index);
  });
  for (const indexes of free.values()) indexes.reverse();
  const candidates = before.map((item) => free.get(canonicalJson(item))?.pop());
  const staying = longestRising(candidates);
  const places = candidates.map((place, index) => (staying.has(index) ? place : undefined));
  return withChangedMaps(before, after, places);
}

/** The indexes of the longest part whose numbers rise. */
function longestRising(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  // The index of the smallest number that ends a rising part, by its length.
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    if (number === undefined) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  });
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.add(at);
  return found;
}

function withChangedMaps(
  before: readonly Json[],
  after: readonly Json[],
  places: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  const taken = new Set(places);
  let next = 0;
  return places.map((place, index) => {
    if (place !== undefined) {
      next = place + 1;
      return place;
    }
    const [item, candidate] = [before[index], after[next]];
    if (taken.has(next) || !isJsonObject(item) || !isJsonObject(candidate)) return undefined;
    next += 1;
    return next - 1;
  });
}
