// The entries of the log of a shared state. Lock, journal, state and release are all entries, so they have one order, and
// a run that was overtaken finds that its next number is taken.

import {
  constant,
  count,
  digest,
  flag,
  listOf,
  nonEmptyText,
  openRecord,
  positive,
  schemaOf,
  serial,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { lockRecordSchema } from '../workspace/lock-info.ts';

export const logVersion = 1;

const seconds = schemaOf<number>({ type: 'number', exclusiveMinimum: 0 });

const ofEntry = {
  v: constant(logVersion),
  // A UUID.
  id: nonEmptyText,
  // Its number in the log, so that no entry can stand in the place of another.
  n: positive,
  // The UUID of the lock under which it is written; of `unlock`, of the lock that ends.
  run: nonEmptyText,
  // ISO 8601, by the clock of the machine that wrote it.
  at: text,
};

/** Open: a later version may add what an earlier one need not know. What it must know has another `v`. */
export const logSchemas = {
  /** From here on the run holds the lock; `over` is the run that loses it. */
  lock: openRecord({
    ...ofEntry,
    kind: constant('lock'),
    info: lockRecordSchema,
    lease: seconds,
    'over?': openRecord({ run: nonEmptyText, info: lockRecordSchema }),
  }),
  /** Adds to the journal and renews the lease. */
  lines: openRecord({
    ...ofEntry,
    kind: constant('lines'),
    // As they are in a journal file, each with its newline; none to renew the lease only.
    lines: listOf(text),
  }),
  /** A new state, which ends the journal. Reading may begin here. */
  commit: openRecord({
    ...ofEntry,
    kind: constant('commit'),
    // As in a state file; empty where there is no state yet.
    state: text,
    sha256: digest,
    serial,
    lineage: text,
    info: lockRecordSchema,
    // How many resources the journal changed that it ends.
    changes: count,
    // Whose lock was taken over since the commit before.
    'over?': lockRecordSchema,
    // The number of the commit before.
    'previous?': positive,
    release: flag,
    // Only where the lock is kept.
    'lease?': seconds,
  }),
  /** From here on nobody holds the lock; `by` removed the lock of another run. */
  unlock: openRecord({ ...ofEntry, kind: constant('unlock'), 'by?': lockRecordSchema }),
};

export type LockEntry = TypeOf<typeof logSchemas.lock>;
export type LinesEntry = TypeOf<typeof logSchemas.lines>;
export type CommitEntry = TypeOf<typeof logSchemas.commit>;
export type UnlockEntry = TypeOf<typeof logSchemas.unlock>;
export type StateLogEntry = LockEntry | LinesEntry | CommitEntry | UnlockEntry;
