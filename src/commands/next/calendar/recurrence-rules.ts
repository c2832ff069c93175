// An expression as recurrence rules of RFC 5545. A rule cannot leave out years, nor say "the weekday nearest to the 15th".
//
// Outlook reads one hour, one minute and one day of the month in a rule, and skips an event whose rule has more
// ([MS-OXCICAL] 2.1.3.2.2). So a few times of a day are an event each, and many times are one rule.

import type { Cron } from '../../../cron/cron.ts';
import { runsOf } from '../../../cron/spell-values.ts';

/** Up to this many times and days of the month have an event each. */
const mostEvents = 4;
export const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const workdays = 'BYDAY=MO,TU,WE,TH,FR';

/** Expressions that together run when this one runs, each of which is one event; always in the same order. */
export function splitIntoEvents(cron: Cron): readonly Cron[] {
  const { hours, minutes } = cron;
  const times = hours.length * minutes.length;
  const days = cron.days.kind === 'of-month' && cron.days.days.length < 31 ? cron.days.days : [];
  let events: readonly Cron[] = runsOf(cron.years).map(({ from, to }) => ({
    ...cron,
    years: cron.years.filter((year) => year >= from && year <= to),
  }));
  if (times <= mostEvents)
    events = events.flatMap((event) =>
      hours.flatMap((hour) => minutes.map((minute) => ({ ...event, hours: [hour], minutes: [minute] }))),
    );
  if (times * days.length <= mostEvents && days.length > 0)
    events = events.flatMap((event) =>
      days.map((day) => ({ ...event, days: { kind: 'of-month', days: [day] } as const })),
    );
  return events;
}

/**
 * The rule of one event, without its end; undefined where no rule says it. Months are left out where all of `months`,
 * those in which the event runs, match: fewer programs know rules with months.
 */
export function recurrenceRule(cron: Cron, months: readonly number[]): string | undefined {
  const days = daysRule(cron);
  if (days === undefined) return undefined;
  return [
    days,
    ...(months.every((month) => cron.months.includes(month)) ? [] : [`BYMONTH=${cron.months.join(',')}`]),
    ...(cron.hours.length === 1 ? [] : [`BYHOUR=${cron.hours.join(',')}`]),
    ...(cron.minutes.length === 1 ? [] : [`BYMINUTE=${cron.minutes.join(',')}`]),
  ].join(';');
}

/**
 * A monthly rule has one day and one time; what has more is a daily rule with limits. ical.js, which Thunderbird has,
 * repeats times in other monthly rules, and never ends where a daily rule counts from the end of the month.
 */
function daysRule({ days, hours, minutes }: Cron): string | undefined {
  const isOnce = hours.length * minutes.length === 1;
  switch (days.kind) {
    case 'of-month':
      if (days.days.length === 31) return 'FREQ=DAILY';
      return `FREQ=${isOnce && days.days.length === 1 ? 'MONTHLY' : 'DAILY'};BYMONTHDAY=${days.days.join(',')}`;
    case 'of-week':
      return days.days.length === 7 ? 'FREQ=DAILY' : `FREQ=WEEKLY;BYDAY=${days.days.map(weekdayOf).join(',')}`;
    case 'last':
      return isOnce ? `FREQ=MONTHLY;BYMONTHDAY=${-1 - days.before}` : undefined;
    case 'last-workday':
      return isOnce ? `FREQ=MONTHLY;${workdays};BYSETPOS=-1` : undefined;
    case 'nearest-workday':
      return isOnce && days.day === 1 ? `FREQ=MONTHLY;${workdays};BYSETPOS=1` : undefined;
    case 'last-weekday':
      return isOnce ? `FREQ=MONTHLY;BYDAY=-1${weekdayOf(days.day)}` : undefined;
    case 'nth-weekday': {
      if (isOnce) return `FREQ=MONTHLY;BYDAY=${days.nth}${weekdayOf(days.day)}`;
      const week = Array.from({ length: 7 }, (_, index) => 7 * days.nth - 6 + index).filter((day) => day <= 31);
      return `FREQ=DAILY;BYDAY=${weekdayOf(days.day)};BYMONTHDAY=${week.join(',')}`;
    }
  }
}

function weekdayOf(day: number): string {
  return weekdays[day - 1] ?? '';
}
