// The options of `almanac doctor`.

import { autoApprove, type EmptyCommand, type OptionsOf, textOrJson } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type DoctorOptions = OptionsOf<typeof doctorCommand>;

function doctorCommand(command: EmptyCommand) {
  return command
    .addOption(textOrJson())
    .option(
      '--probe <dashboard>',
      'instead, make schedules on it that never run, to check what Omni does (operations full)',
    )
    .option('--to <address>', 'an active member, for what the probe tries about e-mail')
    .option('--group <name>', 'a user group that may see the dashboard, for what it tries about groups; needs --to')
    .option('--clean', 'instead, delete what a probe that broke off has left')
    .addOption(autoApprove())
    .withExample(`
Example: almanac doctor
Next: fix what failed. It sends at most two reads and writes nothing, unless you
ask for --probe or --clean.`);
}

export const defineDoctor = defining(doctorCommand, async () => (await import('./doctor.ts')).doctor);
