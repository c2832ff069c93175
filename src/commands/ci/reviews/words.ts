// The message if an apply was refused because not every change was reviewed. It names the uncovered changes, why their
// review is not known, and what to do.

import { countOf } from '../../../model/values/words.ts';
import { code } from '../comments/markdown.ts';
import type { Coverage, Merge, UncoveredChange } from './coverage.ts';

const maxListed = 50;

/**
 * `error` is Almanac's, and names the addresses; `open` are not covered by the reviews, and `gaps` are sentences that
 * say why a commit or a pull request shows nothing.
 */
export function notReviewedWords({
  error,
  open,
  gaps,
  digest,
}: Omit<Coverage, 'digests'> & {
  readonly error: { readonly addresses?: readonly string[] };
  readonly gaps: readonly string[];
  readonly digest?: string;
}): { readonly text: string; readonly markdown: string } {
  const refused = new Set(error.addresses ?? open.map(({ address }) => address));
  const known = new Map(open.map((each) => [each.address, each]));
  const reasons = [...refused].map((address) => ({ address, words: reasonFor(known.get(address)) }));
  const [first] = reasons;
  const more = reasons.length > 1 ? ` ${countOf(reasons.length - 1, 'other change')}: see the summary.` : '';
  const isUnknown = reasons.some(({ address }) => known.get(address)?.pulls === undefined);
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
      'The next pull request for this workspace shows in its plan which changes are still open, and merging it applies them. If the ' +
        `plan below is right, you can also start this workflow by hand with its digest, \`${digest}\`.`,
    ].join('\n'),
  };
}

/** `by` took back the review that the pull request `shown` had. */
function reasonFor({ pulls, shown, by }: Partial<UncoveredChange> = {}): string {
  if (by !== undefined) return `#${shown} showed this change, and ${takenWords(by, shown)}.`;
  return pulls === undefined
    ? 'no merged pull request shows this change.'
    : disputeWords(pulls.map((pull) => `#${pull}`));
}

function takenWords(
  { pull, commit, gap, shows }: NonNullable<UncoveredChange['by']>,
  shown: number | undefined,
): string {
  const file = `touches a file that #${shown} touched`;
  if (pull === undefined) return `the commit ${commit.slice(0, 9)}, which was pushed without a pull request, ${file}`;
  if (gap !== undefined) return `#${pull}, which ${gap}, ${file}`;
  return `the plan of #${pull}, which came later, ${shows ? 'shows a different change of this resource' : 'does not show this resource'}`;
}

function disputeWords(names: readonly string[]): string {
  if (names.length === 1) return `${names[0]} shows a different change of this resource.`;
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${all} change this resource, and nobody has reviewed what they do together.`;
}

export function gapWords({ pull, gap }: Pick<Merge, 'pull' | 'gap'>): readonly string[] {
  return gap === undefined ? [] : [pull === undefined ? gap : `#${pull} ${gap}.`];
}

function listed(lines: readonly string[]): readonly string[] {
  const left = lines.length - maxListed;
  return [...lines.slice(0, maxListed).map((line) => `- ${line}`), ...(left > 0 ? [`- … and ${left} more`] : [])];
}
