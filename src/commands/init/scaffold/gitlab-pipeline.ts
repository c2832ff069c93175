// The pipeline of GitLab. The plan of a merge request is a note on it. On the default branch the plan is saved, and a
// person who has looked at it starts a child pipeline: GitLab then lets no other one begin until it has ended. What the
// jobs do is in the scripts of .gitlab, which come with the package. docs/ci-gitlab.md shows the same text.

import { shellWord } from '../../../model/values/words.ts';
import { type CiShape, statePlaceOf } from './ci-shape.ts';
import { text } from './workspace-files.ts';

const pipelineFile = '.gitlab-ci.yml';
const applyFile = '.gitlab-ci-apply.yml';
const onMergeRequest = '$CI_PIPELINE_SOURCE == "merge_request_event"';
const ofDefaultBranch = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
/** `web` is a pipeline that a person starts: the way out when a saved plan is too old. */
const onDefaultBranch = `${ofDefaultBranch} && $CI_PIPELINE_SOURCE =~ /^(push|web)$/`;
/** Another branch may declare something else, and would rewrite the issue of this one. */
const onSchedule = `${ofDefaultBranch} && $CI_PIPELINE_SOURCE == "schedule"`;
/** GitLab 17.8 and later say which schedule it is; before that, each runs both checks. */
const notInTheMorning = '$CI_PIPELINE_SCHEDULE_DESCRIPTION !~ /morning/i';

/** By path, from the root of the repository. Below it, the pipeline of the root includes the first of the two. */
export function gitlabFiles(shape: CiShape): Readonly<Record<string, string>> {
  return {
    [below(shape.folder, pipelineFile)]: pipeline(shape),
    [below(shape.folder, applyFile)]: applyPipeline(shape),
  };
}

function pipeline(shape: CiShape): string {
  const { folder, environments } = shape;
  const base = named('.almanac', shape);
  const almanac = programOf(shape);
  const inEnvironment = environments.length === 0 ? '' : ' --env "$ALMANAC_ENVIRONMENT"';
  const applies = (environments.length === 0 ? [undefined] : environments).map((each) => startApply(shape, each));
  return text`
${base}:
  image: node:22
  ${folder !== '' && 'variables:'}
    ${workingDirectory(shape)}
  before_script:
    ${network}
    - ${install(shape)}

${named('validate', shape)}:
  extends: ${base}
  script:
    - ${almanac} fmt --check
    - ${almanac} validate --report gitlab=code-quality.json --report junit=findings.xml
  artifacts:
    when: always
    reports:
      codequality: ${below(folder, 'code-quality.json')}
      junit: ${below(folder, 'findings.xml')}
  ${rules(shape, onMergeRequest, onDefaultBranch)}

# The plan as a note on the merge request. It sends no request to Omni, and has no secret of production.
${named('review', shape)}:
  extends: ${base}
  ${matrix(shape)}
  ${pinnedPlace(shape)}
  script:
    - ${script(shape, 'review')}
  artifacts:
    when: always
    ${planFiles(folder, 'plan.html')}
  ${rules(shape, onMergeRequest)}

# The plan that is applied. It is made with the secrets of production, so that it contains those that were rotated.
${named('plan', shape)}:
  extends: ${base}
  ${matrix(shape)}
  ${pinnedPlace(shape)}
  environment: { name: ${environmentName(shape)}, action: prepare }
  before_script:
    ${checkoutTip}
    ${network}
    - ${install(shape)}
  script:
    - ${almanac} plan${inEnvironment} -v --out almanac.plan.json --report gitlab=widget.json --report html=plan.html
  artifacts:
    ${planFiles(folder, 'almanac.plan.json', 'plan.html')}
  ${rules(shape, onDefaultBranch)}

${applies.join('\n')}

# Compares with what was applied, in every pipeline schedule but those with "morning" in their description.
${check(shape, 'drift', `${onSchedule} && ${notInTheMorning}`)}

# Says which deliveries failed, in every pipeline schedule. It takes one request for every hundred schedules.
${check(shape, 'status', onSchedule)}
`;
}

/** A job that looks at Omni and changes nothing there. */
function check(shape: CiShape, name: string, condition: string): string {
  return text`
${named(name, shape)}:
  extends: ${named('.almanac', shape)}
  ${matrix(shape)}
  ${pinnedPlace(shape)}
  environment: { name: ${environmentName(shape)}, action: prepare }
  script:
    - ${script(shape, 'check', name)}
  rules:
    - if: ${condition}
`;
}

