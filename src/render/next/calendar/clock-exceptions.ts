// The times of a rule that programs read in different ways, because the clocks change.
//
// A time that comes twice is its first occurrence in RFC 5545, as in AWS EventBridge Scheduler; libical takes the second.
// A time that the clock skips is ignored in RFC 5545; some programs move it by the change, and compare exceptions after
// that. So the rule leaves out all these times, and the runs among them are events of their own in UTC.

import { wallTimes } from '../../../cron/coming-runs.ts';
import type { Cron } from '../../../cron/cron.ts';
import type { ClockChange } from '../../../cron/zones/clock-changes.ts';
import type { NextRun } from '../../../model/plan/next.ts';

export interface ClockExceptions {
  /** Wall times that match and have no run. */
  readonly skipped: readonly number[];
  /** The runs that a rule does not give in every program. */
  readonly unclear: ReadonlySet<NextRun>;
}

/** `runs` are the runs of `cron`; `changes` are the changes of its zone from the first run to a day after the last. */
export function clockExceptions(
  cron: Cron,
  runs: readonly NextRun[],
  changes: readonly ClockChange[],
): ClockExceptions {
  const skipped = changes.flatMap((change) => skippedBy(change, cron));
  const moved = new Set(skipped.flatMap(({ instants }) => instants));
  const back = changes.filter(({ before, after }) => after < before);
  const unclear = runs.filter((run) => {
    const at = Date.parse(run.at);
    return moved.has(at) || back.some((change) => at < change.at && at >= change.at - (change.before - change.after));
  });
  return { skipped: skipped.map(({ wall }) => wall), unclear: new Set(unclear) };
}

/** Wall times that match and that a change skips, with the instants at which programs may place them. */
function skippedBy({ at, before, after }: ClockChange, cron: Cron): { wall: number; instants: number[] }[] {
  const skipped: { wall: number; instants: number[] }[] = [];
  if (after < before) return skipped;
  for (const wall of wallTimes(cron, at + before)) {
    if (wall >= at + after) break;
    skipped.push({ wall, instants: [wall - before, wall - after] });
  }
  return skipped;
}
