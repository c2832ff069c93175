// The options of `almanac trigger`.

import { autoApprove, type Bare, type OptionsOf, type Run, selecting, textOrJson } from '../base/command.ts';
import { lengthOfTime, wholeNumber } from '../base/option-values.ts';

export type TriggerOptions = OptionsOf<typeof triggerCommand>;

function triggerCommand(command: Bare) {
  return command
    .argument('[addresses...]', 'such as schedules.weekly-sales')
    .addOption(selecting('deliver'))
    .addOption(textOrJson())
    .option('--if-stale <time>', 'leave out what completed within this time, such as 12h', lengthOfTime)
    .option('--max <n>', 'refuse to deliver more schedules than this', wholeNumber(1), 20)
    .addOption(autoApprove())
    .addHelpText(
      'after',
      `
Example: almanac trigger schedules.weekly-sales --if-stale 12h
Next: almanac status shows how the runs ended.`,
    );
}

export function equipTrigger(command: Bare, { world, finish }: Run): void {
  triggerCommand(command).action(async (addresses, _, self) => {
    const { trigger } = await import('./trigger.ts');
    finish(await trigger(world, self.optsWithGlobals(), addresses));
  });
}
