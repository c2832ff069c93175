// The options of `almanac fmt`.

import type { Bare, OptionsOf, Run } from '../base/command.ts';

export type FormatOptions = OptionsOf<typeof formatCommand>;

function formatCommand(command: Bare) {
  return command
    .argument('[paths...]', 'files and folders')
    .option('--check', 'write nothing; list what is not in that form, and exit with 1')
    .addHelpText(
      'after',
      `
Example: almanac fmt --check
Next: almanac validate checks what the files say.`,
    );
}

export function equipFormat(command: Bare, { world, finish }: Run): void {
  formatCommand(command).action(async (paths, _, self) => {
    const { format } = await import('./format.ts');
    finish(await format(world, self.optsWithGlobals(), paths));
  });
}
