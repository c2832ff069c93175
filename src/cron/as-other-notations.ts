// Seconds come first in Quartz, which needs a `?` and may have a year, and in Spring and node-cron, where days count from 0.

import { dayOfMonthSpec, dayOfWeekSpec } from './cron.ts';
import { byEventBridge, cronOf, hasQuestionMark, isValid, type NotationReading } from './other-notations.ts';
import { spellValues } from './spell-values.ts';

export function asQuartz([seconds = '', ...rest]: readonly string[]): NotationReading | undefined {
  if (rest.length !== 6 && !(rest.length === 5 && hasQuestionMark(rest))) return undefined;
  const reading = byEventBridge(rest.length === 5 ? [...rest, '*'] : rest, 'quartz');
  // Without `?`, it is not of Quartz, and its days may count from 0.
  const isSure = hasQuestionMark(rest) || !/\d/.test(rest[4] ?? '');
  return reading && atSecond(seconds, isSure ? reading : { ...reading, expressions: [] });
}

/** A run comes when both day fields match; node-cron needs only one. */
export function asSpring([
  seconds = '',
  minutes = '',
  hours = '',
  dayOfMonth = '',
  month = '',
  dayOfWeek,
  ...more
]: readonly string[]): NotationReading | undefined {
  if (dayOfWeek === undefined || more.length > 0) return undefined;
  const [first = '', second = ''] = [dayOfMonth, dayOfWeek].map((days) => (days === '?' ? '*' : days));
  const runs = runsByDay([minutes, hours, first, month, second]);
  if (runs === undefined) return undefined;
  const { byDate, byWeekday } = runs;
  return atSecond(seconds, {
    notation: 'spring',
    expressions: byDate.length > 0 && byWeekday.length > 0 ? [] : [...byDate, ...byWeekday],
  });
}

/** EventBridge knows no seconds: a run at one of them is one in its minute. */
function atSecond(seconds: string, reading: NotationReading): NotationReading | undefined {
  if (/^\d{1,2}$/.test(seconds)) return Number(seconds) < 60 ? reading : undefined;
  return isValid(`${seconds} 0 * * ? *`) ? { ...reading, expressions: [] } : undefined;
}

/**
 * A run comes when either day field matches. Where one of them begins with `*` or is every day, some programs need both; what
 * `L`, `W` and `#` mean beside another day is not known.
 */
export function asCrontab(words: readonly string[]): NotationReading | undefined {
  if (words.length !== 5 || hasQuestionMark(words)) return undefined;
  const runs = runsByDay(words);
  if (runs === undefined) return undefined;
  const { byDate, byWeekday } = runs;
  const [, , dayOfMonth = '', , dayOfWeek = ''] = words;
  const isSure =
    byDate.length === 0 ||
    byWeekday.length === 0 ||
    !(/^\*|[LW#]/i.test(dayOfMonth) || /^\*|L|#/i.test(dayOfWeek) || isEveryDate(dayOfMonth) || isEveryDay(dayOfWeek));
  return { notation: 'crontab', expressions: isSure ? [...byDate, ...byWeekday] : [] };
}

interface RunsByDay {
  /** The expression by the day of the month, unless that field is `*` and the other is not. */
  readonly byDate: readonly string[];
  /** By the day of the week, unless that field is `*`. */
  readonly byWeekday: readonly string[];
}

/** Of five fields in which 0 and 7 are Sunday; undefined where one of them is wrong. */
function runsByDay(words: readonly string[]): RunsByDay | undefined {
  const [minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = ''] = words;
  const days = dayOfWeek === '*' ? [] : namedDays(dayOfWeek);
  if (days === undefined) return undefined;
  const on = (first: string, second: string) => `${minutes} ${hours} ${first} ${month} ${second} *`;
  const byDate = dayOfMonth === '*' && days.length > 0 ? [] : [on(dayOfMonth, '?')];
  const byWeekday = days.map((day) => (day === '*' ? on('*', '?') : on('?', day)));
  return [...byDate, ...byWeekday].every(isValid) ? { byDate, byWeekday } : undefined;
}

function isEveryDate(dayOfMonth: string): boolean {
  const days = cronOf(`0 0 ${dayOfMonth} * ? *`)?.days;
  return days?.kind === 'of-month' && days.days.length === dayOfMonthSpec.highest;
}

function isEveryDay(dayOfWeek: string): boolean {
  return namedDays(dayOfWeek)?.[0] === '*';
}

const movingForm = /^([0-7]|[a-z]{3})(L|#[1-5])$/i;
const listForm = /^(?:\*|([0-7]|[a-z]{3})(?:-([0-7]|[a-z]{3}))?)(\/\d{1,2})?$/i;

/**
 * Days of the week by the names that every notation understands. One text, or one for each `#` and `L`, which stand alone;
 * undefined for what is no day.
 */
function namedDays(text: string): readonly string[] | undefined {
  const items = text.split(',');
  const moving = items.flatMap((item) => {
    const [, day = '', mark = ''] = movingForm.exec(item) ?? [];
    const number = dayNumber(day);
    return number === undefined ? [] : [`${nameOfDays([number])}${mark.toUpperCase()}`];
  });
  if (moving.length === items.length) return moving;
  const days = items.map(daysIn);
  const known = days.flatMap((each) => each ?? []);
  return days.includes(undefined) ? undefined : [nameOfDays(known)];
}

/** From 0, which is Sunday; 7 is that as well. Undefined for what is no list of days. */
function daysIn(item: string): readonly number[] | undefined {
  const match = listForm.exec(item);
  if (match === null) return undefined;
  const [, first, second, step = '/1'] = match;
  const from = first === undefined ? 0 : dayNumber(first);
  const end = first === undefined ? 6 : dayNumber(second ?? first);
  const every = Number(step.slice(1));
  // A step behind one day goes on to Saturday in some programs, and is a mistake in others.
  if (from === undefined || end === undefined || every < 1 || (first !== undefined && !second && match[3]))
    return undefined;
  // `FRI-SUN` goes on past Saturday. Numbers count up.
  const to = end < from && /[a-z]/i.test(second ?? '') ? end + 7 : end;
  if (to < from) return undefined;
  return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, index) => from + index * every);
}

function dayNumber(text: string): number | undefined {
  if (/^[0-7]$/.test(text)) return Number(text);
  const index = dayOfWeekSpec.names.indexOf(text.toUpperCase());
  return index < 0 ? undefined : index;
}

function nameOfDays(days: readonly number[]): string {
  const values = [...new Set(days.map((day) => (day % 7) + 1))].sort((a, b) => a - b);
  return spellValues(dayOfWeekSpec, values);
}
