// The options of `almanac fmt`.

import type { EmptyCommand, OptionsOf } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type FormatOptions = OptionsOf<typeof formatCommand>;

function formatCommand(command: EmptyCommand) {
  return command
    .argument('[paths...]', 'files and folders to format')
    .option('--check', 'write nothing; list the files that would change, and exit with 1 if there are any')
    .option('--prune', 'remove moved, adopt and removed entries that are finished in every environment')
    .withExample(`
Example: almanac fmt --check
Next: almanac validate checks what the files say.`);
}

export const defineFormat = defining(formatCommand, async () => (await import('./format.ts')).format);
