// Which days of one month an expression matches. Pure calendar: no zone, no clock.

import type { Cron, DayOfMonth, DayOfWeek } from './cron.ts';

/**
 * The days (1 to 31, ascending) of a month (1 to 12) on which the day fields match. The caller handles the month and
 * year fields.
 */
export function matchingDays(cron: Cron, year: number, month: number): readonly number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const firstWeekday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const weekdayOf = (day: number) => ((firstWeekday + day - 1) % 7) + 1;
  return cron.dayOfWeek.kind === 'unspecified'
    ? daysOfMonth(cron.dayOfMonth, length, weekdayOf)
    : daysOfWeek(cron.dayOfWeek, length, weekdayOf);
}

type WeekdayOf = (day: number) => number;

function daysOfMonth(field: DayOfMonth, length: number, weekdayOf: WeekdayOf): readonly number[] {
  switch (field.kind) {
    case 'unspecified':
      return [];
    case 'days':
      return field.days.filter((day) => day <= length);
    case 'last':
      return [length];
    case 'last-weekday':
      return [nearestWeekday(length, length, weekdayOf)];
    case 'nearest-weekday':
      return field.day > length ? [] : [nearestWeekday(field.day, length, weekdayOf)];
  }
}

function daysOfWeek(field: DayOfWeek, length: number, weekdayOf: WeekdayOf): readonly number[] {
  if (field.kind === 'unspecified') return [];
  if (field.kind === 'days') {
    const matching: number[] = [];
    for (let day = 1; day <= length; day += 1) if (field.days.includes(weekdayOf(day))) matching.push(day);
    return matching;
  }
  const first = 1 + ((field.day - weekdayOf(1) + 7) % 7);
  const day = field.kind === 'nth' ? first + 7 * (field.nth - 1) : first + 7 * Math.floor((length - first) / 7);
  return day <= length ? [day] : [];
}

/** Monday to Friday nearest to a day, never in another month: the 1st on a Saturday gives Monday the 3rd. */
function nearestWeekday(day: number, length: number, weekdayOf: WeekdayOf): number {
  const weekday = weekdayOf(day);
  if (weekday === 7) return day === 1 ? 3 : day - 1;
  if (weekday === 1) return day === length ? day - 2 : day + 1;
  return day;
}
