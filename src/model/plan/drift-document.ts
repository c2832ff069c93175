// What `drift --format json` prints: the plan of a look at the service, how far that look went, and on request what it
// found beside the tracked resources.

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
  /** Only with --untracked; sorted by dashboard, name and id. */
  readonly untracked?: readonly UntrackedSchedule[];
  /** How many more are not declared and need not be, by `ignore` in almanac.yaml; left out for none. */
  readonly ignored?: number;
}
