// The options of `almanac status`.

import { Option } from '@commander-js/extra-typings';
import {
  autoApprove,
  type EmptyCommand,
  formatOption,
  type OptionsOf,
  reportOption,
  selectors,
  statusFormats,
} from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { choicesListed, lengthOfTime, wholeNumber } from '../base/option-values.ts';

export type StatusOptions = OptionsOf<typeof statusCommand>;

const retried = ['failed', 'missed'] as const;

function statusCommand(command: EmptyCommand) {
  return command
    .argument(...selectors)
    .addOption(formatOption(statusFormats))
    .addOption(reportOption(statusFormats))
    .option('--all', 'also list the untracked schedules')
    .option('--tolerance <time>', 'how long a run may take before it counts as missed (default: 30m)', lengthOfTime)
    .addOption(
      new Option('--retry <health>', 'then deliver again, once, what failed or was missed')
        .choices([...retried])
        .argParser(choicesListed(retried)),
    )
    .option('--max <n>', 'with --retry: refuse to deliver more schedules than this (default: 20)', wholeNumber(1))
    .addOption(autoApprove())
    .withExample(`
Example: almanac status --report markdown=deliveries.md
Next: almanac next shows when each schedule runs again.`);
}

export const defineStatus = defining(statusCommand, async () => (await import('./status.ts')).status);
