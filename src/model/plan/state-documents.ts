// What `state history` and `state check` print as JSON (schemas/state-history.schema.json, state-check.schema.json).

import {
  count,
  described,
  flag,
  formatVersion,
  instant,
  listOf,
  orNull,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { lockInfoSchema } from '../workspace/lock-info.ts';

const versionSchema = record({
  serial: count,
  lineage: text,
  at: described(instant, 'By the clock of the machine that wrote it.'),
  by: lockInfoSchema,
  changes: described(count, 'How many resources its run changed; 0 for a repair, a push and a move.'),
  'over?': described(lockInfoSchema, 'The run whose lock was taken over.'),
});
/** A state that was written, and by whom. */
export type StateVersion = TypeOf<typeof versionSchema>;

export const stateHistorySchema = record({
  formatVersion,
  state: described(text, 'The name of the place.'),
  versions: described(listOf(versionSchema), 'The newest first.'),
  more: described(flag, 'Whether older ones were left out (--limit).'),
});
export type StateHistoryDocument = TypeOf<typeof stateHistorySchema>;

export const stateCheckSchema = record({
  formatVersion,
  state: described(text, 'The name of the place, or of the file.'),
  shared: described(flag, 'Whether many machines can use it at the same time.'),
  held: described(
    orNull(record({ lineage: text, serial: count, resources: count })),
    'The state that is there; null if there is none.',
  ),
  lock: record({
    held: flag,
    'by?': described(lockInfoSchema, 'Who holds it, or held it last; omitted if the lock does not say.'),
    'expiresIn?': described(count, 'Seconds until another run may take it over, if its run gives no sign.'),
  }),
});
export type StateCheckDocument = TypeOf<typeof stateCheckSchema>;
