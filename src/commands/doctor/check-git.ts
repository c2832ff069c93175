// Whether git holds the state as it is here, and none of the files that belong to one machine alone.

import type { Repository } from '../../declare/workspace.ts';
import { splitIndexHint } from '../../model/workspace/failure.ts';
import { placeName, type SharedPlace } from '../../model/workspace/state-place.ts';
import { failed, passed, skipped, together, type Verdict, warned } from './verdict.ts';

export interface GitFacts {
  readonly repository: Repository | undefined;
  /** Undefined where almanac.yaml does not tell. */
  readonly state: { readonly name: string; readonly path: string } | undefined;
  /** Of a path, relative to the root of the workspace or absolute. */
  readonly exists: (path: string) => boolean;
  /** Undefined for a state in a file, and where almanac.yaml does not tell. */
  readonly shared?: SharedFacts | undefined;
}

/** A state that many share. */
export interface SharedFacts {
  readonly place: SharedPlace;
  /** The state files that git tracks although nothing uses them. */
  readonly unused: readonly string[];
}

export function checkGit({ repository, state, exists, shared }: GitFacts): Verdict {
  if (repository === undefined) return skipped('This folder is not in a git repository.');
  const { branch, commit, unfinished } = repository;
  const head = branch === undefined ? detached(commit) : `On branch ${branch}.`;
  return together([
    passed(head),
    ...(unfinished === undefined ? [] : [underWay(unfinished)]),
    ...(state === undefined ? [] : [...ofMachine(state, repository, exists), ...ofState(state, repository, exists)]),
    ...(shared === undefined ? [] : ofShared(shared, repository)),
  ]);
}

function ofShared({ place, unused }: SharedFacts, { branch }: Repository): readonly Verdict[] {
  const isOwn = place.backend === 'git' && place.branch === branch;
  const own = `The state cannot be in the branch ${branch}, which holds the declarations.`;
  return [
    ...(isOwn ? [failed(own, 'Give `state` a branch of its own, such as almanac-state.')] : []),
    ...unused.map((path) =>
      warned(
        `git tracks ${path}, and the state is in ${placeName(place)}: nothing uses the file.`,
        `Move it there with \`almanac state migrate\`. Remove it (\`git rm ${path}\`) only if its resources are there already.`,
      ),
    ),
  ];
}

/** Normal in CI. */
function detached(commit: string | undefined): string {
  return commit === undefined ? 'In a git repository.' : `At commit ${commit.slice(0, 12)}, on no branch.`;
}

function underWay(what: NonNullable<Repository['unfinished']>): Verdict {
  return warned(
    `A ${what} is not finished.`,
    `Finish it, or give it up with \`git ${what} --abort\`, before you apply.`,
  );
}

type StateFile = NonNullable<GitFacts['state']>;

/** A journal or a lock that came with a commit was left by no run of this machine. */
function ofMachine(
  { name, path }: StateFile,
  { statusOf }: Repository,
  exists: GitFacts['exists'],
): readonly Verdict[] {
  return ['journal', 'lock']
    .filter((kind) => exists(`${path}.${kind}`) && !['untracked', 'outside'].includes(statusOf(`${path}.${kind}`)))
    .map((kind) =>
      failed(
        `git tracks ${name}.${kind}.`,
        `Remove it from git (\`git rm --cached ${name}.${kind}\`) and add it to .gitignore. ${splitIndexHint}`,
      ),
    );
}

function ofState({ name, path }: StateFile, { statusOf }: Repository, exists: GitFacts['exists']): readonly Verdict[] {
  const status = statusOf(path);
  if (status === 'unmerged') return [failed(`A merge left ${name} in conflict.`)];
  if (!exists(path)) return [];
  switch (status) {
    case 'untracked':
      return [
        warned(
          `git does not track ${name}.`,
          `Commit it, so that the next run knows what was applied. If git ignores it, \`git check-ignore -v ${name}\` names the rule.`,
        ),
      ];
    case 'changed':
      return [
        warned(`${name} has changes that are not committed.`, 'Commit and push it, so that the next run has them.'),
      ];
    case 'unchanged':
      return [passed(`git has ${name} as it is here.`)];
    case 'outside':
      return [];
  }
}
