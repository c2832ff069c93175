// Compares the files of a run with what was applied last. Git tells what a plan would undo although nobody means it to.

import type { Address } from '../values/address.ts';
import type { Pointer } from '../values/pointer.ts';
import type { State } from './state.ts';

export interface MovedSubmodule {
  /** The path from the root of the workspace. */
  readonly path: string;
  readonly recordedCommit: string;
  readonly commitHere: string;
  /** The command, in backticks, that checks out the recorded commit. */
  readonly update: string;
}

/**
 * The relation of the last apply's commit to the one that is checked out. `same`: it is that one. `ahead`: what is
 * checked out holds it, by its history or, after a squash or a rebase, by the content of its files. `behind`: it is a
 * descendant of what is checked out. `diverged`: each has what the other lacks. `unknown`: the clone has its whole
 * history, and not this commit. `shallow`: the clone lacks the history that would tell.
 */
export type Relation = 'same' | 'ahead' | 'behind' | 'diverged' | 'unknown' | 'shallow';

export interface LastApplied {
  readonly relation: Relation;
  readonly commit: string;
  /** The day of a commit that has diverged, in UTC. */
  readonly date?: string | undefined;
  /**
   * The changes that were applied since the two lines parted, if they have diverged: the places in the attributes that
   * differ from what was declared there, by the address in the state. Undefined if nobody can tell.
   */
  readonly brought?: Brought | undefined;
}

export type Brought = ReadonlyMap<Address, readonly Pointer[]>;

export interface CheckoutPosition {
  /** Undefined if nothing was applied from a clone, or git does not tell. */
  readonly last?: LastApplied | undefined;
  /** True if the files are in a repository, whether or not git can be asked. */
  readonly isInRepository?: boolean | undefined;
  /** Git has a repository here, and the state names no commit: nobody knows whether these files are older than it. */
  readonly isUnrecorded?: boolean | undefined;
  /** Submodules that hold sources, at another commit than the one that is checked out records. */
  readonly moved?: readonly MovedSubmodule[];
}

const recorded: Readonly<Record<Relation, (isWhole: boolean) => boolean>> = {
  same: () => true,
  ahead: () => true,
  behind: () => false,
  diverged: () => false,
  unknown: () => false,
  // Git cannot tell, but whatever was applied before, all of it is as in this commit now.
  shallow: (isWhole) => isWhole,
};

/**
 * True if the state may name the commit that is checked out as the last one: that is, or holds, the commit that it names so far.
 * `isWhole` is true if everything that is declared was applied.
 */
export function holdsLast(
  { last }: CheckoutPosition,
  state: Pick<State, 'checkout'> | undefined,
  isWhole: boolean,
): boolean {
  return last === undefined ? state?.checkout === undefined : recorded[last.relation](isWhole);
}

/** A commit as people write it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}

/** `commit 12… of 2026-11-27`. */
export function commitWords({ commit, date }: Pick<LastApplied, 'commit' | 'date'>): string {
  return `commit ${shortCommit(commit)}${date === undefined ? '' : ` of ${date}`}`;
}

/** `This checkout is behind commit 12…, which was applied last`. */
export function behindWords(last: Pick<LastApplied, 'commit' | 'date'>): string {
  return `This checkout is behind ${commitWords(last)}, which was applied last`;
}

/** `schedules/team is at commit 12…, and the commit that is checked out records 34…`. */
export function movedWords({ path, recordedCommit, commitHere }: MovedSubmodule): string {
  return `${path} is a submodule at commit ${shortCommit(commitHere)}, and the commit that is checked out records ${shortCommit(recordedCommit)}`;
}

/** The first words of plan and apply; undefined if git and the state tell where these files stand. */
export function unknownWords({ last, isUnrecorded }: CheckoutPosition): string | undefined {
  if (isUnrecorded) return `${unrecordedWords}: apply once by hand, and it does.`;
  if (last?.relation !== 'unknown') return undefined;
  return `The last apply was made at ${commitWords(last)}, which this clone does not have: git fetch.`;
}

export const unrecordedWords = 'The state names no commit that was applied';

/** The ways to the missing history. Nothing here takes them: a plan sends nothing and writes into no clone. */
export const fetchWords =
  'Run `git fetch origin`, or `git fetch --unshallow origin` in a shallow clone; in a job, check out with `fetch-depth: 0`';
