// The options of `almanac prove`.

import {
  allowOption,
  type EmptyCommand,
  formatOption,
  type OptionsOf,
  proveFormats,
  selectors,
} from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { wholeNumber } from '../base/option-values.ts';

export type ProveOptions = OptionsOf<typeof proveCommand>;

function proveCommand(command: EmptyCommand) {
  return command
    .argument(...selectors)
    .option('--each', 'render every report, and not one for all that show the same tiles')
    .option('--most <n>', 'begin no rendering beyond this number of requests, and do not ask', wholeNumber(1))
    .addOption(allowOption('prove'))
    .addOption(formatOption(proveFormats))
    .withExample(`
It renders CSV, whatever a report is delivered as. If Omni sends a workbook
(XLSX) instead, the report is not proven.
Example: almanac prove dashboard:12db1a0a
Next: correct the tiles that it names in Omni. Nobody received anything.`);
}

export const defineProve = defining(proveCommand, async () => (await import('./prove.ts')).prove);
