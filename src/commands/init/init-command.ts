// The options of `almanac init`, and the choices that they offer.

import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { destinations } from '../../model/fields/field.ts';
import type { EmptyCommand, OptionsOf } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type InitOptions = OptionsOf<typeof initCommand>;

function initCommand(command: EmptyCommand) {
  return command
    .option('--dir <folder>', 'create it in this folder (default: the current folder)')
    .option('--base-url <url>', 'the address of your organization, such as acme.omniapp.co')
    .option('--environments <name...>', 'have several organizations, such as dev,prod, each with its own state')
    .option('--internal-domains <domain...>', "your own mail domains (default: that of git's user.email)")
    .option('--timezone <zone>', "the time zone of the schedules (default: this machine's)")
    .addOption(
      new Option('--start <with>', 'start with an example, or with what is in Omni (default: example)').choices(starts),
    )
    .addOption(
      new Option('--destination <type...>', 'example: a first schedule for each of these (default: email)').choices(
        destinations,
      ),
    )
    .addOption(
      new Option('--ci <system>', 'add jobs that plan and apply, also to a workspace that exists (default: none)')
        .choices(ciSystems)
        .argParser(ciSystem),
    )
    .addOption(
      new Option(
        '--backend <where>',
        'keep the state in a git branch or in a local file (default: git with --ci, else local)',
      ).choices(['git', 'local']),
    )
    .addOption(new Option('--editor <name>', 'add settings for this editor (default: none)').choices(editors))
    .option('--agents', 'add rules for coding agents, in AGENTS.md')
    .option('--no-agents', 'add none, without a question')
    .option('--force', 'overwrite existing files; with --ci in a workspace that exists, only the jobs')
    .option('--yes', 'ask nothing, and use the defaults')
    .withExample(`
Example: almanac init --destination email slack --ci github
Next: edit schedules/first.yaml, and run almanac validate.`);
}

export const defineInit = defining(initCommand, async () => (await import('./init.ts')).init);

// The choices that the options and questions of `almanac init` offer.

export const editors = ['vscode', 'jetbrains', 'none'] as const;
export const ciSystems = ['github', 'gitlab', 'none'] as const;
/** Other systems, with their pages of the documentation, which have a pipeline to copy. */
const pagesOfOthers: Readonly<Record<string, string>> = { azure: 'ci-azure', bitbucket: 'ci-bitbucket' };
export const starts = ['example', 'omni'] as const;
export const yesOrNo = ['no', 'yes'] as const;

function ciSystem(text: string): (typeof ciSystems)[number] {
  const found = ciSystems.find((system) => system === text);
  if (found !== undefined) return found;
  const page = Object.entries(pagesOfOthers).find(([name]) => text.toLowerCase().startsWith(name))?.[1];
  const way =
    page === undefined
      ? 'The documentation (ci) shows the lines for any other CI.'
      : `The documentation (${page}) has a pipeline to copy.`;
  throw new InvalidArgumentError(`Allowed choices are ${ciSystems.join(', ')}. ${way}`);
}
