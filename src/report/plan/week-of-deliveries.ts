// Counts deliveries in each hour of a week, before and after a plan.

import { runsInWeek, weekFrom } from '../../cron/coming-runs.ts';
import { type Delivery, deliveredBy, idleOf } from '../../model/fields/delivery.ts';
import { type Change, leavesOrphan, type PlanDocument } from '../../model/plan/plan.ts';
import type { Kind } from '../../model/values/address.ts';
import { byCodeUnit } from '../../model/values/json.ts';

/**
 * How many deliveries fall into each hour of a week, before a plan and after it. Each schedule counts at the time that
 * the clocks in its own zone show. Only the plan document is used, so unchanged schedules are not counted.
 */
export interface WeekOfDeliveries {
  /** Seven dates, `YYYY-MM-DD`. */
  readonly days: readonly string[];
  readonly before: HourCounts;
  readonly after: HourCounts;
  /** Of the schedules that count. */
  readonly zones: readonly string[];
  /** Of what counts. */
  readonly kinds: ReadonlySet<Kind>;
  /** Of each that starts, stops or moves, and delivers on none of these days. */
  readonly outside: readonly Kind[];
}

/** By day and hour: `counts[day][hour]`, 7 by 24. */
export type HourCounts = readonly (readonly number[])[];

/** Of the seven days that begin with the day of `now` (epoch milliseconds) in UTC. */
export function weekOfDeliveries({ changes, operations }: PlanDocument, now: number): WeekOfDeliveries {
  const days = weekFrom(now);
  const [before, after] = [emptyCounts(), emptyCounts()];
  const known = new Map<string, HourCounts>();
  const count = (counts: number[][], delivery: Delivery | undefined): CountedReceiver => {
    const timing = timingOf(delivery);
    if (timing === undefined) return nothing;
    const key = timing.join('\n');
    const hours = known.get(key) ?? hoursOf(timing, days);
    known.set(key, hours);
    hours.forEach((row, day) => {
      row.forEach((runs, hour) => {
        const counted = counts[day];
        if (counted !== undefined) counted[hour] = (counted[hour] ?? 0) + runs;
      });
    });
    return { key, isInside: hours.flat().some((runs) => runs > 0) };
  };
  const kinds = new Set<Kind>();
  const outside: Kind[] = [];
  for (const change of changes) {
    if (change.action === 'run') continue;
    const delivered = deliveredBy(change);
    const was =
      change.action === 'adopt' ? delivered.after : change.reason === 'missing' ? undefined : delivered.before;
    if ([was, delivered.after].some((delivery) => timingOf(delivery) !== undefined)) kinds.add(change.kind);
    const earlier = count(before, was);
    // A schedule that is no longer tracked still delivers.
    const keptRunning = leavesOrphan(change, operations) || keepsRunning(change) ? count(after, was) : nothing;
    const later = count(after, delivered.after);
    const isSame = later.key === earlier.key || (keptRunning !== nothing && later === nothing);
    if (!isSame && !earlier.isInside && !later.isInside) outside.push(change.kind);
  }
  const zones = new Set([...known.keys()].map((key) => key.slice(key.indexOf('\n') + 1)));
  return { days, before, after, zones: [...zones].sort(byCodeUnit), kinds, outside };
}

interface CountedReceiver {
  readonly key: string;
  /** Whether it delivers on one of the days. */
  readonly isInside: boolean;
}

const nothing: CountedReceiver = { key: '', isInside: false };

function keepsRunning({ action, reason }: Change): boolean {
  return action === 'forget' && reason === 'removed';
}

type CronAndZone = readonly [expression: string, zone: string];

/** Undefined for what doesn't deliver by itself. */
function timingOf(delivery: Delivery | undefined): CronAndZone | undefined {
  const { schedule, timezone } = delivery?.when ?? {};
  if (delivery === undefined || schedule === undefined || timezone === undefined) return undefined;
  return idleOf(delivery) === undefined ? [schedule, timezone] : undefined;
}

function hoursOf([expression, timezone]: CronAndZone, days: readonly string[]): HourCounts {
  const counts = emptyCounts();
  for (const local of runsInWeek(expression, timezone, days)) {
    const [date = '', time = ''] = local.split('T');
    const hours = counts[days.indexOf(date)];
    const hour = Number(time.slice(0, 2));
    if (hours !== undefined) hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return counts;
}

function emptyCounts(): number[][] {
  return Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
}
