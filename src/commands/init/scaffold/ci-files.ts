// The files with which a CI system plans and applies a workspace. Every pull request shows the planned changes, one job
// at a time applies them on the default branch, and two more look at Omni. The text of GitHub's jobs is in the folder
// github; docs/ci-github.md shows the same text for one workspace at the root.

import { inBrackets, printString } from '../../../yaml/format/print-string.ts';
import { type CiShape, folderWord, pathsAround, statePlaceOf } from './ci-shape.ts';
import { fillTemplate, listOf } from './fill-template.ts';
import applyTemplate from './github/apply.yml?raw';
import checkTemplate from './github/check.yml?raw';
import planTemplate from './github/plan.yml?raw';
import forkTemplate from './github/plan-fork.yml?raw';
import { gitlabFiles } from './gitlab-pipeline.ts';

export type CiSystem = 'github' | 'gitlab';

/** Keyed by path from the root of the repository. */
export function ciFiles(system: CiSystem, shape: CiShape): Readonly<Record<string, string>> {
  return system === 'gitlab' ? gitlabFiles(shape) : githubWorkflows(shape);
}

const ofMatrix = {
  environment: '${{ matrix.environment }}',
  'protected-by': '${{ matrix.environment }}',
  'base-url': '${{ matrix.base-url }}',
};
const ofOne = { environment: undefined, 'protected-by': 'production', 'base-url': '${{ vars.OMNI_BASE_URL }}' };

/** Keyed by path from the root of the repository. The name of each workflow is that of its file. */
export function githubWorkflows(shape: CiShape): Readonly<Record<string, string>> {
  const { environments, folder } = shape;
  const named = ['almanac', ...(folder === '' ? [] : [folderWord(folder)])].join('-');
  const written = (name: string, template: string, target: CiTarget, more: PlaceholderValues = {}) => [
    `.github/workflows/${name}.yml`,
    fillTemplate(template, {
      ...valuesOf(shape, name),
      ...target,
      state: statePlaceOf(folder, target.environment),
      ...more,
    }),
  ];
  const hasOne = environments.length === 0;
  const target = hasOne ? ofOne : ofMatrix;
  const matrix = (job: string) => ({ matrix: hasOne ? undefined : matrixOf(environments, job) });
  const check = (name: string, cron: string) =>
    written(`${named}-${name}`, checkTemplate, target, { check: name, cron, ...matrix(name) });
  return Object.fromEntries([
    written(`${named}-plan`, planTemplate, target, matrix('plan')),
    written(`${named}-plan-fork`, forkTemplate, target, { 'plan-title': titleOf(`${named}-plan`), ...matrix('plan') }),
    ...(hasOne
      ? [written(`${named}-apply`, applyTemplate, ofOne)]
      : environments.map((each) => written(`${named}-apply-${each}`, applyTemplate, targetOf(each)))),
    check('drift', '- cron: "17 2 * * *"'),
    check('status', '# Weekday mornings in UTC, after your deliveries.\n- cron: "47 6 * * 1-5"'),
  ]);
}

type PlaceholderValues = Readonly<Record<string, string | undefined>>;

function valuesOf(
  { folder, packageFolder, packageName, branch, secrets = [] }: CiShape,
  name: string,
): PlaceholderValues {
  return {
    name,
    title: titleOf(name),
    folder: folder === '' ? undefined : printString(folder, inBrackets),
    paths: folder === '' ? undefined : listOf('paths', [`${folder}/**`, ...pathsAround(packageFolder)]),
    'package-folder': packageFolder || undefined,
    secrets: secrets.map((each) => `${each}: \${{ secrets.${each} }}`).join('\n') || undefined,
    branch: printString(branch ?? 'main', inBrackets),
    // The action comes with the package, so that it has the version of the program.
    action: `./${packageFolder === '' ? '' : `${packageFolder}/`}node_modules/${packageName}/.github/actions/almanac`,
    checkout: 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2',
    'setup-node': 'actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0',
  };
}

interface CiTarget extends PlaceholderValues {
  /** The name as --env takes it; undefined if almanac.yaml has no environments. */
  readonly environment: string | undefined;
  /** The environment of the repository that holds the secrets. */
  readonly 'protected-by': string;
  readonly 'base-url': string;
}

function targetOf(environment: string): CiTarget {
  return { environment, 'protected-by': environment, 'base-url': `\${{ vars.${baseUrlVariableOf(environment)} }}` };
}

/** The variable of the repository that pins the base URL of an environment. */
export function baseUrlVariableOf(environment: string): string {
  return `OMNI_BASE_URL_${environment.toUpperCase().replaceAll('-', '_')}`;
}

/** A job for each environment, named so that a required check can name it. */
function matrixOf(environments: readonly string[], job: string): string {
  const each = environments.map((environment) => {
    const { 'base-url': baseUrl } = targetOf(environment);
    return `\n      - environment: ${environment}\n        base-url: ${baseUrl}`;
  });
  return `name: ${job} \${{ matrix.environment }}\nstrategy:\n  fail-fast: false\n  matrix:\n    include:${each.join('')}`;
}

/** `almanac plan` of `almanac-plan`. */
function titleOf(name: string): string {
  return name.replaceAll('-', ' ');
}
