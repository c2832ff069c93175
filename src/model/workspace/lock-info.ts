// Who holds a lock, or wrote a state.

export interface LockInfo {
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
  /** When it took the lock: ISO 8601, by the clock of its machine. */
  readonly since: string;
  /** In CI: the URL of that run. */
  readonly runUrl?: string;
}

/** As it is kept: with what tells whether the process has certainly ended. */
export interface LockRecord extends LockInfo {
  readonly started?: string;
  readonly pidSpace?: string;
  /** Of a machine since it started: host names are not unique. */
  readonly boot?: string;
}
