// Minutes in which many deliveries are due: each renders a dashboard, and all of them wait for the same warehouse.

import type { NextSchedule } from '../model/plan/next.ts';

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
  const byMinute = new Map<string, string[]>();
  for (const { address, runs } of schedules) {
    for (const { at } of runs) {
      const due = byMinute.get(at);
      if (due === undefined) byMinute.set(at, [address]);
      else due.push(address);
    }
  }
  return [...byMinute]
    .filter(([, { length }]) => length > most)
    .map(([at, due]) => ({ at, count: due.length, examples: due.slice(0, mostExamples) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}
