// What an AWS EventBridge schedule expression means once it is read: plain sets of numbers, and the day forms that no
// set can hold. Also the problems that a reader reports. How a text becomes a Cron: parse-cron.ts.

/** One of the six fields, by the name that AWS gives it. */
export type CronField = 'minutes' | 'hours' | 'day-of-month' | 'month' | 'day-of-week' | 'year';

/**
 * Which days of the month match. `unspecified` is `?`: the day-of-week decides. `last` is `L`, `last-weekday` is `LW`
 * (the last Monday to Friday of the month), `nearest-weekday` is `15W`.
 */
export type DayOfMonth =
  | { readonly kind: 'unspecified' }
  | { readonly kind: 'days'; readonly days: readonly number[] }
  | { readonly kind: 'last' }
  | { readonly kind: 'last-weekday' }
  | { readonly kind: 'nearest-weekday'; readonly day: number };

/**
 * Which weekdays match, 1 is Sunday and 7 is Saturday. `unspecified` is `?`: the day-of-month decides. `last` is `6L`
 * (the last Friday of the month), `nth` is `2#1` (the first Monday of the month).
 */
export type DayOfWeek =
  | { readonly kind: 'unspecified' }
  | { readonly kind: 'days'; readonly days: readonly number[] }
  | { readonly kind: 'last'; readonly day: number }
  | { readonly kind: 'nth'; readonly day: number; readonly nth: number };

/** A valid expression. Every list is ascending, without doubles and not empty; months count from 1. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly dayOfMonth: DayOfMonth;
  readonly months: readonly number[];
  readonly dayOfWeek: DayOfWeek;
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
  /** What to write instead. */
  readonly hint?: string;
}
