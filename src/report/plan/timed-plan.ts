// The runs of a plan's schedules in words, computed once when it is shown. No document has them, because they depend on
// the time of reading.

import { type Delivery, deliveredBy, idleOf } from '../../model/fields/delivery.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import { safeText } from '../text/terminal-text.ts';

export interface CronWords {
  /** `at 09:00 on Monday`. */
  words(expression: string): string;
  /** The next run in the zone's own time, without the zone's name: `2026-11-23T09:00`; undefined if none comes. */
  nextRun(expression: string, zone: string): string | undefined;
  /** Words about times that clocks skip or repeat, and the effect; undefined if they do not. */
  clockWords(expression: string, zone: string): string | undefined;
}

export interface TimingWords {
  /** `at 09:00 on Monday`. */
  readonly words?: string | undefined;
  /** `next 2026-11-23 09:00 Europe/London`. */
  readonly next?: string | undefined;
  /** For a coming run: `On 2027-03-14 clocks in Europe/London skip 01:30; Omni may skip or repeat the run`. */
  readonly clocks?: string | undefined;
}

export interface Timings {
  readonly before?: TimingWords | undefined;
  readonly after?: TimingWords | undefined;
}

export interface TimedChange extends Change {
  readonly timings?: Timings;
}

export interface TimedPlan extends PlanDocument {
  readonly changes: readonly TimedChange[];
}

export function timePlan<P extends PlanDocument>(plan: P, cron: CronWords): P & TimedPlan {
  const changes = plan.changes.map((change) => {
    const delivered = deliveredBy(change);
    const [before, planned] = [timingOf(delivered.before, cron), timingOf(delivered.after, cron)];
    const after = planned && { clocks: clocksOf(delivered.after, cron), ...planned };
    // A resource without a cron expression does not run again by itself.
    return before === undefined && after === undefined ? change : { timings: { before, after }, ...change };
  });
  return { ...plan, changes };
}

function timingOf(delivery: Delivery | undefined, cron: CronWords): TimingWords | undefined {
  const { schedule: expression, timezone: zone } = delivery?.when ?? {};
  if (expression === undefined) return undefined;
  const words = safeText(cron.words(expression));
  if (zone === undefined) return { words };
  const next = cron.nextRun(expression, zone);
  return {
    words,
    next: next === undefined ? 'never runs again' : `next ${safeText(next).replace('T', ' ')} ${safeText(zone)}`,
  };
}

function clocksOf(delivery: Delivery | undefined, cron: CronWords): string | undefined {
  const { schedule: expression, timezone: zone } = delivery?.when ?? {};
  if (delivery === undefined || expression === undefined || zone === undefined) return undefined;
  const clocks = idleOf(delivery) === undefined ? cron.clockWords(expression, zone) : undefined;
  return clocks && safeText(clocks);
}

/** The parts on which all agree. */
export function commonTiming(timings: readonly (TimingWords | undefined)[]): TimingWords {
  const shared = (part: keyof TimingWords) =>
    timings.every((timing) => timing?.[part] === timings[0]?.[part]) ? timings[0]?.[part] : undefined;
  return { words: shared('words'), next: shared('next'), clocks: shared('clocks') };
}

/** `at 09:00 on Monday, next 2026-11-23 09:00 Europe/London`; undefined without either. */
export function timingText({ words, next }: TimingWords): string | undefined {
  const parts = [words, next].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}
