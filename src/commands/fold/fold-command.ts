// The options of `almanac fold`.

import { selectorForms } from '../../model/values/wildcard.ts';
import { type EmptyCommand, formatOption, type OptionsOf, textOrJsonFormats } from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { declaredKey } from '../base/option-values.ts';

export type FoldOptions = OptionsOf<typeof foldCommand>;

function foldCommand(command: EmptyCommand) {
  return command
    .argument('[selectors...]', `what becomes one loop: ${selectorForms}; without any, what is alike is listed`)
    .option('--name <key>', 'the key of the loop (default: what the keys share)', declaredKey)
    .option('--csv <file>', 'write the items as rows of this new file; the items of one loop become rows')
    .addOption(formatOption(textOrJsonFormats))
    .withExample(`
Example: almanac fold 'schedules.sales-*'
Next: almanac plan shows the moves; after the apply, almanac fmt --prune
removes their entries.`);
}

export const defineFold = defining(foldCommand, async () => (await import('./fold.ts')).fold);
