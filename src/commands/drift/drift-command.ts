// The options of `almanac drift`.

import {
  driftFormats,
  type EmptyCommand,
  formatOption,
  type OptionsOf,
  reportOption,
  targeting,
} from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type DriftOptions = OptionsOf<typeof driftCommand>;

function driftCommand(command: EmptyCommand) {
  return command
    .addOption(formatOption(driftFormats))
    .addOption(reportOption(driftFormats))
    .addOption(targeting('check'))
    .option('--deep', 'fetch the details of every schedule, and the filters of their dashboards')
    .option('--untracked', 'list the schedules in Omni that no declaration and no state knows')
    .option('--unapplied', 'count the changes that the files declare and nobody applied for a day')
    .option(
      '--write [selector...]',
      'write what others changed, or only that of these resources, into the source files',
    )
    .allowExcessArguments()
    .withExample(`
Example: almanac drift --deep
Next: almanac apply --refresh=deep undoes the changes that others made;
almanac drift --deep --write keeps them: it writes them into the source files.`);
}

export const defineDrift = defining(driftCommand, async ({ args }) => {
  const { drift } = await import('./drift.ts');
  return (run, options) => drift(run, options, args);
});
