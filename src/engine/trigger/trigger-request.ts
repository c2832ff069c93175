// What is asked of a trigger, and what became of each schedule.

import type { TriggeredSchedule } from '../../model/deliveries/trigger-document.ts';
import type { Address } from '../../model/values/address.ts';
import type { Loaded } from '../load/load.ts';

export interface TriggerRequest {
  readonly loaded: Loaded;
  /** Of schedules, or of loops: these mean all their instances. */
  readonly addresses: readonly Address[];
  /** Tags, owners and patterns of addresses. What is paused is left out, because Omni refuses to deliver it. */
  readonly select?: readonly string[] | undefined;
  /** Milliseconds: leaves out what completed since. */
  readonly ifStale?: number | undefined;
  /** The most deliveries of one run. */
  readonly max: number;
}

/** Of a schedule that is known by its address. */
export type Triggered = Omit<TriggeredSchedule, 'id' | 'name'>;
