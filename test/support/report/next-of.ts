// The coming runs of expressions, as `almanac next --days` finds them.

import type { NextDocument, NextRun } from '../../../src/commands/next/document.ts';
import { comingRuns } from '../../../src/cron/coming-runs.ts';
import { read } from '../cron/read.ts';

/** Some days of UTC from a date or an instant on; schedules.a0 and so on, the first `most` runs of each. */
export function nextOf(
  schedules: readonly (readonly [expression: string, zone: string])[],
  date: string,
  days: number,
  description = 'in words',
  most = Number.POSITIVE_INFINITY,
): NextDocument {
  const from = Date.parse(date);
  return {
    formatVersion: 1,
    from: new Date(from).toISOString(),
    schedules: schedules.map(([schedule, timezone], index) => {
      const runs: NextRun[] = [];
      for (const { at, local } of comingRuns(read(schedule), timezone, from - 1)) {
        if (at >= from + days * 86_400_000 || runs.length === most) break;
        runs.push({ at: new Date(at).toISOString(), local });
      }
      return { address: `schedules.a${index}`, schedule, timezone, description, runs };
    }),
  };
}
