// The jobs of a CI system, and those of GitHub: what would change is shown on every pull request, and applied on the
// default branch by one job at a time; two more look at Omni. docs/ci-github.md shows the same text for one workspace at
// the root.

import { type CiShape, folderWord, statePlaceOf } from './ci-shape.ts';
import { gitlabFiles } from './gitlab-pipeline.ts';
import { text } from './workspace-files.ts';

export type CiSystem = 'github' | 'gitlab';

/** By path, from the root of the repository. */
export function ciFiles(system: CiSystem, shape: CiShape): Readonly<Record<string, string>> {
  return system === 'gitlab' ? gitlabFiles(shape) : githubWorkflows(shape);
}

/** By path, from the root of the repository. The name of each workflow is that of its file. */
export function githubWorkflows(shape: CiShape): Readonly<Record<string, string>> {
  const { environments, folder } = shape;
  const named = ['almanac', ...(folder === '' ? [] : [folderWord(folder)])].join('-');
  const applies =
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
    Object.entries(workflows).map(([name, content]) => [`.github/workflows/${name}.yml`, content]),
  );
}

function planWorkflow(shape: CiShape, name: string): string {
  const target = targetOfMatrix(shape);
  return text`
name: ${titleOf(name)}
on:
  pull_request:
    # When it is edited, it may go into another branch.
    types: [opened, synchronize, reopened, edited]
    ${pathFilter(shape)}
  # A merge queue waits for this check. What merges was planned in the pull requests: no comment is written.
  merge_group:
permissions:
  contents: read
  pull-requests: write
concurrency:
  group: ${name}-\${{ github.event.pull_request.number || github.ref }}
  cancel-in-progress: true
jobs:
  plan:
    ${matrixOf(shape, 'plan')}
    runs-on: ubuntu-latest
    timeout-minutes: 10
    ${pinned(shape, target)}
    steps:
      ${checkout()}
      ${install(shape)}
      - run: npx --no -- almanac fmt --check
        ${workingDirectory(shape.folder)}
      ${almanac(shape, target, 'command: validate')}
      # Sends no request and needs no secret.
      ${almanac(shape, target, 'command: plan')}
`;
}

/** For a pull request from a fork, whose own run may not comment. `plan`: the name of the workflow that it follows. */
function forkWorkflow(shape: CiShape, name: string, plan: string): string {
  const target = targetOfMatrix(shape);
  const run = 'github.event.workflow_run';
  return text`
name: ${titleOf(name)}
# The run of a fork may neither comment nor read the variables of the repository. This one may, because it is the
# workflow of the default branch, and runs only what that branch installs. The files of the fork are data.
on:
  workflow_run:
    workflows: [${titleOf(plan)}]
    types: [completed]
permissions:
  contents: read
  pull-requests: write
concurrency:
  group: ${name}-\${{ ${run}.head_repository.full_name }}-\${{ ${run}.head_branch }}
  cancel-in-progress: true
jobs:
  plan:
    ${matrixOf(shape, 'plan')}
    if: \${{ ${run}.event == 'pull_request' && ${run}.head_repository.full_name != github.repository }}
    runs-on: ubuntu-latest
    timeout-minutes: 10
    ${pinned(shape, target)}
    steps:
      ${checkout()}
      ${install(shape)}
      # Finds the pull request, and plans its files outside of this checkout.
      ${almanac(shape, target, 'command: plan')}
`;
}

/** Quoted where YAML would read something else. */
function branchOf({ branch = 'main' }: CiShape): string {
  return /^(?!(?:true|false|null|yes|no|on|off)$)[a-z][a-z/-]*$/i.test(branch) ? branch : `'${branch}'`;
}

/** One job applies what was merged: Almanac writes the branch of the state while it works. */
function applyWorkflow(shape: CiShape, name: string, target: Target): string {
  return text`
name: ${titleOf(name)}
on:
  push:
    # The default branch of the repository: a run on another branch does nothing.
    branches: [${branchOf(shape)}]
    ${pathFilter(shape)}
  workflow_dispatch:
    inputs:
      expect:
        description: The digest of the plan to apply; if empty, only what was reviewed is applied
        type: string
        default: ''
permissions:
  contents: read
# One at a time, and one that runs is never cancelled: it could be in the middle of a request.
concurrency:
  group: ${name}
  cancel-in-progress: false
jobs:
  apply:
    if: \${{ github.ref_name == github.event.repository.default_branch }}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      # For the branch of the state. With STATE_DEPLOY_KEY, which then writes it, \`read\` is enough.
      contents: write
      pull-requests: read
    # Protect this environment: its secrets reach your organization.
    environment: ${target.protectedBy}
    ${pinned(shape, target)}
    steps:
      # The branch as it is now, and all commits: they lead to what was reviewed.
      ${checkout(
        // Where the secret is not set, the checkout takes the token of the job.
        'ref: ${{ github.ref_name }}\nfetch-depth: 0\nssh-key: ${{ secrets.STATE_DEPLOY_KEY }}',
      )}
      ${install(shape)}
      # Both steps have the token. Give both every variable that the source files take from the environment.
      ${almanac(shape, target, 'command: doctor')}
        ${token}
      ${almanac(shape, target, "command: apply\nexpect: ${{ inputs.expect || 'reviewed' }}")}
        ${token}
`;
}

