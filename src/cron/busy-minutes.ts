// Minutes in which many deliveries are due: each renders a dashboard, and all of them wait for the same warehouse.

import type { NextSchedule } from '../model/plan/next.ts';

export interface BusyMinute {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** In the order of the schedules. */
  readonly addresses: readonly string[];
}

/** The minutes with more than `most` deliveries, in order. */
export function busyMinutes(schedules: readonly NextSchedule[], most: number): readonly BusyMinute[] {
  const byMinute = new Map<string, string[]>();
  for (const { address, runs } of schedules) {
    for (const { at } of runs) {
      const known = byMinute.get(at);
      if (known === undefined) byMinute.set(at, [address]);
      else known.push(address);
    }
  }
  return [...byMinute]
    .filter(([, addresses]) => addresses.length > most)
    .map(([at, addresses]) => ({ at, addresses }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}
