// What the GitHub workflows are made of: the steps that every job begins with, the steps that run the action, and what a
// job says of the organization that it works for. Lines without their indentation, which the workflow adds.

import type { CiShape } from './ci-shape.ts';
import { statePlaceOf } from './state-branch.ts';

export type Lines = readonly string[];

/** The organization that a job works for. */
export interface Target {
  /** As --env takes it; undefined if almanac.yaml has no environments. */
  readonly environment?: string;
  /** The environment of the repository that holds the secrets. */
  readonly protectedBy: string;
  readonly baseUrl: string;
}

export const onlyTarget: Target = { protectedBy: 'production', baseUrl: '${{ vars.OMNI_BASE_URL }}' };

const matrixTarget: Target = {
  environment: '${{ matrix.environment }}',
  protectedBy: '${{ matrix.environment }}',
  baseUrl: '${{ matrix.base-url }}',
};

/** The organization of a job whose matrix is `matrixOf`. */
export function targetOfMatrix({ environments }: CiShape): Target {
  return environments.length === 0 ? onlyTarget : matrixTarget;
}

export function targetOf(environment: string): Target {
  return { environment, protectedBy: environment, baseUrl: `\${{ vars.${baseUrlVariableOf(environment)} }}` };
}

/** The variable of the repository that pins the base URL of an environment. */
export function baseUrlVariableOf(environment: string): string {
  return `OMNI_BASE_URL_${environment.toUpperCase().replaceAll('-', '_')}`;
}

/** A job for each environment, named so that a required check can name it. */
export function matrixOf({ environments }: CiShape, job: string): Lines {
  if (environments.length === 0) return [];
  return [
    `name: ${job} \${{ matrix.environment }}`,
    'strategy:',
    '  fail-fast: false',
    '  matrix:',
    '    include:',
    ...environments.flatMap((environment) => [
      `      - environment: ${environment}`,
      `        base-url: ${targetOf(environment).baseUrl}`,
    ]),
  ];
}

/** Where a job works, whatever almanac.yaml says: the organization, and the branch of the state. */
export function pinned({ folder }: CiShape, { baseUrl, environment }: Target): Lines {
  return [
    'env:',
    '  # A variable of the repository: no pull request can change it, or send the token elsewhere.',
    `  OMNI_BASE_URL: ${baseUrl}`,
    '  # As in almanac.yaml: a change of that file alone cannot move the state.',
    `  ALMANAC_STATE_PLACE: ${statePlaceOf(folder, environment)}`,
  ];
}

/** Keeps the credential of the job in the checkout: Almanac reads and writes the branch of the state with it. */
export function checkout(inputs: Readonly<Record<string, string | number | boolean>> = {}): Lines {
  return [
    '- uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2',
    ...inputLines({ ...inputs, 'persist-credentials': true }),
  ];
}

/** Node and Almanac. No package of the repository runs a script of its own. */
export function install({ packageFolder }: CiShape): Lines {
  return [
    '- uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0',
    '  with:',
    '    node-version: 22',
    '- run: npm ci --ignore-scripts',
    ...workingDirectory(packageFolder),
  ];
}

/** A step that runs a script in the folder of the workspace. */
export function script(command: string, { folder }: CiShape): Lines {
  return [`- run: ${command}`, ...workingDirectory(folder)];
}

interface ActionStep {
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
  readonly hasToken?: boolean;
}

/** A step that runs the action. It comes with the package, so that it has the version of the program. */
export function almanac(shape: CiShape, { environment }: Target, step: ActionStep): Lines {
  const { inputs, hasToken = false } = step;
  const { folder } = shape;
  const root = shape.packageFolder === '' ? '.' : `./${shape.packageFolder}`;
  const uses = `uses: ${root}/node_modules/${shape.packageName}/.github/actions/almanac`;
  return [
    `- ${uses}`,
    ...inputLines({ ...inputs, 'working-directory': folder || undefined, environment }),
    ...(hasToken ? ['  env:', '    OMNI_API_TOKEN: ${{ secrets.OMNI_API_TOKEN }}'] : []),
  ];
}

/** `almanac plan` of `almanac-plan`. */
export function titleOf(name: string): string {
  return name.replaceAll('-', ' ');
}

/** A workspace in a folder of its own has nothing to do with what changes elsewhere. */
export function pathFilter({ folder }: CiShape): Lines {
  return folder === '' ? [] : [`paths: ['${folder}/**']`];
}

export function indented(levels: number, lines: Lines): Lines {
  return lines.map((line) => (line === '' ? line : `${'  '.repeat(levels)}${line}`));
}

function inputLines(inputs: Readonly<Record<string, string | number | boolean | undefined>>): Lines {
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined);
  return ['  with:', ...given.map(([name, value]) => `    ${name}: ${value}`)];
}

function workingDirectory(folder: string): Lines {
  return folder === '' ? [] : [`  working-directory: ${folder}`];
}
