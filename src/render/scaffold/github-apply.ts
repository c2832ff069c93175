// The workflow that applies what was merged. One job does it: Almanac writes the branch of the state while it works.

import type { CiShape } from './ci-shape.ts';
import {
  almanac,
  checkout,
  indented,
  install,
  type Lines,
  pathFilter,
  pinned,
  type Target,
  titleOf,
} from './github-steps.ts';

/** `name`: of the workflow, as its file. */
export function applyWorkflow(shape: CiShape, name: string, target: Target): Lines {
  return [
    `name: ${titleOf(name)}`,
    'on:',
    '  push:',
    '    # The default branch of the repository: a run on another branch does nothing.',
    '    branches: [main]',
    ...indented(2, pathFilter(shape)),
    '  workflow_dispatch:',
    '    inputs:',
    '      expect:',
    '        description: The digest of the plan to apply; if empty, only what was reviewed is applied',
    '        type: string',
    "        default: ''",
    'permissions:',
    '  contents: read',
    '# One at a time, and one that runs is never cancelled: it could be in the middle of a request.',
    'concurrency:',
    `  group: ${name}`,
    '  cancel-in-progress: false',
    'jobs:',
    '  apply:',
    ...indented(2, [
      'if: ${{ github.ref_name == github.event.repository.default_branch }}',
      'runs-on: ubuntu-latest',
      'timeout-minutes: 60',
      'permissions:',
      '  # For the branch of the state. With STATE_DEPLOY_KEY, which then writes it, `read` is enough.',
      '  contents: write',
      '  pull-requests: read',
      '# Protect this environment: its secrets reach your organization.',
      `environment: ${target.protectedBy}`,
      ...pinned(shape, target),
      'steps:',
      ...indented(1, [
        '# The branch as it is now, and all commits: they lead to what was reviewed.',
        ...checkout({
          ref: '${{ github.ref_name }}',
          'fetch-depth': 0,
          // Where the secret is not set, the checkout takes the token of the job.
          'ssh-key': '${{ secrets.STATE_DEPLOY_KEY }}',
        }),
        ...install(shape),
        '# Both steps have the token. Give both every variable that the source files take from the environment.',
        ...almanac(shape, target, { inputs: { command: 'doctor' }, hasToken: true }),
        ...almanac(shape, target, {
          inputs: { command: 'apply', expect: "${{ inputs.expect || 'reviewed' }}" },
          hasToken: true,
        }),
      ]),
    ]),
  ];
}
