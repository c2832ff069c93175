// The options of `almanac drift`.

import { type Bare, type OptionsOf, type Run, textOrJson } from '../base/command.ts';

export type DriftOptions = OptionsOf<typeof driftCommand>;

function driftCommand(command: Bare) {
  return command
    .addOption(textOrJson())
    .option('--target <address...>', 'only these resources')
    .option('--deep', 'look at the details of all schedules')
    .addHelpText(
      'after',
      `
Example: almanac drift --deep
Next: almanac apply --refresh undoes what others changed;
almanac apply --refresh-only keeps it.`,
    );
}

export function equipDrift(command: Bare, { world, finish }: Run): void {
  driftCommand(command).action(async (_, self) => {
    const { drift } = await import('./drift.ts');
    finish(await drift(world, self.optsWithGlobals()));
  });
}
