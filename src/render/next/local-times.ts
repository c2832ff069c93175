// Instants as the clocks of the zone show them in which a report speaks.

import { zoneClock } from '../../cron/zones/zone-clock.ts';
import { memoize } from '../../model/values/memoize.ts';

/** From an instant, ISO 8601, to `YYYY-MM-DDTHH:MM`. */
export type LocalTimes = (at: string) => string;

/** Asking Intl is slow, and the runs of many schedules share their minutes. */
export function localTimesIn(zone: string): LocalTimes {
  if (zone === 'UTC') return (at) => at.slice(0, 16);
  const clock = zoneClock(zone);
  return memoize((at) => new Date(clock.wallAt(Date.parse(at))).toISOString().slice(0, 16));
}
