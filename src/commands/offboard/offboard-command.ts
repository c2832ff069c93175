// The options of `almanac offboard`.

import { autoApprove, type EmptyCommand, type OptionsOf, textOrJson } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type OffboardOptions = OptionsOf<typeof offboardCommand>;

function offboardCommand(command: EmptyCommand) {
  return command
    .argument('<email>', 'the address of the person who leaves')
    .option('--to <email>', 'who takes over; without it, the address is removed')
    .option('--write', 'edit the source files')
    .option('--apply', 'transfer what the person owns to the successor, in Omni')
    .option('--offline', 'search the files alone: no request, no token')
    .option('--resume', 'continue to read what an interrupted run has not read')
    .addOption(autoApprove())
    .addOption(textOrJson())
    .withExample(`
It exits with 1 if the address must stay somewhere, such as in a report that
would have no recipients, and until the change is applied, because the state
still has the address.

Example: almanac offboard ana@example.com --to bo@example.com --write
Next: almanac plan shows who receives less and more.`);
}

export const defineOffboard = defining(offboardCommand, async () => (await import('./offboard.ts')).offboard);
