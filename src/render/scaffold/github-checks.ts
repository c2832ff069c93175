// The workflows that look at Omni and change nothing there: every night for what others changed, and on weekday mornings
// for deliveries that failed. Each keeps an issue of its own.

import type { CiShape } from './ci-shape.ts';
import {
  almanac,
  checkout,
  indented,
  install,
  type Lines,
  matrixOf,
  pinned,
  targetOfMatrix,
  titleOf,
} from './github-steps.ts';

const checks = {
  drift: ["    - cron: '17 2 * * *'"],
  status: ['    # Weekday mornings in UTC, after your deliveries.', "    - cron: '47 6 * * 1-5'"],
} as const satisfies Readonly<Record<string, Lines>>;

/** `name`: of the workflow, as its file. */
export function checkWorkflow(shape: CiShape, name: string, check: keyof typeof checks): Lines {
  const target = targetOfMatrix(shape);
  return [
    `name: ${titleOf(name)}`,
    'on:',
    '  schedule:',
    ...checks[check],
    '  workflow_dispatch:',
    'permissions:',
    '  contents: read',
    '  issues: write',
    'concurrency:',
    `  group: ${name}`,
    '  cancel-in-progress: false',
    'jobs:',
    `  ${check}:`,
    ...indented(2, [
      ...matrixOf(shape, check),
      "if: ${{ github.event_name == 'schedule' || github.ref_name == github.event.repository.default_branch }}",
      'runs-on: ubuntu-latest',
      'timeout-minutes: 30',
      `environment: ${target.protectedBy}`,
      ...pinned(shape, target),
      'steps:',
      ...indented(1, [
        ...checkout(),
        ...install(shape),
        ...almanac(shape, target, { inputs: { command: check, issue: true }, hasToken: true }),
      ]),
    ]),
  ];
}
