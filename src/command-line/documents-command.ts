// `almanac documents`: a flag for every parameter of the operation.

import { type Command, Option } from 'commander';
import { listed, optionsOf, wholeNumber } from './option-values.ts';
import type { Run } from './run.ts';

export function addDocuments(program: Command, { world, finish }: Run): void {
  program
    .command('documents')
    .description('list the documents of the organization')
    .addOption(
      new Option('--format <format>', 'how to print; yaml: stubs of declarations')
        .choices(['table', 'json', 'csv', 'yaml'])
        .default('table'),
    )
    .option(
      '--include <what>',
      'labels, _count, includeDeleted, onlyFavorites or onlySharedWithMe; may be given again',
      listed,
    )
    .option('--label <label>', 'only documents with this label; may be given again', listed)
    .option('--folder <id>', 'only documents in this folder')
    .option('--user <id>', 'only documents that this user may view')
    .option('--creator <id>', 'only documents that this user has created')
    .option('--sort <field:direction>', 'name, updatedAt, favorites or visits; asc or desc (name:asc)')
    .option('--page-size <n>', 'documents a request, 1 to 100 (100)', wholeNumber(1, 100))
    .option('--limit <n>', 'stop after so many documents', wholeNumber(1))
    .option('--cursor <cursor>', 'one page, from where a list with the same --sort stopped')
    .action(async (_, command: Command) => {
      const { documents } = await import('../commands/documents/documents.ts');
      finish(await documents(world, optionsOf(command)));
    });
}
