// The options of `almanac list …`.

import { type EmptyCommand, formatOption, type OptionsOf } from '../base/command.ts';
import { defining, grouping } from '../base/define-command.ts';
import { listed, wholeNumber } from '../base/option-values.ts';

export type ListDocumentsOptions = OptionsOf<typeof documentsCommand>;
export type ListOptions = OptionsOf<typeof modelsCommand>;
export type ListGroupsOptions = OptionsOf<typeof groupsCommand>;

export const defineList = grouping(
  `
Example: almanac list models
Next: paste an id that it prints into a declaration.`,
  {
    documents: defining(documentsCommand, async () => (await import('./documents.ts')).listDocuments),
    models: defining(modelsCommand, async () => (await import('./names.ts')).listModels),
    people: defining(peopleCommand, async () => (await import('./names.ts')).listPeople),
    groups: defining(groupsCommand, async () => (await import('./names.ts')).listGroups),
  },
);

function documentsCommand(command: EmptyCommand) {
  return command
    .description('list the documents, which dashboards belong to')
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
    .withExample(`
Example: almanac list documents --label finance --format yaml
Next: copy what it prints to a source file, and run almanac validate --online.`);
}

function modelsCommand(command: EmptyCommand) {
  return command
    .description('list the shared models, their extensions and their branches, which AI jobs and routines name')
    .addOption(formatOption(['table', 'json']))
    .withExample(`
Example: almanac list models
Next: write an id as the modelId of a routine or an AI job.`);
}

function peopleCommand(command: EmptyCommand) {
  return command
    .description('list the members of the organization (needs an organization key)')
    .addOption(formatOption(['table', 'json']))
    .withExample(`
Example: almanac list people
Next: almanac who ADDRESS shows what somebody receives.`);
}

function groupsCommand(command: EmptyCommand) {
  return command
    .description('list the user groups with access to a dashboard, or the names of all groups')
    .option('--dashboard <identifier>', 'those that may see this dashboard, with their ids')
    .addOption(formatOption(['table', 'json']))
    .withExample(`
Example: almanac list groups --dashboard 12db1a0a
Next: write a name or an id under userGroups of a schedule of this dashboard.`);
}
