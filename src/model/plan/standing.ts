// How the files of a run stand to what was applied last, as far as git tells: what a plan would take back although nobody means
// it to.

export interface MovedSubmodule {
  /** From the root of the workspace. */
  readonly path: string;
  readonly recorded: string;
  readonly here: string;
  /** The command, in backticks, that checks out the recorded commit. */
  readonly update: string;
}

export interface Standing {
  /** The commit of the last apply, where the checkout is surely behind it. */
  readonly behind?: string | undefined;
  /** The commit of the last apply, where the clone does not have it and somebody could fetch it. */
  readonly unfetched?: string | undefined;
  /** The clone lacks the history that would tell whether it is behind. */
  readonly isShallow?: boolean;
  /** Submodules that hold sources, at another commit than the one that is checked out records. */
  readonly moved?: readonly MovedSubmodule[];
}

/** As people name a commit. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}

/** `schedules/team is at commit 12…, and the commit that is checked out records 34…`. */
export function movedWords({ path, recorded, here }: MovedSubmodule): string {
  return `${path} is a submodule at commit ${shortCommit(here)}, and the commit that is checked out records ${shortCommit(recorded)}`;
}

/** What plan and apply say first; undefined where nothing is to be fetched. */
export function unfetchedWords({ unfetched }: Standing): string | undefined {
  if (unfetched === undefined) return undefined;
  return `The last apply was made at commit ${shortCommit(unfetched)}, which this checkout has not fetched: git fetch.`;
}
