// The contract of a place for a shared state: it keeps one log of numbered entries, of which each is written once, by
// whoever is first. Lock, journal, state and release are entries of it (state/log).

/** Numbered from 1 without a gap; never changed once written. */
export interface LogEntry {
  readonly n: number;
  readonly bytes: Uint8Array;
}

export interface NewEntry {
  /** A UUID of its own that tells whether an existing entry is this one. It is also inside the bytes. */
  readonly id: string;
  readonly kind: 'lock' | 'lines' | 'commit' | 'unlock';
  readonly bytes: Uint8Array;
  /** The text of the state, for people who look at the place; only in a commit, at which reading may begin. */
  readonly snapshot?: string;
  /** One line for people, such as `Apply: 12 changes (serial 8)`. */
  readonly title: string;
}

/** Calls that are given a signal throw Failure interrupted when it aborts. */
export interface StateLog {
  /** The name that users see, without credentials. */
  readonly name: string;
  /** True if entries are compressed on their way, and the text of a new state goes along with its entry. */
  readonly packs?: true;
  /** The least milliseconds between two appends when many follow each other; 0 for none. */
  readonly paceMs: number;
  /**
   * Checks that the place is fit and that everything an apply needs is allowed: writes what an apply writes, beside the log and
   * never into it, reads it, and takes it back where that is allowed. Stops no run that is under way. Throws Failure
   * state-backend-unfit, or state-unreadable and state-unwritable, which name the permission that lacks.
   */
  probe(signal?: AbortSignal): Promise<void>;
  /** What `probe` cannot ask, the beginning of a sentence; undefined for nothing. */
  readonly unasked?: string | undefined;
  /** A clause that names what the last `read` did not find in an existing place, such as a table; undefined for nothing. */
  readonly lacks?: string | undefined;
  /**
   * The entries after `after`, in order and without a gap, from the newest commit at the earliest: it alone may be more than
   * `after + 1`. Sees every append that has returned. Empty where the place has no entry yet; a place that does not exist,
   * or may not be read, is a Failure state-unreadable and never empty.
   */
  read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]>;
  /** One entry, however old; undefined if it does not exist. */
  entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined>;
  /**
   * Writes entry n, where n - 1 is the newest; durable on return. `taken` where n is another's. If an answer was lost, it
   * looks whose entry n is before it says either. Throws Failure state-unwritable where that cannot be found out, and
   * EntryTooLarge.
   */
  append(n: number, entry: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'>;
  /** Never throws. */
  close(): Promise<void>;
}
