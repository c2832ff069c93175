// The requests of a run as they are sent, whatever they are for: the rate limit counts them all.

import { rateWindowSeconds } from '../../model/values/rate.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Tally {
  readonly onRequest: () => void;
  sent(): number;
  /** Those that the rate limit still counts. */
  sentLately(): number;
}

export function makeTally(clock: Clock): Tally {
  const times: number[] = [];
  return {
    onRequest: () => times.push(clock.now()),
    sent: () => times.length,
    sentLately: () => times.filter((at) => at > clock.now() - rateWindowSeconds * 1000).length,
  };
}
