// When a schedule runs as short words for keys: `monday`, `weekdays`, `month-end`, `0800`. Also the order of a day's runs.

import type { Cron } from '../../../cron/cron.ts';
import { parseCron } from '../../../cron/parse-cron.ts';

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];
/** More than that are a pattern, and no list that a name could hold. */
const mostNamed = 3;

/** Empty where no short word says it. */
export function dayLabel(expression: string): string {
  const { cron } = parseCron(expression);
  if (cron === undefined) return '';
  return [monthsLabel(cron.months), daysLabel(cron)].filter((text) => text !== '').join('-');
}

/** `0800`; of several times the first and the second; `hourly` where each hour has a run. */
export function timeLabel(expression: string): string {
  const { cron } = parseCron(expression);
  if (cron === undefined) return '';
  const { hours, minutes } = cron;
  if (hours.length === 24) return minutes.length === 1 ? 'hourly' : `every-${Math.round(60 / minutes.length)}-minutes`;
  const [minute = 0] = minutes;
  if (hours.length > mostNamed) return `${clock(hours[0] ?? 0, minute)}-to-${clock(hours.at(-1) ?? 0, minute)}`;
  return hours.map((hour) => clock(hour, minute)).join('-');
}

/** The minute of the day of the first run, for sorting; -1 where the expression is not valid. */
export function firstMinute(expression: string): number {
  const { cron } = parseCron(expression);
  return cron === undefined ? -1 : (cron.hours[0] ?? 0) * 60 + (cron.minutes[0] ?? 0);
}

function clock(hour: number, minute: number): string {
  return String(hour).padStart(2, '0') + String(minute).padStart(2, '0');
}

function monthsLabel(months: readonly number[]): string {
  if (months.length === 12) return '';
  const isQuarterly = months.length === 4 && months.every((month, index) => month === (months[0] ?? 0) + index * 3);
  if (isQuarterly) return 'quarterly';
  return months.length > mostNamed ? '' : months.map((month) => monthNames[month - 1]).join('-');
}

function daysLabel({ days }: Cron): string {
  switch (days.kind) {
    case 'of-month':
      return ofMonth(days.days);
    case 'of-week':
      return ofWeek(days.days);
    case 'last':
      return 'month-end';
    case 'last-workday':
      return 'last-weekday';
    case 'nearest-workday':
      return `weekday-near-${ordinalOf(days.day)}`;
    case 'last-weekday':
      return `last-${dayNames[days.day - 1]}`;
    case 'nth-weekday':
      return `${ordinals[days.nth - 1]}-${dayNames[days.day - 1]}`;
  }
}

function ofMonth(days: readonly number[]): string {
  if (days.length === 31) return 'daily';
  return days.length > mostNamed ? `from-${ordinalOf(days[0] ?? 1)}` : days.map(ordinalOf).join('-');
}

function ofWeek(days: readonly number[]): string {
  if (days.length === 7) return 'daily';
  if (days.join() === '2,3,4,5,6') return 'weekdays';
  if (days.join() === '1,7') return 'weekend';
  if (days.length > mostNamed) return `${dayNames[(days[0] ?? 1) - 1]}-to-${dayNames[(days.at(-1) ?? 1) - 1]}`;
  return days.map((day) => dayNames[day - 1]).join('-');
}

function ordinalOf(day: number): string {
  const ending = [11, 12, 13].includes(day) ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}
