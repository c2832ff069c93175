// The merges since the state was last written, with their reviews. The commits that touch what the workspace reads come
// first; all other commits are asked about only while a change is unexplained.

import { posix } from 'node:path';
import { pushAll } from '../../../model/values/collections.ts';
import { configPathsFrom } from '../../../model/workspace/config.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { attribute, type Review, reviewIn, tooLong } from '../comments/marker.ts';
import { withoutFoot } from '../comments/parts.ts';
import { type Github, type ListedPull, ownLogin } from '../github/api.ts';
import { type Git, openGit } from '../runner/git.ts';
import type { Step } from '../step.ts';
import type { Contains, Merge, MergeReview } from './coverage.ts';

/** The most commits to look at if no state says where to begin, and the most outside the workspace. */
const maxCommits = 250;
/** The number of commits that are asked about in turn, before it is decided whether more are needed. */
const inTurn = 50;

/** The sources and files that a workspace reads, relative to the folder of its almanac.yaml. */
export interface Reads {
  readonly folder: string;
  readonly sources: readonly string[];
  readonly files: readonly string[];
}

interface TouchingCommit {
  readonly commit: string;
  readonly files: readonly string[];
}

/** The order of the commits in the range, and whether a commit is in it. */
type Ancestry = Contains & { readonly has: (commit: string) => boolean };

export interface History {
  readonly touching: readonly TouchingCommit[];
  readonly otherCommits: readonly string[];
  readonly limits: readonly string[];
  readonly contains: Ancestry;
}

/**
 * The history of the branch since `since`, undefined if no state says where to begin. `folder` is that of almanac.yaml;
 * `sources` and `files` are the patterns and paths, from there, that Almanac says the workspace reads. `touching` and
 * `otherCommits` are commits of the branch, newest first; `touching` as `{ commit, files }`, with the files of the
 * workspace that each touches. `contains(commit, other)` says whether a commit is another one or comes after it;
 * undefined if git does not know the commit. `limits` are sentences about what is not looked at.
 */
export function openHistory(
  step: Step,
  { since, folder, sources, files: named }: Reads & { readonly since: string | undefined },
): History {
  const { git, tryGit } = openGit(step, folder);
  if (since !== undefined && tryGit(['cat-file', '-e', `${since}^{commit}`]) === undefined)
    throw new Failure(
      'usage',
      `The state was written for the commit ${since}, which the checkout does not have. Set fetch-depth: 0 in the step that checks out. If the history was rewritten, start this workflow by hand with the digest of the plan.`,
    );
  const newest = since === undefined ? [`--max-count=${maxCommits}`, 'HEAD'] : [`${since}..HEAD`];
  const specs = pathsOf({ at: git(['rev-parse', '--show-prefix']).replace(/\/$/, '') || '.', sources, named }, tryGit);
  // Each commit begins a line with a tab, which git quotes in the name of a file.
  const listed = git([
    ...['log', '--first-parent', '-m', '--no-renames', '--name-only', '--format=>%x09%H', ...newest, '--', ...specs],
  ]);
  const touching = listed
    .split(/^>\t/m)
    .slice(1)
    .map((text) => text.split('\n').filter((line) => line !== ''))
    .map(([commit = '', ...files]) => ({ commit, files }));
  const oldest = touching.at(-1)?.commit;
  const before = since ?? (oldest && tryGit(['rev-parse', '--verify', '--quiet', `${oldest}^1`]));
  const range = before === undefined ? ['HEAD'] : ['HEAD', `^${before}`];
  const known = new Set(touching.map(({ commit }) => commit));
  const chain = splitLines(git(['rev-list', '--first-parent', ...range])).filter((commit) => !known.has(commit));
  return {
    touching,
    otherCommits: chain.slice(0, maxCommits),
    limits: [
      ...(since === undefined && touching.length === maxCommits
        ? [
            `No state says where to begin, so only the last ${maxCommits} commits that touch the workspace were looked at.`,
          ]
        : []),
      ...(chain.length > maxCommits
        ? [
            `Of the ${chain.length} commits that touch nothing of the workspace, only the last ${maxCommits} were looked at.`,
          ]
        : []),
    ],
    contains: ancestry(splitLines(git(['rev-list', '--parents', ...range])), before, tryGit),
  };
}

