// The meaning of an AWS EventBridge schedule expression. It has plain sets of numbers, and the day forms that no set
// can hold. Also the problems that a reader reports. How a text becomes a Cron: parse-cron.ts.

/** One of the six fields, by the name that AWS gives it. */
export type CronField = 'minutes' | 'hours' | 'day-of-month' | 'month' | 'day-of-week' | 'year';

/**
 * The matching days, by one of the two day fields; the other is `?`. Days of the week count from 1, which is Sunday; a
 * workday is Monday to Friday. `last` is `L`, or `L-3` with 3 days before it; `last-workday` is `LW`, `nearest-workday`
 * is `15W`, `last-weekday` is `6L` (the last Friday of the month), `nth-weekday` is `2#1` (the first Monday).
 */
export type Days =
  | { readonly kind: 'of-month' | 'of-week'; readonly days: readonly number[] }
  | { readonly kind: 'last'; readonly before: number }
  | { readonly kind: 'last-workday' }
  | { readonly kind: 'nearest-workday' | 'last-weekday'; readonly day: number }
  | { readonly kind: 'nth-weekday'; readonly day: number; readonly nth: number };

/** A valid expression. Every list is ascending, without doubles and not empty; months count from 1. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: Days;
  readonly months: readonly number[];
  readonly years: readonly number[];
}

/** A problem in a text: an error (`invalid-cron`) or a warning (`cron-undocumented`). */
export interface CronProblem {
  readonly code: 'invalid-cron' | 'cron-undocumented';
  readonly field?: CronField;
  /** Offsets into the text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Full sentences: what is wrong, then why. */
  readonly message: string;
  readonly hint?: string;
}

/** The bounds of a field; `names[0]` is another word for `lowest`. */
export interface FieldSpec {
  readonly field: CronField;
  readonly lowest: number;
  readonly highest: number;
  readonly names: readonly string[];
}

const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const;

// The bounds are from the "Cron-based schedules" page of Amazon EventBridge Scheduler.
export const minutesSpec: FieldSpec = { field: 'minutes', lowest: 0, highest: 59, names: [] };
export const hoursSpec: FieldSpec = { field: 'hours', lowest: 0, highest: 23, names: [] };
export const dayOfMonthSpec: FieldSpec = { field: 'day-of-month', lowest: 1, highest: 31, names: [] };
export const monthSpec: FieldSpec = { field: 'month', lowest: 1, highest: 12, names: monthNames };
export const dayOfWeekSpec: FieldSpec = { field: 'day-of-week', lowest: 1, highest: 7, names: dayNames };
export const yearSpec: FieldSpec = { field: 'year', lowest: 1970, highest: 2199, names: [] };
