// The steps after `almanac init`, in the order in which people do them.

import type { Config } from '../../../model/workspace/config.ts';
import { placeName, usualFile } from '../../../model/workspace/state-place.ts';
import { wrap } from '../../../report/text/terminal-text.ts';
import { isExecutable, packageName, version } from '../../../version.ts';
import { baseUrlVariableOf, type CiSystem } from './ci-files.ts';
import { stateBranchOf, statePlaceOf, stateRemote } from './ci-shape.ts';
import { type Choices, configFile, firstKey, sourceFile, stateFilesOf } from './workspace-files.ts';

/** The facts about the surroundings of the jobs that decide what people must do. */
export interface JobSurroundings {
  /** The branch that the apply names, if it is not known to be the default one. */
  readonly guessedBranch: string | undefined;
  /** The pipeline that the one at the root of the repository must include, from that root. */
  readonly includedPipeline: string | undefined;
}

export interface Surroundings extends JobSurroundings {
  /** The workspace, from the current folder; '' if it is the same. */
  readonly folder: string;
  /** The workspace, from the root of the repository; '' for the root. */
  readonly fromRoot: string;
  readonly isRepository: boolean;
  /** True if the repository has the remote in which a branch can keep the state. */
  readonly hasRemote: boolean;
  readonly isInstalled: boolean;
  /** True if npx started this run, so that `almanac` alone is not on the PATH. */
  readonly isThroughNpx: boolean;
}

const width = 80;

/** A step in words, followed by the commands to copy. */
type NextStep = readonly [words: string, ...commands: readonly string[]];

export function nextSteps(choices: Choices, around: Surroundings): string {
  return numbered([...stepsHere(choices, around), ...stepsOfRepository(choices, around), commitStep(choices, around)]);
}

export function stepsOfJobs(ci: CiSystem, configs: readonly Config[], around: Surroundings): string {
  const environments = configs.flatMap(({ environment }) => environment ?? []);
  return numbered([
    ...configs.map((config) => stateStep(config, around)),
    ...stepsOfRepository({ environments, ci, backend: 'git' }, around),
    ['Commit all of it.'],
  ]);
}

/** The jobs pin the place of the state, so they refuse to run with another one. */
function stateStep({ state, environment }: Config, around: Surroundings): NextStep | false {
  const { folder, fromRoot } = around;
  const pinned = statePlaceOf(fromRoot, environment);
  const place = placeName(state);
  const of = environment === undefined ? '' : ` of the environment ${environment}`;
  if (place === pinned) return false;
  if (state.backend !== 'local')
    return [
      `The jobs expect the state${of} in ${pinned}. In each of them, set ALMANAC_STATE_PLACE to ${place}. The documentation (ci) has what else differs for S3 and PostgreSQL.`,
    ];
  const branch = stateBranchOf(fromRoot, environment);
  const migrate = state.path === usualFile(environment) ? 'state migrate' : `--state ${state.path} state migrate`;
  return [
    `The jobs expect the state${of} in a branch. Write this into ${below(folder, configFile)}, in place of the state that it names, and move the state if there is one already:`,
    branch === 'almanac-state' ? 'state: { backend: git }' : `state: { backend: git, branch: ${branch} }`,
    commandLine(migrate, around, environment),
  ];
}

function numbered(given: readonly (NextStep | false)[]): string {
  const steps = given.filter((each) => each !== false);
  const lines = steps.flatMap(([words, ...commands], index) => {
    const number = `  ${index + 1}. `;
    const indent = ' '.repeat(5);
    const [first = '', ...rest] = wrap(words, width - number.length);
    return [`${number}${first}`, ...[...rest, ...commands].map((line) => `${indent}${line}`)];
  });
  return `Next:\n${lines.join('\n')}\n`;
}

/** The steps from the new files to the first apply. */
function stepsHere(choices: Choices, around: Surroundings): readonly (NextStep | false)[] {
  const { folder, hasRemote } = around;
  const { baseUrl, environments, internalDomains, destinations, backend } = choices;
  const command = (words: string) => commandLine(words, around, environments[0]);
  const hasOne = environments.length === 0;
  const look: NextStep = [
    'Look at it, as often as you like (neither asks Omni):',
    command('validate'),
    command('plan'),
  ];
  const address = hasOne ? 'address of your organization' : 'address of each environment';
  const remote = `${into(folder)}git remote add ${stateRemote} URL`;
  const before: readonly (NextStep | false)[] = [
    (!hasOne || baseUrl === undefined) && [`Write the ${address} into ${below(folder, configFile)}.`],
    environments.length > 1 && [
      `Say in ${below(folder, configFile)} where ${environments.slice(1).join(', ')} delivers, before anything is applied there: take \`# deliver\` in.`,
    ],
    backend === 'git' && !hasRemote && ['Add the remote of which a branch keeps the state:', remote],
  ];
  if (destinations.length > 0)
    return [
      ...before,
      [`Make ${below(folder, sourceFile)} your own: identifier, name and where it goes.`],
      look,
      ['See when it runs:', command(`next schedules.${firstKey(destinations)}`)],
      ['Set OMNI_API_TOKEN to an API key and apply:', command('apply')],
    ];
  return [
    ...before,
    internalDomains.length === 0 && [
      `Name your own domains in ${below(folder, configFile)}. Of reports that stay inside, the import then leaves filters to their dashboards:`,
      'safety: { internalDomains: [acme.com] }',
    ],
    [
      'Set OMNI_API_TOKEN to an API key and declare what is in Omni:',
      command(hasOne ? 'import --write-state' : 'import'),
    ],
    look,
    !hasOne && ['Record what was imported (this sends no change):', command('apply')],
  ];
}

