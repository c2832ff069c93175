// Which changes of a plan the merged pull requests reviewed. Of several reviews of one address the latest counts, by when
// its plan was made: a plan shows everything that is open at that time, so one that was made long before its pull request
// was merged says nothing about what was reviewed since. Reviews of one address are never added up: nobody has seen their sum.

import { digestOfSet, keyOf } from './changes.mjs';

/**
 * `changes` are those of the plan document; `reviews` are `{ pull, at, changes }`: the time of the plan in a form that can
 * be sorted, and the changes that a marker holds. `digests` may be applied. `disputed` were reviewed with another result:
 * `{ address, digest, pulls }`. `unknown` were reviewed by nobody: `{ address, digest }`. A change without a digest needs no
 * review.
 */
export function coverage({ changes, reviews }) {
  const pullsOf = new Map();
  const latest = new Map();
  for (const { pull, changes: reviewed } of [...reviews].sort(byTime)) {
    const own = new Map();
    for (const { key, digest } of reviewed.each ?? []) own.set(key, [...(own.get(key) ?? []), digest]);
    for (const [key, digests] of own) {
      latest.set(key, digests);
      pullsOf.set(key, [...(pullsOf.get(key) ?? []), pull]);
    }
  }
  const digests = new Set([...latest.values()].flat());
  const planned = changes.filter(({ digest }) => digest !== undefined);
  const left = planned.filter(({ digest }) => !digests.has(digest));
  const sets = reviews.filter((review) => review.changes.set !== undefined);
  if (sets.some((review) => isSet(review, left) || isSet(review, planned))) {
    for (const { digest } of planned) digests.add(digest);
    return { digests: [...digests], disputed: [], unknown: [] };
  }
  // A set does not tell which addresses it is about, so it may be about any.
  const ofSets = sets.map(({ pull }) => pull);
  const judged = left.map(({ address, digest }) => ({
    address,
    digest,
    pulls: [...new Set([...(pullsOf.get(keyOf(address)) ?? []), ...ofSets])],
  }));
  return {
    digests: [...digests],
    disputed: judged.filter(({ pulls }) => pulls.length > 0),
    unknown: judged.filter(({ pulls }) => pulls.length === 0).map(({ address, digest }) => ({ address, digest })),
  };
}

function byTime({ at: one }, { at: other }) {
  return one < other ? -1 : Number(one > other);
}

function isSet({ changes: { set } }, changes) {
  return set === digestOfSet(changes.map(({ digest }) => digest));
}
