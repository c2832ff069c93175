// What `state history` and `state check` print as JSON (schemas/state-history.schema.json, state-check.schema.json).

/** Who holds a lock, or wrote a state. */
export interface RunNote {
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
  /** When it took the lock: ISO 8601, by the clock of its machine. */
  readonly since: string;
  /** In CI. */
  readonly runUrl?: string;
}

export interface StateHistoryDocument {
  readonly formatVersion: 1;
  /** The name of the place. */
  readonly state: string;
  /** Newest first. */
  readonly versions: readonly StateVersionRow[];
  /** Whether older ones were left out. */
  readonly more: boolean;
}

export interface StateVersionRow {
  readonly serial: number;
  readonly lineage: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: RunNote;
  /** How many resources its run changed. */
  readonly changes: number;
  /** The run whose lock was taken over for it. */
  readonly over?: RunNote;
  /** The place that the state was moved to; the row is about the move. */
  readonly movedTo?: string;
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
  /** The place that the state was moved to, or from which it is still arriving. */
  readonly movedTo?: string;
  readonly lock: {
    readonly held: boolean;
    /** Omitted if the lock does not name one. */
    readonly by?: RunNote;
    /** Of a lease: the seconds until another run may take it over. */
    readonly expiresIn?: number;
  };
}
