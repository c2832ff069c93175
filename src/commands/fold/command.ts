// The options of `almanac fold`.

import { type Bare, formatOption, type OptionsOf } from '../base/command.ts';
import { equipping } from '../base/equip.ts';
import { textOrJsonFormats } from '../base/result-formats.ts';

export type FoldOptions = OptionsOf<typeof foldCommand>;

function foldCommand(command: Bare) {
  return command
    .argument('[paths...]', 'files and folders to fold')
    .option('--check', 'write nothing; show what would be folded, and exit with 1 if there is anything')
    .addOption(formatOption(textOrJsonFormats))
    .addHelpText(
      'after',
      `
Example: almanac fold --check
Next: almanac plan shows the moves; after the apply, almanac fmt --prune
removes their entries.`,
    );
}

export const equipFold = equipping(foldCommand, async () => (await import('./fold.ts')).fold);