/** Asks git for the commits once: there may be a question for each pair of them. */
function ancestry(lines: readonly string[], before: string | undefined, tryGit: Git['tryGit']): Ancestry {
  const parents = new Map(
    lines.map((line) => line.split(' ')).map(([commit = '', ...others]) => [commit, others] as const),
  );
  const reached = new Map<string, ReadonlySet<string> | undefined>();
  const reach = (commit: string): ReadonlySet<string> | undefined => {
    // Commits outside the range come before it, if they are on this branch at all.
    if (!parents.has(commit))
      return before !== undefined && tryGit(['merge-base', '--is-ancestor', commit, before]) !== undefined
        ? new Set()
        : undefined;
    const [found, open] = [new Set<string>(), [commit]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const before = parents.get(next);
      if (found.has(next) || before === undefined) continue;
      found.add(next);
      pushAll(open, before);
    }
    return found;
  };
  const contains = (commit: string, other: string) => {
    if (commit === '') return undefined;
    if (!reached.has(commit)) reached.set(commit, reach(commit));
    return reached.get(commit)?.has(other);
  };
  return Object.assign(contains, { has: (commit: string) => parents.has(commit) });
}

/**
 * The git paths of everything that a workspace reads, deleted files included: its sources, almanac.yaml, tables and
 * texts, submodules, and the files that decide which Almanac plans them and how.
 */
function pathsOf(
  {
    at,
    sources,
    named,
  }: { readonly at: string; readonly sources: readonly string[]; readonly named: readonly string[] },
  tryGit: Git['tryGit'],
): readonly string[] {
  const above = configPathsFrom(at);
  const modules = tryGit(['config', '--blob', 'HEAD:.gitmodules', '--get-regexp', '\\.path$']) ?? '';
  const literal = [
    ...above.map(({ path }) => path),
    ...named.map((file) => posix.join(at, file)),
    ...splitLines(modules).map((line) => line.slice(line.indexOf(' ') + 1)),
    ...above.flatMap((each) => ofInstallation.map((file) => posix.join(each.at, file))),
    ...['.gitmodules', '.github/workflows'],
  ];
  return [
    ...literal.map((path) => `:(top,literal)${path}`),
    ...sources.flatMap(globsOf).map((glob) => `:(top,glob)${posix.join(at.replace(/[*?[\]\\]/g, '\\$&'), glob)}`),
  ];
}

const ofInstallation = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json'],
  ...['yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
];

