// Which days of one month an expression matches. Pure calendar: no zone, no clock.

import type { Days } from './cron.ts';

/** The days (1 to 31, ascending) of a month (1 to 12). */
export function matchingDays(days: Days, year: number, month: number): readonly number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const firstWeekday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const weekdayOf = (day: number) => ((firstWeekday + day - 1) % 7) + 1;
  const ifInMonth = (day: number) => (day <= length ? [day] : []);
  /** Monday to Friday nearest to a day, never in another month: the 1st on a Saturday gives Monday the 3rd. */
  const workdayNear = (day: number) => {
    if (weekdayOf(day) === 7) return day === 1 ? 3 : day - 1;
    if (weekdayOf(day) === 1) return day === length ? day - 2 : day + 1;
    return day;
  };
  switch (days.kind) {
    case 'of-month':
      return days.days.flatMap(ifInMonth);
    case 'of-week':
      return Array.from({ length }, (_, index) => index + 1).filter((day) => days.days.includes(weekdayOf(day)));
    case 'last':
      return days.before < length ? [length - days.before] : [];
    case 'last-workday':
      return [workdayNear(length)];
    case 'nearest-workday':
      return ifInMonth(days.day).map(workdayNear);
    case 'last-weekday':
      return [length - ((weekdayOf(length) - days.day + 7) % 7)];
    case 'nth-weekday':
      return ifInMonth(1 + ((days.day - weekdayOf(1) + 7) % 7) + 7 * (days.nth - 1));
  }
}
