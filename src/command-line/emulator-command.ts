// `almanac emulator`.

import { type Command, Option } from 'commander';
import { listed, optionsOf, wholeNumber } from './option-values.ts';
import type { Run } from './run.ts';

export function addEmulator(program: Command, { world, finish }: Run): void {
  program
    .command('emulator')
    .description('serve a local double of the service, for trials and tests')
    .option('--port <n>', 'the port; 0 is any free one', wholeNumber(0, 65535), 4010)
    .option('--data <file>', 'keep what happens in this file')
    .option('--rate-limit <n>', 'requests a minute and token; 0 is no limit', wholeNumber(0), 60)
    .addOption(new Option('--operations <set>', 'which operations it serves').choices(['core', 'full']).default('core'))
    .option('--fault <spec>', 'what goes wrong, such as 429,at=3; may be given again', listed)
    .option('--job-duration <seconds>', 'how long an AI job takes', wholeNumber(0, 3600), 6)
    .option('--post-anywhere', 'send webhooks to other machines too, not only to this one')
    .action(async (_, command: Command) => {
      const { emulator } = await import('../commands/emulator/emulator.ts');
      finish(await emulator(world, optionsOf(command)));
    });
}
