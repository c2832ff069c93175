// The documents of `state history` and `state check` (schemas/state-history.schema.json, state-check.schema.json).

import { versionSchema } from '../../model/plan/state.ts';
import {
  count,
  described,
  flag,
  formatVersion,
  listOf,
  orNull,
  record,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';
import { lockInfoSchema } from '../../model/workspace/lock.ts';

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
  'unasked?': described(text, 'What no trial can ask of the place; omitted for nothing.'),
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
