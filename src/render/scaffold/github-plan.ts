// The workflow that plans a pull request, and the one that plans a pull request from a fork, whose own run may not
// comment.

import type { CiShape } from './ci-shape.ts';
import {
  almanac,
  checkout,
  indented,
  install,
  type Lines,
  matrixOf,
  pathFilter,
  pinned,
  script,
  targetOfMatrix,
  titleOf,
} from './github-steps.ts';

/** `name`: of the workflow, as its file. */
export function planWorkflow(shape: CiShape, name: string): Lines {
  const target = targetOfMatrix(shape);
  return [
    `name: ${titleOf(name)}`,
    'on:',
    '  pull_request:',
    ...indented(2, pathFilter(shape)),
    '  # A merge queue waits for this check. What merges was planned in the pull requests: no comment is written.',
    '  merge_group:',
    'permissions:',
    '  contents: read',
    '  pull-requests: write',
    'concurrency:',
    `  group: ${name}-\${{ github.event.pull_request.number || github.ref }}`,
    '  cancel-in-progress: true',
    'jobs:',
    '  plan:',
    ...indented(2, [
      ...matrixOf(shape, 'plan'),
      'runs-on: ubuntu-latest',
      'timeout-minutes: 10',
      ...pinned(shape, target),
      'steps:',
      ...indented(1, [
        ...checkout(),
        ...install(shape),
        ...script('npx --no -- almanac fmt --check', shape),
        ...almanac(shape, target, { inputs: { command: 'validate' } }),
        '# Sends no request and needs no secret.',
        ...almanac(shape, target, { inputs: { command: 'plan' } }),
      ]),
    ]),
  ];
}

/** `plan`: the name of the workflow that it follows. */
export function forkWorkflow(shape: CiShape, name: string, plan: string): Lines {
  const target = targetOfMatrix(shape);
  const run = 'github.event.workflow_run';
  return [
    `name: ${titleOf(name)}`,
    '# The run of a fork may neither comment nor read the variables of the repository. This one may, because it is the',
    '# workflow of the default branch, and runs only what that branch installs. The files of the fork are data.',
    'on:',
    '  workflow_run:',
    `    workflows: [${titleOf(plan)}]`,
    '    types: [completed]',
    'permissions:',
    '  contents: read',
    '  pull-requests: write',
    'concurrency:',
    `  group: ${name}-\${{ ${run}.head_repository.full_name }}-\${{ ${run}.head_branch }}`,
    '  cancel-in-progress: true',
    'jobs:',
    '  plan:',
    ...indented(2, [
      ...matrixOf(shape, 'plan'),
      `if: \${{ ${run}.event == 'pull_request' && ${run}.head_repository.full_name != github.repository }}`,
      'runs-on: ubuntu-latest',
      'timeout-minutes: 10',
      ...pinned(shape, target),
      'steps:',
      ...indented(1, [
        ...checkout(),
        ...install(shape),
        '# Finds the pull request, and plans its files outside of this checkout.',
        ...almanac(shape, target, { inputs: { command: 'plan' } }),
      ]),
    ]),
  ];
}
