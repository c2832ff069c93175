// What to say if an apply was refused because not every change was reviewed: what is not covered, why it is not known, and
// what to do.

import { code } from '../comments/markdown.mjs';

const mostListed = 50;

/**
 * `error` is that of Almanac, which names the addresses; `disputed` and `unknown` are what the reviews do not cover, `gaps`
 * sentences that say why a commit or a pull request shows nothing.
 */
export function notReviewedWords({ error, disputed, unknown, gaps, digest }) {
  const refused = new Set(error.addresses ?? [...disputed, ...unknown].map(({ address }) => address));
  const pullsOf = new Map(disputed.map(({ address, pulls }) => [address, pulls]));
  const reasons = [...refused].map((address) => ({ address, words: reasonFor(pullsOf.get(address)) }));
  const [first] = reasons;
  const more = reasons.length > 1 ? ` ${reasons.length - 1} more: see the summary.` : '';
  const isUnknown = reasons.some(({ address }) => !pullsOf.has(address));
  return {
    text: `Nothing was applied, because not every change was reviewed. ${first?.address}: ${first?.words}${more}`,
    markdown: [
      '## Almanac apply: refused, because not every change was reviewed',
      '',
      'Nothing was sent.',
      '',
      ...listed(reasons.map(({ address, words }) => `${code(address)}: ${words}`)),
      ...(isUnknown && gaps.length > 0
        ? ['', 'What was merged without a review that counts:', '', ...listed(gaps)]
        : []),
      '',
      'The next pull request for this workspace shows in its plan what is still open, and merging it applies that. If the ' +
        `plan below is right, you can also start this workflow by hand with its digest, \`${digest}\`.`,
    ].join('\n'),
  };
}

function reasonFor(pulls) {
  if (pulls === undefined) return 'no merged pull request shows this change.';
  const names = pulls.map((pull) => `#${pull}`);
  if (names.length === 1) return `${names[0]} shows another change of it.`;
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${all} change it, and nobody has reviewed what they do together.`;
}

function listed(lines) {
  const left = lines.length - mostListed;
  return [...lines.slice(0, mostListed).map((line) => `- ${line}`), ...(left > 0 ? [`- … and ${left} more`] : [])];
}
