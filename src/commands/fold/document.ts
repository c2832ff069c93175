// What `almanac fold --format json` prints (schemas/fold.schema.json): what became one, and what is alike and stays as it is.

import { count, described, formatVersion, listOf, record, type TypeOf, text } from '../../model/values/schema.ts';

const loopSchema = record({
  address: text,
  file: described(text, 'Where it is written.'),
  instances: listOf(record({ from: text, to: text })),
  values: described(listOf(text), 'The names of the values in its items.'),
});
/** A loop that was made, for the report. */
export type FoldedLoop = TypeOf<typeof loopSchema>;

// `message` is a whole sentence.
const notFoldedSchema = record({ file: text, addresses: listOf(text), message: text });
export type NotFolded = TypeOf<typeof notFoldedSchema>;

export const foldSchema = record({
  formatVersion,
  // Sorted.
  files: described(listOf(text), 'The files that changed, or would change with --check.'),
  empty: described(listOf(text), 'Those of them that declare nothing any more.'),
  loops: listOf(loopSchema),
  notFolded: described(listOf(notFoldedSchema), 'What looks alike and was left as it is.'),
  declarations: described(record({ before: count, after: count }), 'A loop is one.'),
  unread: described(listOf(text), 'The states that could not be read: there only declarations were compared.'),
});
export type FoldDocument = TypeOf<typeof foldSchema>;
