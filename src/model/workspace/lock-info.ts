// Who holds a lock.

export interface LockInfo {
  readonly who: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
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
