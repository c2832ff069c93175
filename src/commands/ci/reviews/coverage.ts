// Decides which changes of a plan the merged pull requests reviewed. A review of an address counts until something
// later takes it back: another review of that address, a plan of everything that no longer shows it, or files that were
// merged or pushed without a review that counts. Git decides what is later: a plan comes after a merge only if the
// commit of the base branch in its files does. Reviews of one address are never added up: nobody has seen their sum.

import { type DigestedChange, keyOf, needingReview, type PlannedChange, type ReviewedChange } from './changes.ts';

export interface MergeReview {
  readonly at: string;
  readonly onto: string;
  readonly isWhole: boolean;
  readonly named: ReadonlySet<string>;
  readonly changes: readonly ReviewedChange[];
}

export interface Merge {
  readonly commit: string;
  readonly files: ReadonlySet<string>;
  readonly pull?: number;
  readonly mergedAt?: string | null;
  readonly gap?: string;
  readonly review?: MergeReview;
}

interface ReviewedMerge extends Merge {
  readonly review: MergeReview;
}

function isReviewed(merge: Merge): merge is ReviewedMerge {
  return merge.review !== undefined;
}

export type Contains = (commit: string, other: string) => boolean | undefined;

/** The event that took a review back, and the pull request of that review. */
interface Taken {
  readonly shown?: number | undefined;
  readonly by?: Pick<Merge, 'pull' | 'commit' | 'gap'> & { readonly shows: boolean };
}

/** A change that may not be applied. */
export interface UncoveredChange extends DigestedChange, Taken {
  /** The pull requests that show another result for the address; absent if none does. */
  readonly pulls?: readonly number[];
}

export interface Coverage {
  /** Those that may be applied. */
  readonly digests: readonly string[];
  readonly open: readonly UncoveredChange[];
}

/**
 * `changes` are those of the plan document. `merges` are in any order: `commit` is the place of the merge or push on
 * the branch, `files` the workspace files that it touches; a pull request has its number as `pull`, and its time as
 * `mergedAt`. It has a `review`, `{ at, onto, isWhole, named, changes }` from its comment, or a `gap`, which says why
 * there is none. `contains(commit, other)` says whether a commit is another one or comes after it; undefined if git
 * does not know it. If a review was taken back, `shown` is its pull request, and `by` the event that took it back: `{
 * pull, commit, gap, shows }`, where `shows` says that it has another review of the address. A change without a digest needs no review.
 */
export function coverage({
  changes,
  merges,
  contains,
}: {
  readonly changes: readonly PlannedChange[];
  readonly merges: readonly Merge[];
  readonly contains: Contains;
}): Coverage {
  const judged = judgeEach(needingReview(changes), merges, orderOf(contains));
  return {
    digests: judged.filter(({ isCovered }) => isCovered).map(({ digest }) => digest),
    open: judged.flatMap(({ isCovered, taken, pulls, ...change }): readonly UncoveredChange[] => {
      const isDisputed = taken?.by === undefined ? pulls.length > 0 : taken.by.shows;
      return isCovered ? [] : [{ ...change, ...(isDisputed ? { pulls } : {}), ...taken }];
    }),
  };
}

function byTime({ review: { at: one } }: ReviewedMerge, { review: { at: other } }: ReviewedMerge): number {
  return one < other ? -1 : Number(one > other);
}

/** The order of merges and plans. If git does not know a plan's commit, its time decides between two reviews. */
interface Order {
  isKnownAfter(merge: ReviewedMerge, earlier: Merge): boolean;
  isAfter(merge: ReviewedMerge, earlier: ReviewedMerge): boolean;
  hasSeen(merge: ReviewedMerge, other: Merge): boolean;
  isBelow(merge: Merge, other: Merge): boolean;
  /** True if files without a review came later, on top of those that a pull request brought. */
  isOver(gap: Merge, merge: Merge): boolean;
}

function orderOf(contains: Contains): Order {
  const isKnownAfter = (merge: ReviewedMerge, earlier: Merge) => contains(merge.review.onto, earlier.commit) === true;
  return {
    isKnownAfter,
    isAfter: (merge, earlier) => contains(merge.review.onto, earlier.commit) ?? merge.review.at > earlier.review.at,
    hasSeen: (merge, other) =>
      contains(merge.review.onto, other.commit) ??
      (typeof other.mergedAt === 'string' && merge.review.at > other.mergedAt),
    isBelow: ({ commit }, other) => contains(other.commit, commit) === true,
    isOver: (gap, { commit, files }) =>
      gap.commit !== commit && [...gap.files].some((file) => files.has(file)) && contains(gap.commit, commit) === true,
  };
}

function judgeEach(planned: readonly DigestedChange[], merges: readonly Merge[], order: Order) {
  const reviewed = merges.filter(isReviewed).sort(byTime);
  const byKey = new Map<string, Map<Merge, readonly string[]>>();
  for (const merge of reviewed)
    for (const { key, digest } of merge.review.changes) {
      const of = byKey.get(key) ?? new Map<Merge, readonly string[]>();
      byKey.set(key, of.set(merge, [...(of.get(merge) ?? []), digest]));
    }
  return planned.map(({ address, digest }) => {
    const key = keyOf(address);
    const of = byKey.get(key) ?? new Map<Merge, readonly string[]>();
    const showing = reviewed.filter((merge) => of.get(merge)?.includes(digest));
    const takes = (merge: Merge, earlier: ReviewedMerge) => {
      if (!isReviewed(merge)) return order.isOver(merge, earlier);
      const shown = of.get(merge);
      if (shown !== undefined) return !shown.includes(digest) && order.isAfter(merge, earlier);
      return merge.review.isWhole && !merge.review.named.has(key) && order.isKnownAfter(merge, earlier);
    };
    const pulls = [...of.keys()].flatMap(({ pull }) => pull ?? []);
    return { address, digest, pulls, ...standing(showing, { merges, takes, order, shows: (merge) => of.has(merge) }) };
  });
}

interface Judging {
  readonly merges: readonly Merge[];
  readonly order: Order;
  readonly takes: (merge: Merge, earlier: ReviewedMerge) => boolean;
  /** True if a merge has another review of the address. */
  readonly shows: (merge: Merge) => boolean;
}

/**
 * Tells whether one of the reviews that show the same still counts; if not, what took it back first. A review that
 * repeats an earlier one, because the change was still open, ends with that one, unless its files contain what took it
 * back.
 */
function standing(
  showing: readonly ReviewedMerge[],
  { merges, takes, order, shows }: Judging,
): { readonly isCovered: boolean; readonly taken?: Taken } {
  if (showing.length === 0) return { isCovered: false };
  const taken = showing.flatMap((of) => merges.filter((by) => takes(by, of)).map((by) => ({ of, by })));
  const goneBy = (merge: ReviewedMerge) =>
    taken.filter(({ of, by }) => (of === merge || order.isAfter(merge, of)) && !order.hasSeen(merge, by));
  const gone = showing.map(goneBy);
  if (gone.some((pairs) => pairs.length === 0)) return { isCovered: true };
  const [first = []] = gone;
  const { of, by } = first.reduce((one, other) => (order.isBelow(one.by, other.by) ? one : other));
  const { pull, commit, gap } = by;
  return { isCovered: false, taken: { shown: of.pull, by: { pull, commit, gap, shows: shows(by) } } };
}
