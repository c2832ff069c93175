// The options of `almanac show`.

import { type EmptyCommand, formatOption, type OptionsOf, planFormats } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type ShowOptions = OptionsOf<typeof showCommand>;

function showCommand(command: EmptyCommand) {
  return command
    .argument('[planfile]', 'a plan that plan --out saved; without it, the state')
    .addOption(formatOption(planFormats))
    .option(
      '--resolved [selector...]',
      'the declarations after defaults and references, as YAML with the place of each value',
    )
    .withExample(`
Example: almanac show almanac.plan.json
Example: almanac show --resolved schedules.weekly-sales
Next: almanac apply almanac.plan.json applies exactly this plan.`);
}

export const defineShow = defining(showCommand, async () => (await import('./show.ts')).show);
