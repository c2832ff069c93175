// What to do after `almanac init`, in the order in which it is done.

import { wrap } from '../../../report/text/terminal-text.ts';
import { packageName, version } from '../../../version.ts';
import { baseUrlVariableOf } from './ci-files.ts';
import { stateBranchOf, stateRemote } from './ci-shape.ts';
import { type Choices, configFile, firstKey, sourceFile, stateFilesOf } from './workspace-files.ts';

export interface Surroundings {
  /** Of the workspace, from the current folder; '' if it is that. */
  readonly folder: string;
  /** Of the workspace, from the root of the repository; '' for the root. */
  readonly fromRoot: string;
  readonly isRepository: boolean;
  /** Whether the repository has the remote in which a branch can keep the state. */
  readonly hasRemote: boolean;
  /** Whether package.json installs Almanac. */
  readonly isInstalled: boolean;
  /** Whether npx started this run, so that `almanac` alone is not on the PATH. */
  readonly isThroughNpx: boolean;
}

const width = 80;

/** What to do, and below it the commands to copy. */
type NextStep = readonly [words: string, ...commands: readonly string[]];

export function nextSteps(choices: Choices, around: Surroundings): string {
  const steps = [...stepsHere(choices, around), ...stepsOfRepository(choices, around)].filter((each) => each !== false);
  const lines = steps.flatMap(([words, ...commands], index) => {
    const number = `  ${index + 1}. `;
    const indent = ' '.repeat(5);
    const [first = '', ...rest] = wrap(words, width - number.length);
    return [`${number}${first}`, ...[...rest, ...commands].map((line) => `${indent}${line}`)];
  });
  return `Next:\n${lines.join('\n')}\n`;
}

/** From the new files to the first apply. */
function stepsHere(choices: Choices, { folder, isThroughNpx, hasRemote }: Surroundings): readonly (NextStep | false)[] {
  const { baseUrl, environments, destinations, backend } = choices;
  const there = folder === '' ? '' : `cd ${/\s/.test(folder) ? `'${folder}'` : folder} && `;
  const command = (words: string) => {
    const environment = environments[0] === undefined ? '' : ` --env ${environments[0]}`;
    return `${there}${isThroughNpx ? 'npx --no -- ' : ''}almanac ${words}${environment}`;
  };
  const hasOne = environments.length === 0;
  const look: NextStep = [
    'Look at it, as often as you like (neither asks Omni):',
    command('validate'),
    command('plan'),
  ];
  const address = hasOne ? 'address of your organization' : 'address of each environment';
  const remote = `${there}git remote add ${stateRemote} URL`;
  const before: readonly (NextStep | false)[] = [
    (!hasOne || baseUrl === undefined) && [`Write the ${address} into ${below(folder, configFile)}.`],
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
    [
      'Set OMNI_API_TOKEN to an API key and declare what is in Omni:',
      command(hasOne ? 'import --write-state' : 'import'),
    ],
    look,
    !hasOne && ['Record what was imported (this sends no change):', command('apply')],
  ];
}

/** What makes it work for others, and in CI. */
function stepsOfRepository(choices: Choices, around: Surroundings): readonly (NextStep | false)[] {
  const { environments, destinations, ci, backend } = choices;
  const { folder, fromRoot, isRepository, isInstalled } = around;
  const hasOne = environments.length === 0;
  const branches = (hasOne ? [undefined] : environments).map((name) => stateBranchOf(fromRoot, name)).join(' and ');
  const writer = hasOne && destinations.length === 0 ? 'import' : 'first apply';
  const files = stateFilesOf(choices).map((file) => below(folder, file));
  const packed = `${packageName.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
  const variables = hasOne ? 'variable OMNI_BASE_URL' : `variables ${environments.map(baseUrlVariableOf).join(', ')}`;
  const protectedBy = hasOne ? 'its environment production' : `each of its environments ${environments.join(', ')}`;
  return [
    // The package is a file of the repository, because it is in no registry.
    !isInstalled && [
      `Let package.json install ${packageName} from a file of the repository:`,
      `npm install --save-dev ./${packed}`,
    ],
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
    ci === 'gitlab' &&
      fromRoot !== '' && [
        'Let the .gitlab-ci.yml at the root of the repository include the jobs:',
        `include: [{ local: ${fromRoot}/.gitlab-ci.yml }]`,
      ],
    ci !== 'none' &&
      !isRepository && [
        `The jobs belong at the root of a repository: run git init ${folder === '' ? 'here' : `in ${folder}`}.`,
      ],
    // Whoever may change that table decides who sees whose rows.
    ci !== 'none' && [
      `Where customers receive reports, a table can say whose rows are whose (the documentation, receivers). Let its owner review it, by a line in ${ci === 'github' ? '.github/CODEOWNERS' : 'CODEOWNERS'}:`,
      `/${below(fromRoot, 'tenants.csv')} @OWNER`,
    ],
    backend === 'git'
      ? [`Commit all of it. The state is not a file: the ${writer} makes the branch ${branches} of ${stateRemote}.`]
      : [`Commit all of it, ${files.join(' and ')} included.`],
  ];
}

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
