// What the jobs of a CI system depend on: the same for the workflows of GitHub and the pipeline of GitLab. The state of
// both is a branch of the repository.

export interface CiShape {
  /** It may be scoped; its program is called almanac in any case. */
  readonly packageName: string;
  /** The names in almanac.yaml; empty if there is only one organization. */
  readonly environments: readonly string[];
  /** The workspace, from the root of the repository; '' for the root. */
  readonly folder: string;
  /** Where package.json is, from the root of the repository; '' for the root. */
  readonly packageFolder: string;
}
