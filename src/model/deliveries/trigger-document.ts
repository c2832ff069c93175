// What `almanac trigger --format json` prints (schemas/trigger.schema.json): what was sent, and what not, and why.

import type { Address } from '../values/address.ts';

/**
 * `sent`: Omni was asked to deliver it, and agreed. `failed`: it refused, or was not reached, so nothing was sent.
 * `unknown`: the answer was lost. `skipped`: the run ended before, or could not tell whether it is stale. `fresh`: it
 * completed lately. `blocked`: it is not known what became of an earlier one, or of a change.
 */
export const triggerStatuses = ['sent', 'failed', 'unknown', 'skipped', 'fresh', 'blocked'] as const;

export type TriggerStatus = (typeof triggerStatuses)[number];

export interface TriggerDocument {
  readonly formatVersion: 1;
  /** As they were named; the instances of a loop in its place. */
  readonly schedules: readonly TriggeredSchedule[];
  /** The counts of `schedules`. */
  readonly summary: Readonly<Record<TriggerStatus, number>>;
}

export interface TriggeredSchedule {
  readonly address: Address;
  readonly id: string;
  readonly name: string;
  readonly status: TriggerStatus;
  /** Why it was not sent, or why that is not known. */
  readonly message?: string;
  readonly hint?: string;
}

export function triggerDocument(schedules: readonly TriggeredSchedule[]): TriggerDocument {
  const count = (status: TriggerStatus) => schedules.filter((each) => each.status === status).length;
  const counts = triggerStatuses.map((status) => [status, count(status)] as const);
  return { formatVersion: 1, schedules, summary: Object.fromEntries(counts) as Record<TriggerStatus, number> };
}

/** Whether nothing is left to do: it was sent, or completed lately. */
export function isDelivered({ status }: TriggeredSchedule): boolean {
  return status === 'sent' || status === 'fresh';
}
