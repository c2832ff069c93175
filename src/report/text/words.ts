// Words that several reports share.

/** A number in at most three characters, for the cells of a table. */
export function shortCount(count: number): string {
  return count < 1000 ? String(count) : count < 99_500 ? `${Math.round(count / 1000)}k` : '…';
}