function commandLine(words: string, { folder, isThroughNpx }: Surroundings, environment: string | undefined): string {
  const chosen = environment === undefined ? '' : ` --env ${environment}`;
  return `${into(folder)}${isThroughNpx ? 'npx --no -- ' : ''}almanac ${words}${chosen}`;
}

function into(folder: string): string {
  return folder === '' ? '' : `cd ${/\s/.test(folder) ? `'${folder}'` : folder} && `;
}

/** The steps that make it work for others, and in CI. */
function stepsOfRepository(
  { environments, ci, backend }: Pick<Choices, 'environments' | 'ci' | 'backend'>,
  { folder, fromRoot, isRepository, isInstalled, guessedBranch, includedPipeline }: Surroundings,
): readonly (NextStep | false)[] {
  const hasOne = environments.length === 0;
  const variables = hasOne ? 'variable OMNI_BASE_URL' : `variables ${environments.map(baseUrlVariableOf).join(', ')}`;
  const protectedBy = hasOne ? 'its environment production' : `each of its environments ${environments.join(', ')}`;
  return [
    !isInstalled && installStep(ci),
    ci === 'github' && [
      `Give the repository the ${variables}, and ${protectedBy} the secrets OMNI_API_TOKEN and STATE_DEPLOY_KEY. Let only that deploy key write the branch of the state: the documentation (state-backends) has the ruleset.`,
    ],
    ci === 'gitlab' && [
      'Set the variables OMNI_BASE_URL, OMNI_API_TOKEN, STATE_PUSH_TOKEN and ALMANAC_NOTE_TOKEN of the project. Mask the tokens, and protect all but the last. Let only the user of STATE_PUSH_TOKEN push to the branch of the state: the documentation (state-backends) says how.',
    ],
    // An edited state hides changes from a plan.
    ci === 'none' &&
      backend === 'git' && [
        'Whoever may push to the repository can edit the state. The documentation (state-backends) shows how to let only a deploy key write it.',
      ],
    guessedBranch !== undefined && [
      `Nothing here says what the default branch is called, so the apply starts on pushes to ${guessedBranch}. If that is another branch, write its name into \`branches\` of the workflow that applies.`,
    ],
    includedPipeline !== undefined && [
      'Let the .gitlab-ci.yml at the root of the repository include the jobs. If it has `include:`, add the second line there; if it lists its `stages`, it must list test and deploy:',
      'include:',
      `  - local: ${includedPipeline}`,
    ],
    ci !== 'none' &&
      !isRepository && [
        `The jobs belong at the root of a repository: run git init ${folder === '' ? 'here' : `in ${folder}`}.`,
      ],
    // Whoever may change that table decides who sees whose rows.
    ci !== 'none' && [
      `Where customers receive reports, a table can say whose rows are whose (the documentation, receivers). Let its owner review it, by a line in ${ci === 'github' ? '.github/CODEOWNERS' : 'CODEOWNERS'}:`,
      // A blank would end the pattern.
      `/${below(fromRoot, 'tenants.csv').replaceAll(' ', '\\ ')} @OWNER`,
    ],
  ];
}

function installStep(ci: Choices['ci']): NextStep {
  const packed = `${packageName.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
  const install = `npm install --save-dev ./${packed}`;
  if (!isExecutable)
    return [
      `Let package.json install ${packageName} from a registry that holds it; without one, from an archive in the repository:`,
      install,
    ];
  if (ci === 'none')
    return [`Give everybody who works on it this program, version ${version}: package.json does not install it.`];
  return [
    `The jobs install the package ${packageName} with npm, and not this program. Make ${packed} as the README of Almanac says, copy it here, and let package.json install it:`,
    install,
  ];
}

function commitStep(choices: Choices, { folder, fromRoot }: Surroundings): NextStep {
  const { environments, destinations, backend } = choices;
  const hasOne = environments.length === 0;
  const branches = (hasOne ? [undefined] : environments).map((name) => stateBranchOf(fromRoot, name)).join(' and ');
  const writer = hasOne && destinations.length === 0 ? 'import' : 'first apply';
  const files = stateFilesOf(choices).map((file) => below(folder, file));
  return backend === 'git'
    ? [`Commit all of it. The state is not a file: the ${writer} makes the branch ${branches} of ${stateRemote}.`]
    : [`Commit all of it, ${files.join(' and ')} included.`];
}

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
