// How often an expression runs, as far as a warning needs it.

import type { Cron } from './cron.ts';

/**
 * Whether two runs on a matching day are less than 60 minutes apart. Every hour that matches has all the minutes, so two
 * different minutes are at most 59 apart in one hour; a single minute comes back after 60 at the soonest, also past
 * midnight. What a change of clocks does to the distance once a year is left out.
 */
export function firesMoreThanHourly(cron: Cron): boolean {
  return cron.minutes.length > 1;
}
