// The time, as the core sees it.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some moment, on a clock that nobody sets; it may stand still while the machine sleeps. */
  monotonic(): number;
  /** Resolves after that many milliseconds, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
