// The options of `almanac import`.

import { Option } from '@commander-js/extra-typings';
import { allowOption, type EmptyCommand, type OptionsOf, textOrJson } from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { commaListed } from '../base/option-values.ts';

export type ImportOptions = OptionsOf<typeof importOptions>;

function importOptions(command: EmptyCommand) {
  return command
    .argument('[url...]', 'import only these pages of Omni, such as https://acme.omniapp.co/dashboards/ID/schedules/ID')
    .addOption(textOrJson())
    .option('--identifier <id...>', 'import only these dashboards')
    .option(
      '--owners <list>',
      'also import the routines of these members, such as ana@example.com, or of all',
      commaListed,
    )
    .option('--dashboards', 'also import the filter values of dashboards')
    .addOption(
      new Option(
        '--filters <which>',
        'own leaves out filters that equal those of the dashboard, where nobody outside receives the schedule',
      )
        .choices(['own', 'all'])
        .default('own'),
    )
    .option('--out <dir>', 'write to this folder (default: the folder of the first glob in sources)')
    .addOption(allowOption('import'))
    .option('--write-state', 'track in the state of this environment at once instead of writing adopt entries')
    .option('--declared', 'find only what is declared already, such as after a lost state; declare nothing')
    .option('--resume', 'continue an import that did not finish')
    .withExample(`
Example: almanac import --identifier 12db1a0a
Next: almanac plan shows what would be adopted;
almanac apply reads each schedule again and records it.`);
}

export const defineImport = defining(importOptions, async () => (await import('./import.ts')).importCommand);
