// The workflow that looks every night for what others changed.

import type { CiShape } from './ci-shape.ts';
import {
  almanac,
  checkoutFor,
  indented,
  install,
  type Lines,
  matrixOf,
  pinned,
  targetOfMatrix,
  titleOf,
} from './github-steps.ts';

/** `name`: of the workflow, as its file. */
export function driftWorkflow(shape: CiShape, name: string): Lines {
  const target = targetOfMatrix(shape);
  return [
    `name: ${titleOf(name)}`,
    'on:',
    '  schedule:',
    "    - cron: '17 2 * * *'",
    '  workflow_dispatch:',
    'permissions:',
    '  contents: read',
    '  issues: write',
    'concurrency:',
    `  group: ${name}`,
    '  cancel-in-progress: false',
    'jobs:',
    '  drift:',
    ...indented(2, [
      ...matrixOf(shape, 'drift'),
      "if: ${{ github.event_name == 'schedule' || github.ref_name == github.event.repository.default_branch }}",
      'runs-on: ubuntu-latest',
      'timeout-minutes: 30',
      `environment: ${target.protectedBy}`,
      ...pinned(shape, target),
      'steps:',
      ...indented(1, [
        ...checkoutFor(shape, {}),
        ...install(shape),
        ...almanac(shape, target, { inputs: { command: 'drift', issue: true }, hasToken: true }),
      ]),
    ]),
  ];
}
