// The time by the clock of the service, which says when its schedules ran.

import type { Api } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';

/** Epoch milliseconds; by the clock of this machine before the first answer. */
export function serviceNow(clock: Clock, api: Pick<Api, 'clockDifference'>): number {
  return clock.now() + (api.clockDifference() ?? 0);
}
