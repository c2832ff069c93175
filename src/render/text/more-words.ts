// How much of many alike a report shows, and what stands at the end of a list that is cut.

/** Up to this many equal ones are shown one by one; more are one entry, which names as many. */
export const mostEqual = 3;

/** The same where each is a single line about something of its own: moves, adoptions, results. */
export const mostSingle = 10;

/**
 * The lines of the first items, and a line that counts the others. A single one that is left is shown where it takes no
 * more room than the count.
 */
export function firstLines<T>(
  items: readonly T[],
  most: number,
  linesOf: (item: T) => readonly string[],
  countLine: (more: string) => string,
): readonly string[] {
  const shown = items.slice(0, most).flatMap(linesOf);
  const [next, ...others] = items.slice(most);
  if (next === undefined) return shown;
  const last = others.length === 0 ? linesOf(next) : [];
  return [...shown, ...(last.length === 1 ? last : [countLine(moreWords(1 + others.length))])];
}

/** The first lines, and a line that counts the others; with -v all of them. */
export function firstOf(
  lines: readonly string[],
  { showsAll }: { readonly showsAll?: boolean },
  most = mostSingle,
): readonly string[] {
  return firstLines(
    lines,
    showsAll ? lines.length : most,
    (line) => [line],
    (more) => more,
  );
}

/** For a terminal: `and 87 more (-v lists all)`. */
export function moreWords(count: number): string {
  return `and ${count} more (-v lists all)`;
}

/** `a, b, c and 87 more`. `count`: of all, where `names` holds only some of them. */
export function nameSome(names: readonly string[], count = names.length, most = mostEqual): string {
  const named = names.slice(0, most);
  const rest = count - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}
