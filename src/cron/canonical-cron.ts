// One spelling for all cron expressions that mean the same. A plan then shows no change from `00 09` to `0 9`. Only for
// comparing and showing: what is sent is what was written.

import { memoize } from '../model/values/collections.ts';
import { clocksOf } from './check-time-zone.ts';
import { hoursSpec, minutesSpec, monthSpec, yearSpec } from './cron.ts';
import { maxCronLength, parseCron } from './parse-cron.ts';
import { spellDays, spellValues } from './spell-values.ts';

/** A comparison asks for the same few expressions again and again. */
const maxKept = 10_000;

/**
 * The canonical text of an expression: equal sets of values give equal text, `0 9 ? * * *` and `0 9 * * ? *` included.
 * An invalid text is returned as it is; so is one whose canonical text would be longer than an expression may be (a
 * year field of some thirty scattered years), so that the result of a valid expression is always valid.
 */
export const canonicalCron = memoize(canonicalText, maxKept);

interface Times {
  readonly schedule?: string | undefined;
  readonly timezone?: string | undefined;
}

/** True if one runs at other times than the other. A value that one of them does not tell cannot be compared. */
export function runsOtherwise(one: Times = {}, other: Times = {}): boolean {
  const differs = (of: (text: string) => string, a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && of(a) !== of(b);
  return differs(canonicalCron, one.schedule, other.schedule) || differs(clocksOf, one.timezone, other.timezone);
}

function canonicalText(text: string): string {
  const { cron } = parseCron(text);
  if (cron === undefined) return text;
  const [dayOfMonth, dayOfWeek] = spellDays(cron.days);
  const canonical = [
    spellValues(minutesSpec, cron.minutes),
    spellValues(hoursSpec, cron.hours),
    dayOfMonth,
    spellValues(monthSpec, cron.months),
    dayOfWeek,
    spellValues(yearSpec, cron.years),
  ].join(' ');
  return canonical.length > maxCronLength ? text : canonical;
}
