// What `drift --format json` prints: the plan of a look at the service, how far that look went, and on request what it
// found beside the tracked resources.

import type { Address } from '../values/address.ts';
import type { Pointer } from '../values/pointer.ts';
import type { PlanDocument } from './plan.ts';

/** A schedule that no declaration, no adopt entry and no state knows. What the service does not tell is left out. */
export interface UntrackedSchedule {
  readonly id: string;
  readonly name?: string;
  /** The dashboard's short identifier. */
  readonly identifier?: string;
  readonly dashboardName?: string;
  readonly owner?: string;
  /** As the service writes it. */
  readonly lastRunAt?: string;
}

export interface DriftDocument extends PlanDocument {
  /** The schedules of which only the row in the list was compared. */
  readonly detailsNotCompared: number;
  /** The schedules with a secret that nothing could be compared with; left out for none. */
  readonly secretsNotCompared?: number;
  /** What others changed to what is declared now: no drift, but the state does not know it yet. Left out for none. */
  readonly asDeclared?: readonly Address[];
  /** Only with --untracked; sorted by dashboard, name and id. */
  readonly untracked?: readonly UntrackedSchedule[];
  /** How many more are untracked and may stay so, by `ignore` in almanac.yaml; left out for none. */
  readonly ignored?: number;
  /** Only with --write. */
  readonly written?: readonly WrittenField[];
  readonly notWritten?: readonly NotWrittenField[];
}

/** A field of a resource that now has the value that Omni has, and the place that was edited for it. */
export interface WrittenField {
  readonly address: Address;
  /** Of the field, in the resource. */
  readonly path: Pointer;
  readonly file: string;
  readonly line: number;
}

/** Why a change cannot be written into the source files; a closed list. */
export const notWrittenReasons = {
  gone: 'it is gone from Omni',
  'not-declared': 'it is not declared',
  'declaration-changed': 'its declaration was changed as well',
  secret: 'the value is secret',
  sink: 'the sink of the environment replaces the value',
  'partly-reference': 'the value is partly a reference',
  'no-value': 'the declaration gives a value, and no value means none',
  'used-elsewhere': 'the same text is the value of something else that did not change alike',
  items: 'the items of the loop cannot hold the value, or all of them would have to be rewritten',
  invalid: 'the declaration would not be valid',
  'read-only': 'the file is read-only',
  layout: 'the layout of the file cannot be edited',
  unproven: 'the plan would still differ',
} as const;

export type NotWrittenReason = keyof typeof notWrittenReasons;

export interface NotWrittenField {
  readonly address: Address;
  /** Of the field, in the resource; empty for the whole resource. */
  readonly path: Pointer;
  readonly reason: NotWrittenReason;
  /** In full sentences, with the way out. */
  readonly message: string;
}