function startApply(shape: CiShape, environment: string | undefined): string {
  const job = named('plan', shape);
  return text`
# A person who has looked at the plan starts it. No other apply begins until it has ended.
${named(environment === undefined ? 'apply' : `apply-${environment}`, shape)}:
  stage: deploy
  resource_group: ${named('almanac', shape)}-${environment ?? 'production'}
  trigger:
    include: ${below(shape.folder, applyFile)}
    strategy: depend
  variables:
    PLAN_PIPELINE: $CI_PIPELINE_ID
    PLAN_JOB: ${environment === undefined ? job : `"${job}: [${environment}]"`}
    ${environment !== undefined && `ALMANAC_ENVIRONMENT: ${environment}`}
    ${workingDirectory(shape)}
  ${rules(shape, onDefaultBranch)}
      when: manual
`;
}

function applyPipeline(shape: CiShape): string {
  return text`
# The apply of a saved plan, which ${pipelineFile} starts.
stages: [apply]

default:
  image: node:22
  interruptible: false
  before_script:
    ${checkoutTip}
    ${network}
    - ${install(shape)}

apply:
  stage: apply
  environment: ${environmentName(shape)}
  needs:
    - pipeline: $PLAN_PIPELINE
      job: $PLAN_JOB
  timeout: 1 hour
  ${pinnedPlace(shape)}
  script:
    - ${script(shape, 'apply')}
  rules:
    - if: ${ofDefaultBranch}
`;
}

/** As in almanac.yaml: a change of that file alone cannot move the state. */
function pinnedPlace({ folder, environments }: CiShape): string {
  const environment = environments.length === 0 ? undefined : '$ALMANAC_ENVIRONMENT';
  return `variables:\n  ALMANAC_STATE_PLACE: ${statePlaceOf(folder, environment)}`;
}

/**
 * How Node reaches GitLab from a network of its own: through the proxy of HTTPS_PROXY, and with the certificate authority that
 * the runner knows.
 */
const network = '- export NODE_USE_ENV_PROXY=1 NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-$CI_SERVER_TLS_CA_FILE}"';

/** More may have been merged since this pipeline began. With a short name, git would prefer a tag. */
const checkoutTip = '- git fetch origin "refs/heads/$CI_DEFAULT_BRANCH"\n- git checkout -B tip FETCH_HEAD';

function install({ packageFolder }: CiShape): string {
  return `npm ci --ignore-scripts${packageFolder === '' ? '' : ` --prefix ${shellWord(packageFolder)}`}`;
}

function programOf({ packageFolder, folder }: CiShape): string {
  const npx = packageFolder === '' ? 'npx' : `npx --prefix ${shellWord(packageFolder)}`;
  return `${npx} --no -- almanac${folder === '' ? '' : ` -C ${shellWord(folder)}`}`;
}

/** With its argument, if it takes one. */
function script({ packageFolder, packageName }: CiShape, name: string, argument?: string): string {
  const file = shellWord(below(packageFolder, `node_modules/${packageName}/.gitlab/${name}.mjs`));
  return `node ${file}${argument === undefined ? '' : ` ${argument}`}`;
}

/** Where the scripts find the workspace. */
function workingDirectory({ folder }: CiShape): string {
  return folder === '' ? '' : `ALMANAC_WORKING_DIRECTORY: ${folder}`;
}

function matrix({ environments }: CiShape): string {
  if (environments.length === 0) return '';
  return `parallel:\n  matrix:\n    - ALMANAC_ENVIRONMENT: [${environments.join(', ')}]`;
}

function environmentName({ environments }: CiShape): string {
  return environments.length === 0 ? 'production' : '$ALMANAC_ENVIRONMENT';
}

/** A plan holds recipients and texts. */
function planFiles(folder: string, ...names: readonly string[]): string {
  return text`
access: developer
paths: [${names.map((name) => below(folder, name)).join(', ')}]
reports:
  terraform: ${below(folder, 'widget.json')}
`;
}

function rules({ folder, packageFolder }: CiShape, ...conditions: readonly string[]): string {
  const lock = below(packageFolder, 'package-lock.json');
  const changes = folder === '' ? '' : `\n    changes: [${folder}/**/*, ${lock}]`;
  return `rules:${conditions.map((condition) => `\n  - if: ${condition}${changes}`).join('')}`;
}

/** One of several workspaces: its jobs share the pipeline of the repository with others. */
function named(name: string, { folder }: CiShape): string {
  return folder === '' ? name : `${name}-${folder.replaceAll(/[^\p{L}\p{N}_]+/gu, '-')}`;
}

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
