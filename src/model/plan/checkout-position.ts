// Compares the files of a run with what was applied last. Git tells what a plan would undo although nobody means it to.

import type { Address } from '../values/address.ts';
import type { Pointer } from '../values/pointer.ts';

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
  /** Submodules that hold sources, at another commit than the one that is checked out records. */
  readonly moved?: readonly MovedSubmodule[];
}

/** The paths of files below the workspace, as git knows them. */
export interface FilesInBranch {
  /** The files that commits of the last day, or uncommitted edits, touched. */
  readonly touched: ReadonlySet<string>;
  readonly tracked: ReadonlySet<string>;
}

/** A commit as people write it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}

/** `commit 12… of 2026-11-27`. */
export function commitWords({ commit, date }: LastApplied): string {
  return `commit ${shortCommit(commit)}${date === undefined ? '' : ` of ${date}`}`;
}

/** `schedules/team is at commit 12…, and the commit that is checked out records 34…`. */
export function movedWords({ path, recordedCommit, commitHere }: MovedSubmodule): string {
  return `${path} is a submodule at commit ${shortCommit(commitHere)}, and the commit that is checked out records ${shortCommit(recordedCommit)}`;
}

/** The first words of plan and apply; undefined if nothing has to be fetched. */
export function unknownWords({ last }: CheckoutPosition): string | undefined {
  if (last?.relation !== 'unknown') return undefined;
  return `The last apply was made at ${commitWords(last)}, which this clone does not have: git fetch.`;
}

/** The ways to the missing history. Nothing here takes them: a plan sends nothing and writes into no clone. */
export const fetchWords =
  'Run `git fetch origin`, or `git fetch --unshallow origin` in a shallow clone; in a job, check out with `fetch-depth: 0`';
