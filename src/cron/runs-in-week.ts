// The runs of a schedule in a week, at the times that the clocks in its own zone show.

import { checkTimeZone } from './check-time-zone.ts';
import { comingRuns } from './coming-runs.ts';
import { parseCron } from './parse-cron.ts';
import { dayMs } from './time-zone.ts';

const daysInWeek = 7;

/** Seven dates, `YYYY-MM-DD`, that begin with the day of `now` (epoch milliseconds) in UTC. */
export function weekFrom(now: number): readonly string[] {
  const first = Math.floor(now / dayMs) * dayMs;
  return Array.from({ length: daysInWeek }, (_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10));
}

/** Wall times, `YYYY-MM-DDTHH:MM`, ascending; none where the expression or the zone cannot be read. */
export function runsInWeek(expression: string, timezone: string, days: readonly string[]): readonly string[] {
  const { cron } = parseCron(expression);
  const { zone } = checkTimeZone(timezone);
  if (cron === undefined || zone === undefined) return [];
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const runs: string[] = [];
  // No zone is further from UTC than a day.
  for (const { local } of comingRuns(cron, zone, Date.parse(first) - dayMs)) {
    const date = local.slice(0, 10);
    if (date > last) break;
    if (date >= first) runs.push(local);
  }
  return runs;
}
