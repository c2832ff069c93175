// How far this machine's clock is from the service's.

import type { Answer } from './ask-service.ts';
import { passed, skipped, type Verdict, warned } from './verdict.ts';

/** In seconds. */
export const mostClockDifference = 30;

export function checkClock({ clockDifference: difference }: Answer): Verdict {
  if (difference === undefined) return skipped('Omni gave no answer with a time.');
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (seconds <= mostClockDifference) return passed(`Within ${mostClockDifference} s of Omni’s clock.`);
  return warned(
    `This machine’s clock is ${seconds} s ${difference > 0 ? 'behind' : 'ahead of'} Omni’s. The times in the state and in reports are this machine’s, and a signature of the wrong time is refused.`,
    'Synchronise the clock of this machine.',
  );
}
