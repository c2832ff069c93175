// The options of `almanac show`.

import { type Bare, formatOption, type OptionsOf, type Run } from '../base/command.ts';
import { planFormats } from '../base/formats.ts';

export type ShowOptions = OptionsOf<typeof showCommand>;

function showCommand(command: Bare) {
  return command
    .argument('[planfile]', 'a plan that plan --out saved; without it, the state')
    .addOption(formatOption(planFormats))
    .addHelpText(
      'after',
      `
Example: almanac show almanac.plan.json
Next: almanac apply almanac.plan.json applies exactly this plan.`,
    );
}

export function equipShow(command: Bare, { world, finish }: Run): void {
  showCommand(command).action(async (planFile, _, self) => {
    const { show } = await import('./show.ts');
    finish(await show(world, self.optsWithGlobals(), planFile));
  });
}
