// Counts and lists in words.

/** Counts in words: "1 error", "2 errors", "3 to create, 1 to update". */
export function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The counts that aren't zero, in the order given, each before its words. */
export function countList(counts: readonly (readonly [count: number, words: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}

// How much of many alike a report shows, and what stands at the end of a list that is cut.

/** Up to this many equal ones are shown one by one; more are one entry, which names as many. */
export const mostEqual = 3;

/** The same where each is a single line about something of its own: moves, adoptions, results. */
export const mostSingle = 10;

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
