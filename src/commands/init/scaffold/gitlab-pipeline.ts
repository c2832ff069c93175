// The pipeline of GitLab, whose text is in the folder gitlab. The plan of a merge request is a note on it. On the
// default branch the plan is saved, and a person who has read it starts a child pipeline: GitLab then lets no other one
// begin until it has ended. The scripts of .gitlab, which come with the package, do the jobs' work. docs/ci-gitlab.md
// shows the same text.

import { shellWord } from '../../../model/values/words.ts';
import { inBrackets, printString } from '../../../yaml/format/print-string.ts';
import { type CiShape, pathsAround, statePlaceOf } from './ci-shape.ts';
import { fillTemplate, listOf } from './fill-template.ts';
import applyTemplate from './gitlab/apply.yml?raw';
import pipelineTemplate from './gitlab/pipeline.yml?raw';
import startTemplate from './gitlab/start-apply.yml?raw';

/**
 * Keyed by path from the root of the repository. The pipeline of the root includes the first of the two if that is in a
 * folder, or beside another one.
 */
export function gitlabFiles(shape: CiShape): Readonly<Record<string, string>> {
  const { environments } = shape;
  const values = valuesOf(shape);
  const starts = (environments.length === 0 ? [undefined] : environments).map((environment) =>
    fillTemplate(startTemplate, { ...values, ...applyJobOf(values.suffix, environment) }),
  );
  return {
    [values.pipeline]: fillTemplate(pipelineTemplate, {
      ...values,
      applies: starts.join('\n').trimEnd(),
    }),
    [values['apply-pipeline']]: fillTemplate(applyTemplate, values),
  };
}

/**
 * The values of the templates' placeholders. Two lines of them need a reason. The commit is fetched by its full name,
 * because more may have been merged since the pipeline began, and git would prefer a tag to a short name.
 * `NODE_USE_ENV_PROXY` and `NODE_EXTRA_CA_CERTS` let Node reach GitLab through the proxy of HTTPS_PROXY, with the
 * certificate authority of the runner.
 */
function valuesOf({ folder, packageFolder, packageName, environments, isBeside = false }: CiShape) {
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
