// The names and ids of models, people and user groups that `almanac list` prints.

import { described, flag, formatVersion, listOf, nonEmptyText, record, type TypeOf, text } from '../values/schema.ts';

const namedSchema = record({
  'id?': described(
    nonEmptyText,
    'Of a user group only with --dashboard: nothing else of Omni shows the id that a schedule takes.',
  ),
  name: text,
  'email?': described(text, 'Of a member.'),
  'active?': described(flag, 'Of a member: false where the account is deactivated.'),
  'isExtension?': described(
    flag,
    'Of a model: an extension of a shared one, which AI jobs may name and routines may not.',
  ),
  'branches?': described(listOf(record({ id: nonEmptyText, name: text })), 'Of a model: what branchId may name.'),
});
export type ListedName = TypeOf<typeof namedSchema>;

export const namesSchema = record({ formatVersion, records: listOf(namedSchema) });
export type NamesDocument = TypeOf<typeof namesSchema>;
