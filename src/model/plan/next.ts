// The coming runs of schedules: the document that `next --format json` prints.

import type { Address } from '../values/address.ts';

export interface NextDocument {
  readonly formatVersion: 1;
  /** ISO 8601, UTC; the runs come after it, or with --days or --at at it or after it. */
  readonly from: string;
  readonly schedules: readonly NextSchedule[];
}

export interface NextSchedule {
  readonly address: Address;
  readonly schedule: string;
  readonly timezone: string;
  /** The schedule in words: `at 09:00 on Monday`. */
  readonly description: string;
  /** Ascending; empty if it never runs again, or not on the requested days. */
  readonly runs: readonly NextRun[];
}

export interface NextRun {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Wall time in the schedule's zone, `YYYY-MM-DDTHH:MM`. */
  readonly local: string;
}
