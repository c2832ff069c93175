// The options of `almanac emulator`.

import { Option } from '@commander-js/extra-typings';
import type { EmptyCommand, OptionsOf } from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { listed, wholeNumber } from '../base/option-values.ts';

export type EmulatorOptions = OptionsOf<typeof emulatorCommand>;

function emulatorCommand(command: EmptyCommand) {
  return command
    .option('--port <n>', 'the port; 0 takes any free one', wholeNumber(0, 65535), 4010)
    .option('--data <file>', 'load and save the data of the emulator in this file')
    .option(
      '--rate-limit <n>',
      'requests per minute and token; 0 means no limit, and api.rateLimit: 0 in almanac.yaml keeps none',
      wholeNumber(0),
      60,
    )
    .addOption(
      new Option(
        '--operations <set>',
        'the operations to serve; the default is what almanac.yaml says, or full',
      ).choices(['core', 'full']),
    )
    .option('--fault <spec>', 'a fault to inject, such as 429,at=3; may be repeated', listed)
    .option('--job-duration <seconds>', 'how long an AI job takes', wholeNumber(0, 3600), 6)
    .option('--post-anywhere', 'send webhooks to other machines as well, not only to this one')
    .withExample(`
Example: almanac emulator
Next: in another terminal, paste the lines that it prints, and run
almanac apply. It takes the place of the address in almanac.yaml.
Where its output is not a terminal, it prints one line of JSON instead.`);
}

export const defineEmulator = defining(emulatorCommand, async () => (await import('./emulator.ts')).emulator);
