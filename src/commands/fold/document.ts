// What `almanac fold --format json` prints (schemas/fold.schema.json): what became one, and what is alike and stays as it is.

import {
  constant,
  count,
  described,
  formatVersion,
  listOf,
  record,
  schemaOf,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';

const ofFold = {
  // `loop` and the address of its first member, `audience finance`, `default FILE schedules zone`.
  id: described(text, 'The same in each run.'),
  file: described(text, 'Where the result is written.'),
};
const usedBy = described(listOf(text), 'The addresses of the declarations.');

const loopSchema = record({
  ...ofFold,
  kind: constant('loop'),
  address: text,
  instances: listOf(record({ from: text, to: text })),
  values: described(listOf(text), 'The names of the values in its items.'),
});
const audienceSchema = record({ ...ofFold, kind: constant('audience'), name: text, usedBy });
const defaultSchema = record({
  ...ofFold,
  kind: constant('default'),
  section: text,
  field: text,
  value: text,
  usedBy,
});
/** What was folded, for the report. */
export type Fold = TypeOf<typeof loopSchema> | TypeOf<typeof audienceSchema> | TypeOf<typeof defaultSchema>;

// `message` is a whole sentence.
const notFoldedSchema = record({ file: text, addresses: listOf(text), message: text });
export type NotFolded = TypeOf<typeof notFoldedSchema>;

export const foldSchema = record({
  formatVersion,
  // Sorted.
  files: described(listOf(text), 'The files that changed, or would change with --check.'),
  empty: described(listOf(text), 'Those of them that declare nothing any more.'),
  folds: listOf(schemaOf<Fold>({ anyOf: [loopSchema, audienceSchema, defaultSchema] })),
  notFolded: described(listOf(notFoldedSchema), 'What looks alike and was left as it is.'),
  declarations: described(record({ before: count, after: count }), 'A loop is one.'),
  unread: described(listOf(text), 'The states that could not be read: there only declarations were compared.'),
});
export type FoldDocument = TypeOf<typeof foldSchema>;
