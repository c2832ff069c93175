// The table of the six fields: bounds and names, from the "Cron-based schedules" page of Amazon EventBridge Scheduler.

import { memoize } from '../model/values/memoize.ts';
import type { CronField } from './cron.ts';

/** The bounds of a field; `names[0]` is another word for `lowest`. */
export interface FieldSpec {
  readonly field: CronField;
  readonly lowest: number;
  readonly highest: number;
  readonly names: readonly string[];
}

const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const;

export const minutesSpec: FieldSpec = { field: 'minutes', lowest: 0, highest: 59, names: [] };
export const hoursSpec: FieldSpec = { field: 'hours', lowest: 0, highest: 23, names: [] };
export const dayOfMonthSpec: FieldSpec = { field: 'day-of-month', lowest: 1, highest: 31, names: [] };
export const monthSpec: FieldSpec = { field: 'month', lowest: 1, highest: 12, names: monthNames };
export const dayOfWeekSpec: FieldSpec = { field: 'day-of-week', lowest: 1, highest: 7, names: dayNames };
export const yearSpec: FieldSpec = { field: 'year', lowest: 1970, highest: 2199, names: [] };

/** All values of a field, ascending. The same array each time: most schedules share it. */
export const everyValue = memoize(({ lowest, highest }: FieldSpec): readonly number[] =>
  Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index),
);

/** What may be written in a field, for a hint: "a number from 0 to 59". */
export function allowedValues(spec: FieldSpec): string {
  const first = spec.names[0];
  const names = first === undefined ? '' : ` or a name from ${first} to ${spec.names[spec.names.length - 1]}`;
  return spec.field === 'year' ? 'a year from 1970 to 2199' : `a number from ${spec.lowest} to ${spec.highest}${names}`;
}
