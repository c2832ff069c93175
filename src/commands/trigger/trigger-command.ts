// The options of `almanac trigger`.

import { autoApprove, type EmptyCommand, type OptionsOf, selectors, textOrJson } from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { lengthOfTime, wholeNumber } from '../base/option-values.ts';

export type TriggerOptions = OptionsOf<typeof triggerCommand>;

function triggerCommand(command: EmptyCommand) {
  return command
    .argument(...selectors)
    .addOption(textOrJson())
    .option('--if-stale <time>', 'leave out what completed within this time, such as 12h', lengthOfTime)
    .option('--max <n>', 'refuse to deliver more schedules than this', wholeNumber(1), 20)
    .addOption(autoApprove())
    .withExample(`
Example: almanac trigger schedules.weekly-sales --if-stale 12h
Next: almanac status shows how the runs ended.`);
}

export const defineTrigger = defining(triggerCommand, async () => (await import('./trigger.ts')).trigger);
