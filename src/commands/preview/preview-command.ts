// The options of `almanac preview`.

import { type EmptyCommand, type OptionsOf, selectors } from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { wholeNumber } from '../base/option-values.ts';

export type PreviewOptions = OptionsOf<typeof previewCommand>;

function previewCommand(command: EmptyCommand) {
  return command
    .argument(...selectors)
    .option('--out <path>', 'the file, or - for stdout; of several schedules the folder (default: .almanac/previews)')
    .option('--force', 'replace files that exist')
    .option('--wait <seconds>', 'how long each one may take', wholeNumber(5, 3600), 600)
    .withExample(`
Example: almanac preview schedules.weekly-sales --out weekly.pdf
Next: look at the file. Nobody received anything; almanac test delivers one.`);
}

export const definePreview = defining(previewCommand, async () => (await import('./preview.ts')).preview);
