// The options of `almanac test`.

import { autoApprove, type Bare, type OptionsOf } from '../base/command.ts';
import type { Start } from '../base/run.ts';

export type TestOptions = OptionsOf<typeof testCommand>;

function testCommand(command: Bare) {
  return command
    .argument('<address>', 'such as schedules.weekly-sales')
    .addOption(autoApprove())
    .addHelpText(
      'after',
      `
Example: almanac test schedules.weekly-sales
Next: check what arrived. almanac apply makes it arrive on schedule.`,
    );
}

export function equipTest(command: Bare, start: Start): void {
  testCommand(command).action(async (address, _, self) => {
    await start(self, async (run) => (await import('./test.ts')).test(run, self.optsWithGlobals(), address));
  });
}
