// Minutes in which many deliveries are due: each renders a dashboard, and all of them wait for the same warehouse.

import type { NextSchedule } from '../model/plan/next.ts';
import { type Timing, timingsOf } from './timings.ts';

export interface BusyMinute {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly count: number;
  /** The addresses of some of the deliveries. */
  readonly examples: readonly string[];
}

const mostExamples = 3;

/** The minutes with more than `most` deliveries, in order. */
export function busyMinutes(schedules: readonly NextSchedule[], most: number): readonly BusyMinute[] {
  const byMinute = new Map<string, Timing[]>();
  for (const timing of timingsOf(schedules)) {
    for (const { at } of timing.runs) {
      const known = byMinute.get(at);
      if (known === undefined) byMinute.set(at, [timing]);
      else known.push(timing);
    }
  }
  return [...byMinute]
    .map(([at, timings]) => ({ at, count: timings.reduce((sum, timing) => sum + timing.schedules.length, 0), timings }))
    .filter(({ count }) => count > most)
    .map(({ at, count, timings }) => ({ at, count, examples: examplesOf(timings) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

function examplesOf(timings: readonly Timing[]): readonly string[] {
  const first = timings.slice(0, mostExamples).flatMap(({ schedules }) => schedules.slice(0, mostExamples));
  return first.slice(0, mostExamples).map(({ address }) => address);
}
