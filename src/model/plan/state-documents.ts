// What `state history` and `state check` print as JSON (schemas/state-history.schema.json, state-check.schema.json).

import type { LockInfo } from '../workspace/lock-info.ts';

export interface StateHistoryDocument {
  readonly formatVersion: 1;
  /** The name of the place. */
  readonly state: string;
  /** Newest first. */
  readonly versions: readonly StateVersion[];
  /** Whether older ones were left out. */
  readonly more: boolean;
}

/** A state that was written, and by whom. */
export interface StateVersion {
  readonly serial: number;
  readonly lineage: string;
  /** ISO 8601, by the clock of the machine that wrote it. */
  readonly at: string;
  readonly by: LockInfo;
  /** How many resources its run changed, as its journal says. */
  readonly changes: number;
  /** The run whose lock was taken over for it. */
  readonly over?: LockInfo;
}

export interface StateCheckDocument {
  readonly formatVersion: 1;
  /** The name of the place. */
  readonly state: string;
  /** Whether many machines can use it. */
  readonly shared: boolean;
  /** What is there; null if there is no state yet. */
  readonly held: {
    readonly lineage: string;
    readonly serial: number;
    readonly resources: number;
  } | null;
  readonly lock: {
    readonly held: boolean;
    /** Omitted if the lock does not name one. */
    readonly by?: LockInfo;
    /** Of a lease: the seconds until another run may take it over. */
    readonly expiresIn?: number;
  };
}
