// The difference between the service's clock and ours, measured from the `Date` header of its answers.

import type { Clock } from '../../ports/clock.ts';
import { httpDate } from './retry.ts';

export interface ServiceClock {
  /** Takes the `Date` header of an answer that has just arrived. */
  measure(date: string | undefined): void;
  /** Milliseconds by which the service is ahead, to a second; undefined until an answer had a date. */
  difference(): number | undefined;
}

export function makeServiceClock(clock: Clock): ServiceClock {
  let difference: number | undefined;
  return {
    measure: (date) => {
      const time = httpDate(date?.trim() ?? '');
      if (time !== undefined) difference = time - clock.now();
    },
    difference: () => difference,
  };
}
