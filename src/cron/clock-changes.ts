// The changes of a clock, found by asking for its offset again and again: Intl has no list of them.

import { dayMs, zoneClock } from './time-zone.ts';

export interface ClockChange {
  /** The first instant with the new offset, epoch milliseconds. */
  readonly at: number;
  /** Wall time minus instant before the change and after it, in milliseconds. */
  readonly before: number;
  readonly after: number;
}

/** Shorter than the time between any two changes of one zone since 1970. */
const stepMs = 4 * dayMs;

/** The changes after `from` and up to `until` (epoch milliseconds), ascending. */
export function clockChanges(zone: string, from: number, until: number): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  const offsetAt = (instant: number) => zoneClock(zone).wallAt(instant) - instant;
  let known = Math.floor(from / 1000) * 1000;
  let before = offsetAt(known);
  while (known < until) {
    const next = Math.min(known + stepMs, Math.ceil(until / 1000) * 1000);
    const after = offsetAt(next);
    if (after !== before) changes.push({ at: firstSecond(known, next, (at) => offsetAt(at) === after), before, after });
    [known, before] = [next, after];
  }
  return changes;
}

/** The first whole second for which `holds` says yes, which it does for `high` and everything near before it. */
function firstSecond(low: number, high: number, holds: (at: number) => boolean): number {
  let [no, yes] = [low / 1000, high / 1000];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle * 1000)) yes = middle;
    else no = middle;
  }
  return yes * 1000;
}
