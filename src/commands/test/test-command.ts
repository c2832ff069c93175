// The options of `almanac test`.

import { autoApprove, type EmptyCommand, type OptionsOf } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type TestOptions = OptionsOf<typeof testCommand>;

function testCommand(command: EmptyCommand) {
  return command
    .argument('<address>', 'such as schedules.weekly-sales')
    .addOption(autoApprove())
    .withExample(`
Example: almanac test schedules.weekly-sales
Next: check what arrived. almanac apply makes it arrive on schedule.`);
}

export const defineTest = defining(testCommand, async () => (await import('./test.ts')).test);
