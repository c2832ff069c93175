// What a call cannot take as its arguments: spread into one, a hundred thousand items overflow the stack.

/** Adds all items at the end of a list. */
export function pushAll<T>(to: T[], items: Iterable<T>): void {
  for (const item of items) to.push(item);
}

/** The largest of the numbers, and at least `least`. */
export function largest(least: number, numbers: Iterable<number>): number {
  let found = least;
  for (const each of numbers) if (each > found) found = each;
  return found;
}

/** Infinity where there are none. */
export function smallest(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const each of numbers) if (each < found) found = each;
  return found;
}