/** Translates a pattern for git. If git does not know its syntax, the folder in which the pattern begins is used. */
function globsOf(pattern: string): readonly string[] {
  if (pattern.startsWith('!')) return [];
  const [, start, inside, end] = /^(.*)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  // A range such as {1..3} becomes the folder around it.
  if (!inside?.includes(',')) {
    if (!/[()\\{}]/.test(pattern)) return [pattern];
    const fixed = pattern.slice(0, pattern.search(/[()\\{}*?[]/));
    return [`${fixed.slice(0, fixed.lastIndexOf('/') + 1)}**`];
  }
  return inside.split(',').flatMap((each) => globsOf(`${start}${each}${end}`));
}

function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

/**
 * The merges and pushes in the form of `coverage`, in turns: first all that touch the workspace, then the reviews of
 * the others. A `gap` is a sentence or, for a pull request, the rest of one.
 */
export async function* mergesOf(
  { touching, otherCommits, contains }: Omit<History, 'limits'>,
  {
    github,
    branch,
    identity,
  }: { readonly github: Pick<Github, 'pullsOf'>; readonly branch: string; readonly identity: string },
): AsyncGenerator<readonly Merge[]> {
  /** The files of each pull request, from all its commits that were found so far. */
  const filesOf = new Map<number, Set<string>>();
  const read = async (commits: readonly TouchingCommit[]): Promise<readonly Merge[]> => {
    const found: Merge[] = [];
    const pullsOf = await github.pullsOf(commits.map(({ commit }) => commit));
    for (const [index, { commit, files }] of commits.entries()) {
      const pulls = (pullsOf[index] ?? []).filter(({ mergedAt, base }) => mergedAt && base === branch);
      const exact = pulls.filter(({ merge }) => merge === commit);
      if (pulls.length === 0) found.push({ commit, files: new Set(files), gap: pushed(commit) });
      for (const pull of exact.length > 0 ? exact : pulls) {
        const { number, mergedAt, merge } = pull;
        const known = filesOf.get(number);
        // A rebased pull request brought several commits.
        for (const file of files) known?.add(file);
        if (known !== undefined) continue;
        const own = new Set(files);
        filesOf.set(number, own);
        const at = typeof merge === 'string' && contains.has(merge) ? merge : commit;
        const shown = reviewOf(pull, { branch, identity });
        found.push({ pull: number, mergedAt, commit: at, files: own, ...('gap' in shown ? shown : { review: shown }) });
      }
    }
    return found;
  };
  yield await read(touching);
  for (let from = 0; from < otherCommits.length; from += inTurn) {
    const commits = otherCommits.slice(from, from + inTurn).map((commit) => ({ commit, files: [] }));
    yield (await read(commits)).filter(({ review }) => review !== undefined);
  }
}

const pushed = (commit: string) => `The commit ${commit.slice(0, 9)} was pushed without a pull request.`;

/** `{ at, onto, isWhole, named, changes }` of the comments that hold all parts of one plan, or `{ gap }`. */
function reviewOf(
  { comments, head, mergedAt }: ListedPull,
  { branch, identity }: { readonly branch: string; readonly identity: string },
): MergeReview | { readonly gap: string } {
  const all = comments.filter(({ body }) => body.startsWith(`${identity} `));
  const own = all.filter((comment) => comment.author === ownLogin);
  if (own.length === 0)
    return { gap: all.length === 0 ? 'has no plan comment' : `has a plan comment that ${ownLogin} did not write` };
  if (own.some(({ editor }) => editor !== undefined && editor !== ownLogin))
    return { gap: 'has a plan comment that somebody else edited' };
  if (own.some(({ isHidden }) => isHidden)) return { gap: 'has a plan comment that somebody hid' };
  // Whoever merged it cannot have seen that text.
  if (!own.every(({ at }) => at <= (mergedAt ?? '')))
    return { gap: 'has a plan comment that was written after the merge' };
  // Two concurrent runs may each have added the same.
  const bodies = [...new Set(own.map(({ body }) => withoutFoot(body)))];
  const reviews = bodies.flatMap((body) => reviewIn(body, identity) ?? []);
  const [first, ...others] = reviews;
  if (first === undefined || reviews.length < bodies.length)
    return { gap: 'has a plan comment that does not say which changes it shows' };
  const isOfFirst = ({ digest, parts }: Review) => digest === first.digest && parts === first.parts;
  const numbers = new Set(reviews.map(({ part }) => part));
  if (!others.every(isOfFirst) || numbers.size < reviews.length) return { gap: 'has several plan comments' };
  if (first.digest === '') return { gap: 'has a plan that failed' };
  if (reviews.some((review) => review.head !== head)) return { gap: 'has the plan of an earlier push' };
  // It was compared with that branch, where the weakened setting may have been weak already.
  if (reviews.some((review) => review.base !== attribute(branch)))
    return { gap: 'has the plan for another base branch' };
  if (reviews.some(({ changes }) => changes === tooLong))
    return { gap: 'has a plan that is too long for its comments' };
  const shown = reviews.flatMap(({ changes }) => (changes === tooLong ? [] : changes));
  if (numbers.size < first.parts || [...numbers].some((part) => part > first.parts))
    return { gap: `has only ${numbers.size} of the ${first.parts} comments with its plan` };
  const [at = ''] = own.map((comment) => comment.at).sort();
  // An interrupted run leaves parts of two runs that show the same.
  const isOne = reviews.every(({ onto, isWhole, named }) =>
    [onto === first.onto, isWhole === first.isWhole, named === first.named].every(Boolean),
  );
  return {
    at,
    onto: isOne ? first.onto : '',
    isWhole: isOne && first.isWhole,
    named: new Set(reviews.flatMap(({ named }) => named.split('.'))),
    changes: shown,
  };
}
