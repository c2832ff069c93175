// The files with which a CI system plans and applies a workspace. Every pull request shows the planned changes, one job
// at a time applies them on the default branch, and two more look at Omni. The text of GitHub's jobs is in the folder
// github; docs/ci-github.md shows the same text for one workspace at the root.

import { shellWord } from '../../../model/values/words.ts';
import { inBrackets, printString } from '../../../yaml/format/print-string.ts';
import { type CiShape, folderWord, pathsAround, statePlaceOf } from './ci-shape.ts';
import applyTemplate from './github/apply.yml?raw';
import checkTemplate from './github/check.yml?raw';
import planTemplate from './github/plan.yml?raw';
import forkTemplate from './github/plan-fork.yml?raw';
import applyPipelineTemplate from './gitlab/apply.yml?raw';
import pipelineTemplate from './gitlab/pipeline.yml?raw';
import startTemplate from './gitlab/start-apply.yml?raw';

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

// Fills the placeholders of a template, such as `<folder>`, for a workspace.

/** Lists each text on its own line: the name of a folder may be long. */
export function listOf(key: string, texts: readonly string[]): string {
  return [`${key}:`, ...texts.map((text) => `  - ${printString(text, inBrackets)}`)].join('\n');
}

/**
 * A line is left out if it has a placeholder without a value. Further lines of a value are indented like the line that
 * it is in.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template
    .split('\n')
    .flatMap((line) => {
      const named = [...line.matchAll(/<([a-z-]+)>/g)].map(([, name = '']) => name);
      const unknown = named.find((name) => !Object.hasOwn(values, name));
      if (unknown !== undefined) throw new Error(`The template has an unknown placeholder, ${unknown}.`);
      if (named.some((name) => values[name] === undefined)) return [];
      const indent = /^ */.exec(line)?.[0] ?? '';
      const filled = line.replaceAll(/<([a-z-]+)>/g, (_, name: string) => values[name] ?? '');
      return [filled.replaceAll(/\n(?=.)/g, `\n${indent}`)];
    })
    .join('\n');
}

// The pipeline of GitLab, whose text is in the folder gitlab. The plan of a merge request is a note on it. On the
// default branch the plan is saved, and a person who has read it starts a child pipeline: GitLab then lets no other one
// begin until it has ended. The scripts of .gitlab, which come with the package, do the jobs' work. docs/ci-gitlab.md
// shows the same text.

/**
 * Keyed by path from the root of the repository. The pipeline of the root includes the first of the two if that is in a
 * folder, or beside another one.
 */
export function gitlabFiles(shape: CiShape): Readonly<Record<string, string>> {
  const { environments } = shape;
  const values = placeholderValues(shape);
  const starts = (environments.length === 0 ? [undefined] : environments).map((environment) =>
    fillTemplate(startTemplate, { ...values, ...applyJobOf(values.suffix, environment) }),
  );
  return {
    [values.pipeline]: fillTemplate(pipelineTemplate, {
      ...values,
      applies: starts.join('\n').trimEnd(),
    }),
    [values['apply-pipeline']]: fillTemplate(applyPipelineTemplate, values),
  };
}

/**
 * The values of the templates' placeholders. Two lines of them need a reason. The commit is fetched by its full name,
 * because more may have been merged since the pipeline began, and git would prefer a tag to a short name.
 * `NODE_USE_ENV_PROXY` and `NODE_EXTRA_CA_CERTS` let Node reach GitLab through the proxy of HTTPS_PROXY, with the
 * certificate authority of the runner.
 */
function placeholderValues({ folder, packageFolder, packageName, environments, isBeside = false }: CiShape) {
  const hasOne = environments.length === 0;
  const ofFolder = folder === '' ? '' : `-${folder.replaceAll(/[^\p{L}\p{N}_]+/gu, '-')}`;
  const inPackage = packageFolder === '' ? '' : ` --prefix ${shellWord(packageFolder)}`;
  return {
    below: below(folder),
    folder: folder === '' ? undefined : printString(folder, inBrackets),
    pipeline: `${below(folder)}.gitlab-ci${isBeside ? '-almanac' : ''}.yml`,
    'apply-pipeline': `${below(folder)}.gitlab-ci${isBeside ? '-almanac' : ''}-apply.yml`,
    // The jobs of one of several workspaces share the pipeline of the repository with others, and GitLab merges jobs of
    // one name.
    suffix: `${ofFolder}${isBeside ? '-almanac' : ''}`,
    group: `almanac${ofFolder}`,
    variables:
      folder === '' ? undefined : `variables:\n  ALMANAC_WORKING_DIRECTORY: ${printString(folder, inBrackets)}`,
    changes: folder === '' ? undefined : listOf('changes', [`${folder}/**/*`, ...pathsAround(packageFolder)]),
    install: `npm ci --ignore-scripts${inPackage}`,
    almanac: `npx${inPackage} --no -- almanac${folder === '' ? '' : ` -C ${shellWord(folder)}`}`,
    program: shellWord(`${below(packageFolder)}node_modules/${packageName}/dist/cli.cjs`),
    state: statePlaceOf(folder, hasOne ? undefined : '$ALMANAC_ENVIRONMENT'),
    'protected-by': hasOne ? 'production' : '$ALMANAC_ENVIRONMENT',
    'in-environment': hasOne ? '' : ' --env "$ALMANAC_ENVIRONMENT"',
    matrix: hasOne ? undefined : `parallel:\n  matrix:\n    - ALMANAC_ENVIRONMENT: [${environments.join(', ')}]`,
  };
}

function applyJobOf(suffix: string, environment: string | undefined) {
  return environment === undefined
    ? { job: `apply${suffix}`, environment, 'protected-by': 'production', 'plan-job': `plan${suffix}` }
    : {
        job: `apply-${environment}${suffix}`,
        environment,
        'protected-by': environment,
        'plan-job': `"plan${suffix}: [${environment}]"`,
      };
}

function below(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
