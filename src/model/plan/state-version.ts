// A state that was written, as `state history` lists it.

import { count, described, instant, record, type TypeOf, text } from '../values/schema.ts';
import { lockInfoSchema } from '../workspace/lock.ts';

export const versionSchema = record({
  serial: count,
  lineage: text,
  at: described(instant, 'By the clock of the machine that wrote it.'),
  by: lockInfoSchema,
  changes: described(count, 'How many resources its run changed; 0 for a repair, a push and a move.'),
  'over?': described(lockInfoSchema, 'The run whose lock was taken over.'),
});
/** A state that was written, and by whom. */
export type StateVersion = TypeOf<typeof versionSchema>;
