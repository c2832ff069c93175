// The options of `almanac validate`.

import { type Bare, formatOption, type OptionsOf, online, type Run, reportOption } from '../base/command.ts';
import { validateFormats } from '../base/formats.ts';

export type ValidateOptions = OptionsOf<typeof validateCommand>;

function validateCommand(command: Bare) {
  return command
    .argument('[paths...]', 'files and folders to check')
    .option(...online)
    .addOption(formatOption(validateFormats))
    .addOption(reportOption(validateFormats))
    .option('--strict', 'fail on warnings too')
    .addHelpText(
      'after',
      `
Example: almanac validate schedules/sales.yaml
Next: almanac plan shows what would change.`,
    );
}

export function equipValidate(command: Bare, { world, finish }: Run): void {
  validateCommand(command).action(async (paths, _, self) => {
    const { validate } = await import('./validate.ts');
    finish(await validate(world, self.optsWithGlobals(), paths));
  });
}
