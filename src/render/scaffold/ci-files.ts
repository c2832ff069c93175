// The jobs of a CI system: what would change is shown on every pull or merge request, and applied on the default branch
// by one job at a time.

import type { CiShape } from './ci-shape.ts';
import { githubWorkflows } from './github-workflows.ts';
import { gitlabFiles } from './gitlab-pipeline.ts';

export type CiSystem = 'github' | 'gitlab';

/** By path, from the root of the repository. */
export function ciFiles(system: CiSystem, shape: CiShape): Readonly<Record<string, string>> {
  return system === 'gitlab' ? gitlabFiles(shape) : githubWorkflows(shape);
}
