// Turns other notations of a schedule (unix cron, Quartz with seconds, `cron(...)`, `rate(...)`, `@daily`) into the six
// fields of AWS EventBridge. Every suggestion is valid; without a sure translation there is none.

import { dayOfWeekSpec } from './cron.ts';
import { isSix, readFields, repairDays } from './read-fields.ts';
import { splitWords } from './read-values.ts';
import { spellValues } from './spell-values.ts';

const nicknames = new Map(
  Object.entries({
    '@yearly': '0 0 1 1 ? *',
    '@annually': '0 0 1 1 ? *',
    '@monthly': '0 0 1 * ? *',
    '@weekly': '0 0 ? * SUN *',
    '@daily': '0 0 * * ? *',
    '@midnight': '0 0 * * ? *',
    '@hourly': '0 * * * ? *',
  }),
);

/**
 * The expressions that mean the same as a text of another notation: usually one, two if unix cron runs on days of the
 * month and also on days of the week, none if it cannot be expressed.
 */
export function suggestExpressions(text: string): readonly string[] {
  const wrapped = /^\s*cron\((.*?)\)?\s*$/is.exec(text);
  const words = splitWords(wrapped?.[1] ?? text).map((word) => word.text);
  const nickname = nicknames.get(words.join(' ').toLowerCase());
  if (nickname !== undefined) return [nickname];
  return suggestionsOf(words).filter(isValid);
}

/** The expression for a rate that divides its hour or day evenly. */
export function suggestForRate(text: string): readonly string[] {
  const [, count, unit] = /^\s*rate\(\s*(\d{1,4})\s+(minute|hour|day)s?\s*\)\s*$/i.exec(text) ?? [];
  const every = Number(count);
  const star = every === 1 ? '*' : `*/${every}`;
  if (unit?.toLowerCase() === 'minute' && 60 % every === 0) {
    return [every === 60 ? '0 * * * ? *' : `${star} * * * ? *`];
  }
  if (unit?.toLowerCase() === 'hour' && 24 % every === 0) return [every === 24 ? '0 0 * * ? *' : `0 ${star} * * ? *`];
  return unit?.toLowerCase() === 'day' && every === 1 ? ['0 0 * * ? *'] : [];
}

function suggestionsOf(words: readonly string[]): readonly string[] {
  if (words.length === 5) return isUnix(words) ? fromUnix(words) : [repairDays([...words, '*']).join(' ')];
  if (words.length === 6) {
    const repaired = repairDays(words).join(' ');
    return isValid(repaired) ? [repaired] : suggestionsOf(words.slice(1));
  }
  return words.length === 7 ? [repairDays(words.slice(1)).join(' ')] : [];
}

function isValid(expression: string): boolean {
  const words = splitWords(expression);
  return isSix(words) && readFields(words).cron !== undefined;
}

/** Unix cron has no `?`, `L`, `W` and `#`: five fields with one of these lack only the year. */
function isUnix(words: readonly string[]): boolean {
  return !words.some((word) => word.includes('?')) && !/[LW#]/.test(`${words[2]}${words[4]?.replace(/WED/gi, '')}`);
}

function fromUnix(words: readonly string[]): readonly string[] {
  const [minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = ''] = words;
  const days = unixDaysOfWeek(dayOfWeek);
  if (days === undefined) return [];
  const byMonth = `${minutes} ${hours} ${dayOfMonth} ${month} ? *`;
  const byWeek = `${minutes} ${hours} ? ${month} ${days} *`;
  if (days === '*') return [byMonth];
  return dayOfMonth === '*' ? [byWeek] : [byMonth, byWeek];
}

/** Unix counts from 0 (Sunday), and 7 is Sunday too; the answer has names, which both understand. */
function unixDaysOfWeek(text: string): string | undefined {
  const found = new Set<number>();
  for (const item of text.split(',')) {
    const match = /^(\*|[0-7]|[a-z]{3})(?:-([0-7]|[a-z]{3}))?(?:\/(\d{1,2}))?$/i.exec(item);
    if (match === null) return undefined;
    const [, first = '', second, step] = match;
    const from = first === '*' ? 0 : unixDay(first);
    const to = second === undefined ? (first === '*' || step !== undefined ? 6 : from) : unixDay(second);
    if (from < 0 || to < 0 || step === '0' || step === '00') return undefined;
    for (let day = from; day <= (to < from ? to + 7 : to); day += Number(step ?? 1)) found.add((day % 7) + 1);
  }
  return spellValues(
    dayOfWeekSpec,
    [...found].sort((a, b) => a - b),
  );
}

function unixDay(text: string): number {
  return /^\d$/.test(text) ? Number(text) : dayOfWeekSpec.names.indexOf(text.toUpperCase());
}
