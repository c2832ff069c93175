// What both CI systems share: where the workspace is, and the branch that keeps its state.

import { gitName } from '../../../model/workspace/state-place.ts';

/**
 * What the jobs of a CI system depend on: the same for the workflows of GitHub and the pipeline of GitLab. The state of
 * both is a branch of the repository, one for each state.
 */
export interface CiShape {
  /** It may be scoped; its program is called almanac in any case. */
  readonly packageName: string;
  /** The names in almanac.yaml; empty if there is only one organization. */
  readonly environments: readonly string[];
  /** The workspace, from the root of the repository; '' for the root. */
  readonly folder: string;
  /** Where package.json is, from the root of the repository; '' for the root. */
  readonly packageFolder: string;
  /** The default branch; main if left out. */
  readonly branch?: string | undefined;
  /** Whether the folder has another pipeline of GitLab, beside which the jobs have a file and names of their own. */
  readonly isBeside?: boolean | undefined;
}

/** Where `almanac init` can put the state. */
export type Backend = 'git' | 'local';

/** The remote of every clone, and the only one that a job of a CI system has. */
export const stateRemote = 'origin';
const stateBranch = 'almanac-state';

/**
 * Only the branch of a folder has `--` in its name, and a folder becomes a word without it. Two folders that become the same word,
 * such as `eu/reports` and `eu-reports`, are not both made a workspace by `init`.
 */
export function stateBranchOf(folder: string, environment?: string): string {
  if (folder === '') return environment === undefined ? stateBranch : `${stateBranch}-${environment}`;
  // Names in other scripts stay apart, and every server takes the branch.
  const plain = folder.replaceAll(/[^\p{ASCII}]/gu, (letter) => letter.codePointAt(0)?.toString(16) ?? '');
  const own = `${stateBranch}--${folderWord(plain)}`;
  return environment === undefined ? own : `${own}--${environment}`;
}

/** As Almanac names the place in its messages, and as ALMANAC_STATE_PLACE pins it. */
export function statePlaceOf(folder: string, environment?: string): string {
  return gitName(stateBranchOf(folder, environment), stateRemote);
}

/** A folder as a part of the name of a file or a branch. */
export function folderWord(folder: string): string {
  return folder.replaceAll(/[^\p{L}\p{N}_]+/gu, '-').replaceAll(/^-|-$/g, '');
}
