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

export function nextSteps(choices: Choices, around: Surroundings): string {
  const { baseUrl, environments, destinations, ci } = choices;
  const { folder, fromRoot, isRepository, isInstalled, isThroughNpx, hasRemote } = around;
  const file = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  const there = folder === '' ? '' : `cd ${/\s/.test(folder) ? `'${folder}'` : folder} && `;
  const branches = (environments.length === 0 ? [undefined] : environments).map((name) =>
    stateBranchOf(fromRoot, name),
  );
  const inEnvironment = environments[0] === undefined ? '' : ` --env ${environments[0]}`;
  const command = (words: string) => `${there}${isThroughNpx ? 'npx --no -- ' : ''}almanac ${words}`;
  const imports = destinations.length === 0 && environments.length === 0;
  const look = [`validate${inEnvironment}`, `plan${inEnvironment}`].map(command);
  const address = environments.length > 0 ? 'address of each environment' : 'address of your organization';
  const repositoryAt = folder === '' ? 'here' : `in ${folder}`;
  const steps: readonly (Step | false)[] = [
    (environments.length > 0 || baseUrl === undefined) && step(`Write the ${address} into ${file(configFile)}.`),
    choices.backend === 'git' &&
      !hasRemote &&
      step('Add the remote of which a branch keeps the state:', `${there}git remote add ${stateRemote} URL`),
    ...(destinations.length === 0
      ? [
          step(
            'Set OMNI_API_TOKEN to an API key and declare what is in Omni:',
            command(imports ? 'import --write-state' : `import${inEnvironment}`),
          ),
          step('Look at it, as often as you like (neither asks Omni):', ...look),
          !imports && step('Record what was imported (this sends no change):', command(`apply${inEnvironment}`)),
        ]
      : [
          step(`Make ${file(sourceFile)} your own: identifier, name and where it goes.`),
          step('Look at it, as often as you like (neither asks Omni):', ...look),
          step('See when it runs:', command(`next schedules.${firstKey(destinations)}${inEnvironment}`)),
          step('Set OMNI_API_TOKEN to an API key and apply:', command(`apply${inEnvironment}`)),
        ]),
    !isInstalled && installStep(),
    ci !== 'none' && ciStep(ci, choices),
    ci === 'none' && choices.backend === 'git' && writerStep,
    ci === 'gitlab' &&
      fromRoot !== '' &&
      step(
        'Let the .gitlab-ci.yml at the root of the repository include the jobs:',
        `include: [{ local: ${fromRoot}/.gitlab-ci.yml }]`,
      ),
    ci !== 'none' &&
      !isRepository &&
      step(`The jobs belong at the root of a repository: run git init ${repositoryAt}.`),
    choices.backend === 'git'
      ? step(
          `Commit all of it. The state is not a file: the ${imports ? 'import' : 'first apply'} makes the branch ${branches.join(' and ')} of ${stateRemote}.`,
        )
      : step(`Commit all of it, ${stateFilesOf(choices).map(file).join(' and ')} included.`),
  ];
  const lines = steps
    .filter((each) => each !== false)
    .flatMap(({ words, commands }, index) => {
      const number = `  ${index + 1}. `;
      const [first = '', ...rest] = wrap(words, width - number.length);
      return [`${number}${first}`, ...[...rest, ...commands].map((line) => `${indent}${line}`)];
    });
  return `Next:\n${lines.join('\n')}\n`;
}

interface Step {
  readonly words: string;
  readonly commands: readonly string[];
}

const indent = '     ';
const step = (words: string, ...commands: readonly string[]): Step => ({ words, commands });

/** The package is a file of the repository, because it is in no registry. */
function installStep(): Step {
  const packed = `${packageName.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
  return step(
    `Let package.json install ${packageName} from a file of the repository:`,
    `npm install --save-dev ./${packed}`,
  );
}

function ciStep(ci: 'github' | 'gitlab', { environments }: Choices): Step {
  if (ci === 'gitlab')
    return step(
      'Set the variables OMNI_BASE_URL, OMNI_API_TOKEN, STATE_PUSH_TOKEN and ALMANAC_NOTE_TOKEN of the project. Mask the tokens, and protect all but the last. Let only the user of STATE_PUSH_TOKEN push to the branch of the state: docs/state-backends.md says how.',
    );
  const variables =
    environments.length === 0
      ? 'variable OMNI_BASE_URL'
      : `variables ${environments.map(baseUrlVariableOf).join(', ')}`;
  const protectedBy =
    environments.length === 0 ? 'its environment production' : `each of its environments ${environments.join(', ')}`;
  return step(
    `Give the repository the ${variables}, and ${protectedBy} the secrets OMNI_API_TOKEN and STATE_DEPLOY_KEY. Let only that deploy key write the branch of the state: docs/state-backends.md has the ruleset.`,
  );
}

/** Whoever may write the branch of the state may edit it, and an edited state hides changes from a plan. */
const writerStep = step(
  'Whoever may push to the repository can edit the state. docs/state-backends.md shows how to let only a deploy key write it.',
);
