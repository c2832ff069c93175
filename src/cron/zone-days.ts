// The days of a zone. A day is named by the wall time of its midnight, which is the same number in every zone.

import { dayMs, minuteMs, zoneClock } from './time-zone.ts';

/** The midnight (wall time) of the day that an instant belongs to. */
export function dayAt(zone: string, instant: number): number {
  return Math.floor(zoneClock(zone).wallAt(instant) / dayMs) * dayMs;
}

/** The first instant of a day. Where clocks skip midnight, or the whole day, the first instant after the gap. */
export function startOfDay(zone: string, midnight: number): number {
  const clock = zoneClock(zone);
  for (let wall = midnight; wall < midnight + 2 * dayMs; wall += minuteMs) {
    const at = clock.instantOf(wall);
    if (at !== undefined) return at;
  }
  return midnight;
}

/** `2026-11-23`. */
export function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
