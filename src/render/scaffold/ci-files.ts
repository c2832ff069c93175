// The jobs of a CI system: what would change is shown on every pull or merge request, and applied on the default branch
// by one job at a time.

import type { CiShape } from './ci-shape.ts';
import { applyWorkflow } from './github-apply.ts';
import { checkWorkflow } from './github-checks.ts';
import { forkWorkflow, planWorkflow } from './github-plan.ts';
import { type Lines, onlyTarget, targetOf } from './github-steps.ts';
import { gitlabFiles } from './gitlab-pipeline.ts';
import { folderWord } from './state-branch.ts';

export type CiSystem = 'github' | 'gitlab';

/** By path, from the root of the repository. */
export function ciFiles(system: CiSystem, shape: CiShape): Readonly<Record<string, string>> {
  return system === 'gitlab' ? gitlabFiles(shape) : githubWorkflows(shape);
}

/**
 * What would change is shown on every pull request, and applied on the default branch by one job at a time; two more look
 * at Omni. docs/ci-github.md, docs/ci-github-apply.md and docs/ci-github-checks.md show the same text for one workspace at
 * the root. By path, from the root of the repository.
 */
export function githubWorkflows(shape: CiShape): Readonly<Record<string, string>> {
  const { environments, folder } = shape;
  const named = ['almanac', ...(folder === '' ? [] : [folderWord(folder)])].join('-');
  const applies: Readonly<Record<string, Lines>> =
    environments.length === 0
      ? { [`${named}-apply`]: applyWorkflow(shape, `${named}-apply`, onlyTarget) }
      : Object.fromEntries(
          environments.map((environment) => {
            const name = `${named}-apply-${environment}`;
            return [name, applyWorkflow(shape, name, targetOf(environment))];
          }),
        );
  const workflows = {
    [`${named}-plan`]: planWorkflow(shape, `${named}-plan`),
    [`${named}-plan-fork`]: forkWorkflow(shape, `${named}-plan-fork`, `${named}-plan`),
    ...applies,
    [`${named}-drift`]: checkWorkflow(shape, `${named}-drift`, 'drift'),
    [`${named}-status`]: checkWorkflow(shape, `${named}-status`, 'status'),
  };
  return Object.fromEntries(
    Object.entries(workflows).map(([name, lines]) => [`.github/workflows/${name}.yml`, `${lines.join('\n')}\n`]),
  );
}
