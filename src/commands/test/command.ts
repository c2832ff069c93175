// The options of `almanac test`.

import { autoApprove, type Bare, type OptionsOf, type Run } from '../base/command.ts';

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

export function equipTest(command: Bare, { world, finish }: Run): void {
  testCommand(command).action(async (address, _, self) => {
    const { test } = await import('./test.ts');
    finish(await test(world, self.optsWithGlobals(), address));
  });
}
