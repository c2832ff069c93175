// The options of `almanac drift`.

import { type Bare, type OptionsOf, type Run, textOrJson } from '../base/command.ts';

export type DriftOptions = OptionsOf<typeof driftCommand>;

function driftCommand(command: Bare) {
  return command
    .addOption(textOrJson())
    .option('--target <address...>', 'check only these resources')
    .option('--deep', 'fetch the details of every schedule')
    .addHelpText(
      'after',
      `
Example: almanac drift --deep
Next: almanac apply --refresh undoes the changes that others made;
almanac apply --refresh-only keeps them.`,
    );
}

export function equipDrift(command: Bare, { world, finish }: Run): void {
  driftCommand(command).action(async (_, self) => {
    const { drift } = await import('./drift.ts');
    finish(await drift(world, self.optsWithGlobals()));
  });
}
