// The options of `almanac documents`.

import { type Bare, formatOption, type OptionsOf } from '../base/command.ts';
import { equipping } from '../base/equip.ts';
import { listed, wholeNumber } from '../base/option-values.ts';

export type DocumentsOptions = OptionsOf<typeof documentsCommand>;

function documentsCommand(command: Bare) {
  return command
    .addOption(formatOption(['table', 'json', 'yaml'], 'output format; yaml prints stubs of declarations'))
    .option(
      '--include <what>',
      'labels, _count, includeDeleted, onlyFavorites or onlySharedWithMe; may be repeated',
      listed,
    )
    .option('--label <label>', 'only documents with this label; may be repeated', listed)
    .option('--folder <id>', 'only documents in this folder')
    .option('--user <id>', 'only documents that this user can view')
    .option('--creator <id>', 'only documents that this user created')
    .option('--sort <field:direction>', 'by name, updatedAt, favorites or visits; asc or desc (default: name:asc)')
    .option('--page-size <n>', 'documents per request, 1 to 100 (default: 100)', wholeNumber(1, 100))
    .option('--limit <n>', 'stop after this many documents', wholeNumber(1))
    .option('--cursor <cursor>', 'one page, from where a list with the same --sort stopped')
    .addHelpText(
      'after',
      `
Example: almanac documents --label finance --format yaml
Next: copy what it prints to a source file, and run almanac validate --online.`,
    );
}

export const equipDocuments = equipping(documentsCommand, async () => (await import('./documents.ts')).documents);
