// The times of a rule that programs read in different ways, because the clocks change.
//
// A time that comes twice is its first occurrence in RFC 5545, as in AWS EventBridge Scheduler; libical takes the second.
// So the rule leaves it out, and its run is an event of its own in UTC.
//
// A time that the clock skips is ignored in RFC 5545, but some programs move it by the change. So it is an exception,
// except where it would land on another run of the rule: they compare exceptions after moving them, and would lose that
// run. There they show the run twice.

import type { ClockChange } from '../../../cron/clock-changes.ts';
import { wallTimes } from '../../../cron/coming-runs.ts';
import type { Cron } from '../../../cron/cron.ts';
import type { NextRun } from '../document.ts';

/** Wall times that match and have no run. `runs` are all runs of `cron` in some time. */
export function skippedTimes(cron: Cron, runs: readonly NextRun[], changes: readonly ClockChange[]): readonly number[] {
  const ahead = changes.filter(({ before, after }) => after > before);
  if (ahead.length === 0) return [];
  const instants = new Set(runs.map(({ at }) => Date.parse(at)));
  return ahead.flatMap(({ at, before, after }) => {
    const skipped: number[] = [];
    for (const wall of wallTimes(cron, at + before)) {
      if (wall >= at + after) break;
      if (!instants.has(wall - before) && !instants.has(wall - after)) skipped.push(wall);
    }
    return skipped;
  });
}

/** The runs whose wall times come twice. `changes` go on for a day after the last run. */
export function runsOfRepeatedTimes(runs: readonly NextRun[], changes: readonly ClockChange[]): ReadonlySet<NextRun> {
  const back = changes.filter(({ before, after }) => after < before);
  if (back.length === 0) return new Set();
  return new Set(
    runs.filter((run) => {
      const at = Date.parse(run.at);
      return back.some((change) => at < change.at && at >= change.at - (change.before - change.after));
    }),
  );
}
