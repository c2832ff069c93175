// What `almanac status --format json` prints (schemas/status.schema.json): whether the deliveries of each schedule work,
// as far as the service's list tells.

import type { Address } from '../values/address.ts';
import type { TriggeredSchedule } from './trigger-document.ts';

/** The gravest first: in this order they are listed. */
export const healths = ['failed', 'missed', 'stopped', 'fine', 'paused', 'condition-unmet', 'never-ran'] as const;

export type Health = (typeof healths)[number];

/** What somebody has to look at. */
export function needsAttention(health: Health): boolean {
  return health === 'failed' || health === 'missed' || health === 'stopped';
}

/** How a run can end badly, in the words of the service. One that ended with an error may have been delivered to some. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED']);

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}

export interface StatusDocument {
  readonly formatVersion: 1;
  /** ISO 8601, by the clock of the service. */
  readonly at: string;
  /** Those that Almanac manages, by address; with --all the others after them, by name. */
  readonly schedules: readonly ScheduleStatus[];
  /** What the state tracks and the service does not list. */
  readonly gone: readonly { readonly address: Address; readonly id: string }[];
  /** The counts of `schedules`. */
  readonly summary: Readonly<Record<Health, number>> & {
    /** Schedules that Almanac does not manage, and those of them that need attention. Ignored ones do not count. */
    readonly notManaged: { readonly count: number; readonly failing: number };
  };
  /** With --retry: what was delivered again after all of the above was read. */
  readonly retried?: readonly TriggeredSchedule[];
}

export interface ScheduleStatus {
  /** Omitted for a schedule that Almanac does not manage. */
  readonly address?: Address;
  readonly id: string;
  readonly name: string;
  readonly health: Health;
  /** In the words of the service: COMPLETE, ERROR, ERROR_DELIVERED, KILLED, CONDITION_UNMET. */
  readonly lastStatus?: string;
  readonly lastCompletedAt?: string;
  /** The last run that was due, once the tolerance is over. ISO 8601. */
  readonly due?: string;
  /** Why it failed or was stopped. */
  readonly reason?: string;
  /** The name of its owner in Omni. */
  readonly owner?: string;
  /** Who answers for it, as `meta.owner` said when it was applied. */
  readonly metaOwner?: string;
  readonly timezone?: string;
  readonly managed: boolean;
}
