// How far this machine's clock is from the service's. An apply that looks for a create whose answer was lost judges by
// time: it allows two minutes, of which a synchronised clock needs a second. The limit leaves most of them.

import type { Answer } from './ask-service.ts';
import { passed, skipped, type Verdict, warned } from './verdict.ts';

/** In seconds. */
export const mostClockDifference = 30;

export function checkClock(answers: readonly Answer[]): Verdict {
  const difference = answers.find(({ clockDifference }) => clockDifference !== undefined)?.clockDifference;
  if (difference === undefined) return skipped('Omni gave no answer with a time.');
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (seconds <= mostClockDifference) return passed(`Within ${mostClockDifference} s of Omni’s clock.`);
  return warned(
    `This machine’s clock is ${seconds} s ${difference > 0 ? 'behind' : 'ahead of'} Omni’s. After a lost answer, Almanac looks for what it created by time.`,
    'Synchronise the clock of this machine.',
  );
}
