// Who holds a lock, or wrote a state.

import { described, instant, openRecord, positive, record, schemaOf, type TypeOf, text } from '../values/schema.ts';

export const lockInfoSchema = record({
  who: text,
  host: text,
  pid: positive,
  command: text,
  // By the clock of its machine.
  since: described(instant, 'When it took the lock.'),
  'runUrl?': described(text, 'In CI: the address of that run.'),
});
export type LockInfo = TypeOf<typeof lockInfoSchema>;

/**
 * As it is kept: with what tells whether the process has certainly ended. Open: a lock of another version may hold more
 * fields, and its holder must still be named.
 */
export const lockRecordSchema = openRecord({
  who: text,
  host: text,
  pid: schemaOf<number>({ ...positive, maximum: Number.MAX_SAFE_INTEGER }),
  command: text,
  since: text,
  'runUrl?': text,
  'started?': text,
  'pidSpace?': text,
  // Of a machine since it started: host names are not unique.
  'boot?': text,
});
export type LockRecord = TypeOf<typeof lockRecordSchema>;
