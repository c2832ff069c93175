// Schedules that run at the same instants. Thousands of schedules share few expressions and zones, and with them the
// same list of runs, so that counting by timings takes far fewer steps than counting by schedules.

import type { NextRun, NextSchedule } from '../model/plan/next.ts';
import { groupBy } from '../model/values/group-by.ts';

export interface Timing {
  readonly runs: readonly NextRun[];
  /** All with exactly this list of runs. */
  readonly schedules: readonly NextSchedule[];
}

/** In the order of their first schedules. */
export function timingsOf(schedules: readonly NextSchedule[]): readonly Timing[] {
  const byRuns = groupBy(schedules, ({ runs }) => runs);
  return [...byRuns].map(([runs, sharing]) => ({ runs, schedules: sharing }));
}
