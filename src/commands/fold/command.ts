// The options of `almanac fold`.

import { type Bare, equipping, formatOption, type OptionsOf, textOrJsonFormats } from '../base/command.ts';

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
