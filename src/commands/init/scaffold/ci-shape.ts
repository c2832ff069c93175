// The shape that both CI systems share: the workspace's place and its state's branch.

import { gitName } from '../../../model/workspace/state-place.ts';

/**
 * The facts on which the jobs of a CI system depend: the same for the workflows of GitHub and the pipeline of GitLab.
 * Each state is in a branch of its own in the repository.
 */
export interface CiShape {
  /** The name may be scoped; its program is called almanac in any case. */
  readonly packageName: string;
  /** The names in almanac.yaml; empty if there is only one organization. */
  readonly environments: readonly string[];
  /** The workspace, from the root of the repository; '' for the root. */
  readonly folder: string;
  /** The folder of package.json, from the root of the repository; '' for the root. */
  readonly packageFolder: string;
  /** The default branch; main if left out. */
  readonly branch?: string | undefined;
  /** True if the folder has another pipeline of GitLab, so the jobs get a file and names of their own beside it. */
  readonly isBeside?: boolean | undefined;
  /** The variables that the source files take from the environment: secrets of the job that applies. */
  readonly secrets?: readonly string[];
}

/** Files outside of a folder on which its jobs depend: the program that they install, and neighbours. */
export function pathsAround(packageFolder: string): readonly string[] {
  const folders = new Set(['', packageFolder === '' ? '' : `${packageFolder}/`]);
  const installed = ['package.json', 'package-lock.json'].flatMap((name) => [...folders].map((each) => each + name));
  return [...installed, '**/almanac.yaml', '**/almanac.yml'];
}

export type Backend = 'git' | 'local';

/** The remote of every clone, and the only one that a job of a CI system has. */
export const stateRemote = 'origin';
const stateBranch = 'almanac-state';

/**
 * Only the branch of a folder has `--` in its name, and a folder becomes a word without it. `init` does not make
 * workspaces in two folders that become the same word, such as `eu/reports` and `eu-reports`.
 */
export function stateBranchOf(folder: string, environment?: string): string {
  if (folder === '') return environment === undefined ? stateBranch : `${stateBranch}-${environment}`;
  // Names in other scripts stay apart, and every server takes the branch.
  const plain = folder.replaceAll(/[^\p{ASCII}]/gu, (letter) => letter.codePointAt(0)?.toString(16) ?? '');
  const own = `${stateBranch}--${folderWord(plain)}`;
  return environment === undefined ? own : `${own}--${environment}`;
}

/** The place's name in Almanac's messages, to which ALMANAC_STATE_PLACE pins it. */
export function statePlaceOf(folder: string, environment?: string): string {
  return gitName(stateBranchOf(folder, environment), stateRemote);
}

/** A folder as part of the name of a file or a branch. */
export function folderWord(folder: string): string {
  return folder.replaceAll(/[^\p{L}\p{N}_]+/gu, '-').replaceAll(/^-|-$/g, '');
}
