// Which changes of a plan the merged pull requests reviewed. A review of an address counts until something later takes it
// back: another review of that address, a plan of everything that no longer shows it, or files that were merged or pushed
// without a review that counts. Later is what git says: a plan comes after a merge only if the commit of the base branch in
// its files does. Reviews of one address are never added up: nobody has seen their sum.

import { digestOfSet, keyOf } from './changes.mjs';

/**
 * `changes` are those of the plan document. `merges` are in any order: `commit` is where the merge or the push is on the
 * branch, `files` what it touches of the workspace; of a pull request, `pull` is its number, and `mergedAt` its time. It has a
 * `review`, `{ at, onto, isWhole, named, changes }` as its comment says it, or a `gap`, which says why there is none.
 * `contains(commit, other)` says whether a commit is another one or comes after it; undefined where git does not know it.
 *
 * `digests` may be applied. `disputed` were reviewed with another result: `{ address, digest, pulls }`. `unknown` were
 * reviewed by nobody, or their review was taken back: `{ address, digest }`. Of a review that was taken back, `shown` is its pull
 * request, and `by` what took it back: `{ pull, commit, gap, shows }`, where `shows` says that it has another review of the
 * address. A change without a digest needs no review.
 */
export function coverage({ changes, merges, contains }) {
  const planned = changes.filter(({ digest }) => digest !== undefined);
  const reviewed = merges.filter(({ review }) => review !== undefined).sort(byTime);
  const order = orderOf(contains);
  const judged = judgeEach(planned, { merges, reviewed, order });
  const left = judged.filter(({ isCovered }) => !isCovered);
  const bySet = left.length === 0 ? undefined : judgeSets(planned, left, { merges, reviewed, order });
  if (bySet?.isCovered) return { digests: planned.map(({ digest }) => digest), disputed: [], unknown: [] };
  const open = left.map(({ address, digest, pulls, taken = bySet.taken }) => ({
    ...{ address, digest, ...taken },
    // A set does not tell which addresses it is about, so it may be about any.
    pulls: [...new Set([...pulls, ...bySet.pulls])],
  }));
  const isDisputed = ({ pulls, by }) => (by === undefined ? pulls.length > 0 : by.shows);
  return {
    digests: judged.filter(({ isCovered }) => isCovered).map(({ digest }) => digest),
    disputed: open.filter(isDisputed),
    unknown: open.filter((each) => !isDisputed(each)).map(({ pulls: _, ...each }) => each),
  };
}

function byTime({ review: { at: one } }, { review: { at: other } }) {
  return one < other ? -1 : Number(one > other);
}

/** What comes after what. Where git does not know the commit that a plan was made on, its time decides between two reviews. */
function orderOf(contains) {
  const isKnownAfter = (merge, earlier) => contains(merge.review.onto, earlier.commit) === true;
  return {
    isKnownAfter,
    isAfter: (merge, earlier) => contains(merge.review.onto, earlier.commit) ?? merge.review.at > earlier.review.at,
    hasSeen: (merge, other) =>
      contains(merge.review.onto, other.commit) ?? (other.mergedAt !== undefined && merge.review.at > other.mergedAt),
    isBelow: ({ commit }, other) => contains(other.commit, commit) === true,
    /** Files without a review came later, on top of those that a pull request brought. */
    isOver: (gap, { commit, files }) =>
      gap.commit !== commit && [...gap.files].some((file) => files.has(file)) && contains(gap.commit, commit) === true,
  };
}

function judgeEach(planned, { merges, reviewed, order }) {
  const byKey = new Map();
  for (const merge of reviewed) {
    const own = new Map();
    for (const { key, digest } of merge.review.changes.each ?? []) own.set(key, [...(own.get(key) ?? []), digest]);
    for (const [key, digests] of own) byKey.set(key, (byKey.get(key) ?? new Map()).set(merge, digests));
  }
  return planned.map(({ address, digest }) => {
    const key = keyOf(address);
    const of = byKey.get(key) ?? new Map();
    const showing = [...of.keys()].filter((merge) => of.get(merge).includes(digest));
    const takes = (merge, earlier) => {
      if (merge.review === undefined) return order.isOver(merge, earlier);
      if (of.has(merge)) return !of.get(merge).includes(digest) && order.isAfter(merge, earlier);
      if (merge.review.named.has(key)) return false;
      const isSilent = merge.review.isWhole && merge.review.changes.each !== undefined;
      return isSilent && order.isKnownAfter(merge, earlier);
    };
    const pulls = [...of.keys()].map(({ pull }) => pull);
    return { address, digest, pulls, ...standing(showing, { merges, takes, order, shows: (merge) => of.has(merge) }) };
  });
}

/** A set says nothing about one address, so any later review that counts withdraws it. */
function judgeSets(planned, left, { merges, reviewed, order }) {
  const sets = reviewed.filter(({ review }) => review.changes.set !== undefined);
  const equal = [left, planned].map((changes) => digestOfSet(changes.map(({ digest }) => digest)));
  const showing = sets.filter(({ review }) => equal.includes(review.changes.set));
  const takes = (merge, earlier) => {
    if (merge.review === undefined) return order.isOver(merge, earlier);
    return !showing.includes(merge) && order.isKnownAfter(merge, earlier);
  };
  return { pulls: sets.map(({ pull }) => pull), ...standing(showing, { merges, takes, order, shows: () => false }) };
}

/**
 * Whether one of the reviews that show the same still counts; if not, what took it back first. A review that shows again what
 * an earlier one showed, because it was still open, goes with that one, unless its files contain what took it back.
 */
function standing(showing, { merges, takes, order, shows }) {
  if (showing.length === 0) return { isCovered: false };
  const taken = showing.flatMap((of) => merges.filter((by) => takes(by, of)).map((by) => ({ of, by })));
  const goneBy = (merge) =>
    taken.filter(({ of, by }) => (of === merge || order.isAfter(merge, of)) && !order.hasSeen(merge, by));
  const gone = showing.map(goneBy);
  if (gone.some((pairs) => pairs.length === 0)) return { isCovered: true };
  const { of, by } = gone[0].reduce((one, other) => (order.isBelow(one.by, other.by) ? one : other));
  const { pull, commit, gap } = by;
  return { isCovered: false, taken: { shown: of.pull, by: { pull, commit, gap, shows: shows(by) } } };
}
