// How the characters of an issue are shared out. GitHub refuses an issue or a comment of more than 65,536, so a report
// leaves out what no longer fits, and says what is missing. A plan leaves out nothing: `commentParts`.

export const commentLimit = 60_000;
/** Reserved for the words between the parts, and for the note about what was cut. */
export const reserve = 2_000;

interface Fitted {
  readonly kept: readonly string[];
  readonly cut: number;
}

/** Hands out the characters of the comment, first come, first served. */
export function makeBudget(limit: number) {
  let left = limit;
  return {
    left: () => left,
    spend: (parts: readonly string[]): readonly string[] => {
      for (const part of parts) left -= part.length + 2;
      return parts;
    },
    /** The parts that still fit, in order; one that is too long is skipped. */
    fit: (parts: readonly string[], most = Number.POSITIVE_INFINITY): Fitted => {
      let room = Math.min(left, most);
      const kept = parts.filter((part) => {
        const size = part.length + 2;
        if (size > room) return false;
        room -= size;
        left -= size;
        return true;
      });
      return { kept, cut: parts.length - kept.length };
    },
  };
}

type Budget = ReturnType<typeof makeBudget>;

/** What is written behind a fold. */
export interface Details {
  readonly text: string;
  /** How many names there was no room for. */
  readonly cut: number;
}

/** Names of equal changes take at most half of what is left, so that the next ones have room. */
export function fitFolds<T>(budget: Budget, items: readonly T[], detailsOf: (item: T, room: number) => Details) {
  const fitted = items.map((item) => {
    const { text, cut } = detailsOf(item, budget.left() / 2);
    return { ...budget.fit([text]), names: cut };
  });
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    kept: fitted.flatMap(({ kept }) => kept),
    cut: sum(fitted.map(({ cut }) => cut)),
    names: sum(fitted.map(({ names }) => names)),
  };
}
