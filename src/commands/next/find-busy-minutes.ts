// Minutes in which many deliveries are due.

import { groupBy } from '../../model/values/collections.ts';

/**
 * Minutes in which many deliveries are due: each renders a dashboard, and all of them wait for the same warehouse.
 */
export interface BusyMinute {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly count: number;
  /** The addresses of some of the deliveries. */
  readonly examples: readonly string[];
}

interface ComingDeliveries {
  readonly address: string;
  /** ISO 8601, UTC. */
  readonly runs: readonly { readonly at: string }[];
}

const mostExamples = 3;

/** The minutes with more than `most` deliveries, in order. */
export function busyMinutes(schedules: readonly ComingDeliveries[], most: number): readonly BusyMinute[] {
  const due = schedules.flatMap(({ address, runs }) => runs.map(({ at }) => ({ at, address })));
  return [...groupBy(due, ({ at }) => at)]
    .filter(([, { length }]) => length > most)
    .map(([at, group]) => {
      const examples = group.slice(0, mostExamples).map(({ address }) => address);
      return { at, count: group.length, examples };
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}
