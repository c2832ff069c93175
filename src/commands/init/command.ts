// The options of `almanac init`.

import { Option } from '@commander-js/extra-typings';
import type { Bare, OptionsOf, Run } from '../base/command.ts';

export type InitOptions = OptionsOf<typeof initCommand>;

function initCommand(command: Bare) {
  return command
    .option('--dir <folder>', 'where; here, if left out')
    .option('--base-url <url>', 'the address of your organization, such as https://acme.omniapp.co')
    .addOption(
      new Option('--destination <type...>', 'a first schedule of each (email)').choices([
        'webhook',
        'email',
        'sftp',
        'slack',
        's3',
      ]),
    )
    .addOption(
      new Option('--ci <system>', 'a workflow that plans and applies (none)').choices(['github', 'gitlab', 'none']),
    )
    .addOption(new Option('--editor <name>', 'its settings (none)').choices(['vscode', 'jetbrains', 'none']))
    .option('--force', 'overwrite what exists')
    .option('--yes', 'ask nothing; what no option says is as in brackets')
    .addHelpText(
      'after',
      `
Example: almanac init --destination email slack --ci github --editor vscode
Next: change schedules/first.yaml, and run almanac validate.`,
    );
}

export function equipInit(command: Bare, { world, finish }: Run): void {
  initCommand(command).action(async (_, self) => {
    const { init } = await import('./init.ts');
    finish(await init(world, self.optsWithGlobals()));
  });
}