const checks = {
  drift: "- cron: '17 2 * * *'",
  status: "# Weekday mornings in UTC, after your deliveries.\n- cron: '47 6 * * 1-5'",
} as const;

/**
 * Looks at Omni and changes nothing there: every night for what others changed, or on weekday mornings for deliveries that
 * failed. Each keeps an issue of its own.
 */
function checkWorkflow(shape: CiShape, name: string, check: keyof typeof checks): string {
  const target = targetOfMatrix(shape);
  return text`
name: ${titleOf(name)}
on:
  schedule:
    ${checks[check]}
  workflow_dispatch:
permissions:
  contents: read
  issues: write
concurrency:
  group: ${name}
  cancel-in-progress: false
jobs:
  ${check}:
    ${matrixOf(shape, check)}
    if: \${{ github.event_name == 'schedule' || github.ref_name == github.event.repository.default_branch }}
    runs-on: ubuntu-latest
    timeout-minutes: 30
    environment: ${target.protectedBy}
    ${pinned(shape, target)}
    steps:
      ${checkout()}
      ${install(shape)}
      ${almanac(shape, target, `command: ${check}\nissue: true`)}
        ${token}
`;
}

/** The organization that a job works for. */
interface Target {
  /** As --env takes it; undefined if almanac.yaml has no environments. */
  readonly environment?: string;
  /** The environment of the repository that holds the secrets. */
  readonly protectedBy: string;
  readonly baseUrl: string;
}

const onlyTarget: Target = { protectedBy: 'production', baseUrl: '${{ vars.OMNI_BASE_URL }}' };

const matrixTarget: Target = {
  environment: '${{ matrix.environment }}',
  protectedBy: '${{ matrix.environment }}',
  baseUrl: '${{ matrix.base-url }}',
};

/** The organization of a job whose matrix is `matrixOf`. */
function targetOfMatrix({ environments }: CiShape): Target {
  return environments.length === 0 ? onlyTarget : matrixTarget;
}

function targetOf(environment: string): Target {
  return { environment, protectedBy: environment, baseUrl: `\${{ vars.${baseUrlVariableOf(environment)} }}` };
}

/** The variable of the repository that pins the base URL of an environment. */
export function baseUrlVariableOf(environment: string): string {
  return `OMNI_BASE_URL_${environment.toUpperCase().replaceAll('-', '_')}`;
}

/** A job for each environment, named so that a required check can name it. */
function matrixOf({ environments }: CiShape, job: string): string {
  if (environments.length === 0) return '';
  const each = environments.map(
    (environment) => text`
- environment: ${environment}
  base-url: ${targetOf(environment).baseUrl}
`,
  );
  return text`
name: ${job} \${{ matrix.environment }}
strategy:
  fail-fast: false
  matrix:
    include:
      ${each.join('')}
`;
}

/** Where a job works, whatever almanac.yaml says: the organization, and the branch of the state. */
function pinned({ folder }: CiShape, { baseUrl, environment }: Target): string {
  return text`
env:
  # A variable of the repository: no pull request can change it, or send the token elsewhere.
  OMNI_BASE_URL: ${baseUrl}
  # As in almanac.yaml: a change of that file alone cannot move the state.
  ALMANAC_STATE_PLACE: ${statePlaceOf(folder, environment)}
`;
}

/** Keeps the credential of the job in the checkout: Almanac reads and writes the branch of the state with it. */
function checkout(inputs = ''): string {
  return text`
- uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
  with:
    ${inputs}
    persist-credentials: true
`;
}

/** Node and Almanac. No package of the repository runs a script of its own. */
function install({ packageFolder }: CiShape): string {
  return text`
- uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
  with:
    node-version: 22
- run: npm ci --ignore-scripts
  ${workingDirectory(packageFolder)}
`;
}

/** A step that runs the action. It comes with the package, so that it has the version of the program. */
function almanac({ folder, packageFolder, packageName }: CiShape, { environment }: Target, inputs: string): string {
  const root = packageFolder === '' ? '.' : `./${packageFolder}`;
  return text`
- uses: ${root}/node_modules/${packageName}/.github/actions/almanac
  with:
    ${inputs}
    ${workingDirectory(folder)}
    ${environment !== undefined && `environment: ${environment}`}
`;
}

/** For a step that sends requests. */
const token = 'env:\n  OMNI_API_TOKEN: ${{ secrets.OMNI_API_TOKEN }}';

/** `almanac plan` of `almanac-plan`. */
function titleOf(name: string): string {
  return name.replaceAll('-', ' ');
}

/** A workspace in a folder of its own has nothing to do with what changes elsewhere. */
function pathFilter({ folder }: CiShape): string {
  return folder === '' ? '' : `paths: ['${folder}/**']`;
}

function workingDirectory(folder: string): string {
  return folder === '' ? '' : `working-directory: ${folder}`;
}
