// The options of `almanac doctor`.

import { type Bare, type OptionsOf, textOrJson } from '../base/command.ts';
import { equipping } from '../base/equip.ts';

export type DoctorOptions = OptionsOf<typeof doctorCommand>;

function doctorCommand(command: Bare) {
  return command.addOption(textOrJson()).addHelpText(
    'after',
    `
Example: almanac doctor
Next: fix what failed. It sends at most two reads and writes nothing.`,
  );
}

export const equipDoctor = equipping(doctorCommand, async () => (await import('./doctor.ts')).doctor);
