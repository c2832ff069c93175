// The document of `almanac fold --format json` (schemas/fold.schema.json): loops made or possible, and the rest.

import { count, described, formatVersion, listOf, record, type TypeOf, text } from '../../model/values/schema.ts';

const loopSchema = record({
  address: text,
  file: described(text, 'Where it is written.'),
  'table?': described(text, 'The CSV file whose rows are its items.'),
  instances: described(listOf(record({ from: text, to: text })), 'The same address twice where it was a loop before.'),
  values: described(listOf(text), 'The names of the values in its items.'),
  'command?': described(text, 'The command that makes it; left out where it was made.'),
});
export type FoldedLoop = TypeOf<typeof loopSchema>;

// `message` is a whole sentence.
const notFoldedSchema = record({
  file: text,
  addresses: listOf(text),
  message: text,
  'hint?': described(text, 'What to do about it.'),
});

export const foldSchema = record({
  formatVersion,
  // Sorted.
  files: described(listOf(text), 'The files that changed; none without selectors.'),
  empty: described(listOf(text), 'Those of these files that no longer declare anything.'),
  loops: listOf(loopSchema),
  notFolded: described(listOf(notFoldedSchema), 'What was named, or looks alike, and stays as it is.'),
  declarations: described(count, 'How many were looked at.'),
  unread: described(listOf(text), 'The states that could not be read: there only declarations were compared.'),
});
export type FoldDocument = TypeOf<typeof foldSchema>;
