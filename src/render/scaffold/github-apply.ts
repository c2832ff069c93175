// The workflow that applies what was merged. With a state that is committed, `ready` says before anything is sent that it
// cannot be pushed, `apply` holds the token of the organization and may write nothing, `push` may write and holds no token.
// With a state in a branch of its own there is only `apply`: it writes that branch while it works.

import type { CiShape } from './ci-shape.ts';
import {
  almanac,
  checkout,
  checkoutFor,
  indented,
  inputLines,
  install,
  type Lines,
  pathFilter,
  pinned,
  type Target,
  titleOf,
} from './github-steps.ts';

const onDefaultBranch = 'if: ${{ github.ref_name == github.event.repository.default_branch }}';
const branch = { ref: '${{ github.ref_name }}' };
/** Of a protected branch; where the secret is not set, the checkout takes the token of the job. */
const deployKey = { 'ssh-key': '${{ secrets.STATE_DEPLOY_KEY }}' };
/** An attempt that repeats only the push takes what the attempt before it applied. */
const artifact = 'almanac-state-${{ github.run_attempt }}';
const downloaded = '${{ runner.temp }}/almanac-state';

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
    ...indented(1, jobs(shape, target)),
  ];
}

function jobs(shape: CiShape, target: Target): Lines {
  if (shape.backend === 'git') return apply(shape, target);
  return [...ready(shape, target), ...apply(shape, target), ...push(shape, target)];
}

function ready(shape: CiShape, target: Target): Lines {
  return [
    '# Says before anything is sent that the state cannot be pushed.',
    'ready:',
    ...indented(1, [
      onDefaultBranch,
      '# The environment holds STATE_DEPLOY_KEY if the branch is protected, and nothing that reaches your organization.',
      ...pushes,
      'steps:',
      ...indented(1, [
        ...checkout({ ...branch, ...deployKey }),
        ...install(shape),
        ...almanac(shape, target, { inputs: { command: 'check-push' } }),
      ]),
    ]),
  ];
}

function apply(shape: CiShape, target: Target): Lines {
  const isCommitted = shape.backend === 'local';
  return [
    'apply:',
    ...indented(1, [
      isCommitted ? 'needs: ready' : onDefaultBranch,
      'runs-on: ubuntu-latest',
      'timeout-minutes: 60',
      'permissions:',
      ...(isCommitted
        ? ['  contents: read']
        : ['  # For the branch that keeps the state. Nothing else is pushed.', '  contents: write']),
      '  pull-requests: read',
      '# Protect this environment: its secrets reach your organization.',
      `environment: ${target.protectedBy}`,
      ...pinned(shape, target),
      ...(isCommitted ? handedOver : []),
      'steps:',
      ...indented(1, [
        isCommitted
          ? '# The branch as it is now, with the state that the run before this one pushed, and the commits since.'
          : '# The branch as it is now, and all commits: they lead to what was reviewed.',
        ...checkoutFor(shape, { ...branch, 'fetch-depth': 0, ...(isCommitted ? {} : deployKey) }),
        ...install(shape),
        '# Both steps have the token. Give both every variable that the source files take from the environment.',
        ...almanac(shape, target, { inputs: { command: 'doctor' }, hasToken: true }),
        ...almanac(shape, target, {
          id: 'apply',
          inputs: { command: 'apply', expect: "${{ inputs.expect || 'reviewed' }}" },
          hasToken: true,
        }),
        ...(isCommitted ? upload : []),
      ]),
    ]),
  ];
}

const handedOver: Lines = [
  'outputs:',
  "  artifact: ${{ steps.apply.outputs.state-folder && format('almanac-state-{0}', github.run_attempt) }}",
];

const upload: Lines = [
  "- if: ${{ always() && steps.apply.outputs.state-folder != '' }}",
  '  uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  ...inputLines({
    name: artifact,
    path: '${{ steps.apply.outputs.state-folder }}',
    'if-no-files-found': 'error',
  }),
];

function push(shape: CiShape, target: Target): Lines {
  return [
    '# Runs whatever became of the apply: the next run must know what was done.',
    'push:',
    ...indented(1, [
      'needs: apply',
      "if: ${{ always() && needs.apply.outputs.artifact != '' }}",
      ...pushes,
      'steps:',
      ...indented(1, [
        ...checkout({ ...branch, ...deployKey }),
        ...install(shape),
        '- uses: actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
        ...inputLines({ name: '${{ needs.apply.outputs.artifact }}', path: downloaded }),
        ...almanac(shape, target, { inputs: { command: 'push-state', 'state-folder': downloaded } }),
      ]),
    ]),
  ];
}

const pushes: Lines = [
  'environment: almanac-state',
  'permissions:',
  '  contents: write',
  'runs-on: ubuntu-latest',
  'timeout-minutes: 10',
];
