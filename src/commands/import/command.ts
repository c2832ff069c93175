// The options of `almanac import`.

import { type Bare, type OptionsOf, type Run, textOrJson } from '../base/command.ts';

export type ImportOptions = OptionsOf<typeof importOptions>;

function importOptions(command: Bare) {
  return command
    .addOption(textOrJson())
    .option('--identifier <id...>', 'only these dashboards')
    .option('--dashboards', 'the filter values of the dashboards as well')
    .option('--out <dir>', 'write into this folder (that of the first glob of sources)')
    .option('--write-state', 'record it in the state, in place of adopt entries')
    .option('--resume', 'go on with an import that did not finish')
    .option('--force', 'overwrite files, and drop what an unfinished import has read')
    .addHelpText(
      'after',
      `
Example: almanac import --identifier 12db1a0a
Next: almanac plan shows what is adopted;
almanac apply records it, without a request.`,
    );
}

export function equipImport(command: Bare, { world, finish }: Run): void {
  importOptions(command).action(async (_, self) => {
    const { importCommand } = await import('./import.ts');
    finish(await importCommand(world, self.optsWithGlobals()));
  });
}
