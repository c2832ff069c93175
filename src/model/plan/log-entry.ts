// The entries of the log of a shared state. Lock, journal, state and release are all entries, so they have one order, and
// a run that was overtaken finds that its next number is taken.

import type { LockInfo, LockRecord } from '../workspace/lock-info.ts';

export const logVersion = 1;

interface Entry {
  readonly v: typeof logVersion;
  /** A UUID. */
  readonly id: string;
  /** Its number in the log, so that no entry can stand in the place of another. */
  readonly n: number;
  /** A UUID of the lock under which it is written; of `unlock`, of the lock that ends. */
  readonly run: string;
  /** ISO 8601, by the clock of the machine that wrote it. */
  readonly at: string;
}

/** From here on the run holds the lock. */
export interface LockEntry extends Entry {
  readonly kind: 'lock';
  readonly info: LockRecord;
  /** Seconds. */
  readonly lease: number;
  /** The run that loses the lock. */
  readonly over?: { readonly run: string; readonly info: LockInfo };
}

/** Adds to the journal and renews the lease. */
export interface LinesEntry extends Entry {
  readonly kind: 'lines';
  /** As they are in a journal file, each with its newline; none to renew the lease only. */
  readonly lines: readonly string[];
}

/** A new state, which ends the journal. Reading may begin here. */
export interface CommitEntry extends Entry {
  readonly kind: 'commit';
  /** As in a state file; empty where there is no state yet. */
  readonly state: string;
  readonly sha256: string;
  readonly serial: number;
  readonly lineage: string;
  readonly info: LockRecord;
  /** How many resources the journal changed that it ends. */
  readonly changes: number;
  /** Whose lock was taken over since the commit before. */
  readonly over?: LockInfo;
  /** The number of the commit before. */
  readonly previous?: number;
  readonly release: boolean;
  /** Seconds; only where the lock is kept. */
  readonly lease?: number;
}

/** From here on nobody holds the lock. */
export interface UnlockEntry extends Entry {
  readonly kind: 'unlock';
  /** Who removed the lock of another run. */
  readonly by?: LockInfo;
}

export type StateLogEntry = LockEntry | LinesEntry | CommitEntry | UnlockEntry;
