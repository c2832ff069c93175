// The options of `almanac doctor`.

import { type Bare, type OptionsOf, type Run, textOrJson } from '../base/command.ts';

export type DoctorOptions = OptionsOf<typeof doctorCommand>;

function doctorCommand(command: Bare) {
  return command.addOption(textOrJson()).addHelpText(
    'after',
    `
Example: almanac doctor
Next: fix what failed. It sends at most two reads and writes nothing.`,
  );
}

export function equipDoctor(command: Bare, { world, finish }: Run): void {
  doctorCommand(command).action(async (_, self) => {
    const { doctor } = await import('./doctor.ts');
    finish(await doctor(world, self.optsWithGlobals()));
  });
}
