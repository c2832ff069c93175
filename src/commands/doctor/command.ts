// The options of `almanac doctor`.

import { type Bare, type OptionsOf, textOrJson } from '../base/command.ts';
import type { Start } from '../base/run.ts';

export type DoctorOptions = OptionsOf<typeof doctorCommand>;

function doctorCommand(command: Bare) {
  return command.addOption(textOrJson()).addHelpText(
    'after',
    `
Example: almanac doctor
Next: fix what failed. It sends at most two reads and writes nothing.`,
  );
}

export function equipDoctor(command: Bare, start: Start): void {
  doctorCommand(command).action(async (_, self) => {
    await start(self, async (run) => (await import('./doctor.ts')).doctor(run, self.optsWithGlobals()));
  });
}
