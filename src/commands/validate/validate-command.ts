// The options of `almanac validate`.

import {
  type EmptyCommand,
  formatOption,
  type OptionsOf,
  online,
  reportOption,
  validateFormats,
} from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type ValidateOptions = OptionsOf<typeof validateCommand>;

function validateCommand(command: EmptyCommand) {
  return command
    .argument('[paths...]', 'files and folders to check')
    .option(...online)
    .addOption(formatOption(validateFormats))
    .addOption(reportOption(validateFormats))
    .option('--strict', 'fail on warnings too')
    .option('--tracked', 'fail on files that git does not track, as a hook before a commit does')
    .withExample(`
Example: almanac validate schedules/sales.yaml
Next: almanac plan shows what would change.`);
}

export const defineValidate = defining(validateCommand, async () => (await import('./validate.ts')).validate);
