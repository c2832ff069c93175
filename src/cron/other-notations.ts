// Translates other notations into the six fields of AWS EventBridge. They are crontab, Quartz, Spring, `@daily` and
// `rate(...)`. A text that notations read differently gets the expressions of each, and one that a notation reads in a
// way that EventBridge cannot express gets none: nothing should be delivered at a time that nobody meant.

import { codeList } from '../model/values/words.ts';
import { dayOfMonthSpec, dayOfWeekSpec } from './cron.ts';
import { isSix, readFields, repairDays } from './field-rules.ts';
import { spellDays, spellValues } from './spell-values.ts';
import { splitWords } from './value-rules.ts';

interface NotationReading {
  readonly notation: 'eventbridge' | 'crontab' | 'quartz' | 'spring';
  /** Together they mean what the text says; empty if EventBridge cannot express it. */
  readonly expressions: readonly string[];
}

/** All readings that differ; empty if no notation knows the text. */
export function readingsOf(text: string): readonly NotationReading[] {
  const [, wrapped] = /^cron\((.*)$/is.exec(text.trim()) ?? [];
  const words = splitWords(wrapped?.replace(/\)$/, '') ?? text).map((word) => word.text);
  const nickname = nicknames.get(words.join(' ').toLowerCase());
  if (nickname !== undefined) return [{ notation: 'crontab', expressions: [nickname] }];
  const distinct = new Map<string, NotationReading>();
  for (const reading of [asEventBridge(words), asCrontab(words), asQuartz(words), asSpring(words)]) {
    const meaning = JSON.stringify(reading?.expressions.map(meaningOf));
    if (reading !== undefined && !distinct.has(meaning)) distinct.set(meaning, reading);
  }
  return [...distinct.values()];
}

/** The text to write instead; undefined if that is not sure. */
export function hintOf(readings: readonly NotationReading[]): string | undefined {
  const [first, second, ...more] = readings;
  if (first === undefined || more.length > 0 || readings.some(({ expressions }) => expressions.length === 0))
    return undefined;
  if (second !== undefined) {
    const other = first.notation === 'quartz' ? 'it is an expression of Spring' : 'it begins with seconds';
    return `Write ${codeList(first.expressions)}, or, if ${other}, ${codeList(second.expressions)}.`;
  }
  if (first.expressions.length === 1) return `Write ${codeList(first.expressions)}.`;
  return `One expression cannot say this. Write a schedule for each: ${codeList(first.expressions)}.`;
}

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

/** The expression for a rate that divides its hour or day evenly. */
export function expressionForRate(text: string): string | undefined {
  const [, count, unit] = /^\s*rate\(\s*(\d{1,4})\s+(minute|hour|day)s?\s*\)\s*$/i.exec(text) ?? [];
  const every = Number(count);
  const star = every === 1 ? '*' : `*/${every}`;
  if (unit?.toLowerCase() === 'minute' && 60 % every === 0) return every === 60 ? '0 * * * ? *' : `${star} * * * ? *`;
  if (unit?.toLowerCase() === 'hour' && 24 % every === 0) return every === 24 ? '0 0 * * ? *' : `0 ${star} * * ? *`;
  return unit?.toLowerCase() === 'day' && every === 1 ? '0 0 * * ? *' : undefined;
}

function cronOf(expression: string) {
  const words = splitWords(expression);
  return isSix(words) ? readFields(words).cron : undefined;
}

/** Gives the same text for equal runs. */
function meaningOf(expression: string): string {
  const cron = cronOf(expression);
  return JSON.stringify({ ...cron, days: cron && spellDays(cron.days) });
}

function isValid(expression: string): boolean {
  return cronOf(expression) !== undefined;
}

function hasQuestionMark(words: readonly string[]): boolean {
  return words.some((word) => word.includes('?'));
}

/** Six fields, perhaps without the `?`, or five with it, which lack the year. */
function asEventBridge(words: readonly string[]): NotationReading | undefined {
  const isShort = words.length === 5 && hasQuestionMark(words);
  if (words.length !== 6 && !isShort) return undefined;
  return byEventBridge(isShort ? [...words, '*'] : words, 'eventbridge');
}

/** Days of the week count from 1, which is Sunday. Nothing can say the days of both fields. */
function byEventBridge(fields: readonly string[], notation: NotationReading['notation']): NotationReading | undefined {
  const repaired = repairDays(fields);
  if (isValid(repaired.join(' '))) return { notation, expressions: [repaired.join(' ')] };
  const [minutes, hours, dayOfMonth, month, dayOfWeek, year] = repaired;
  const areBothValid =
    isValid([minutes, hours, dayOfMonth, month, '?', year].join(' ')) &&
    isValid([minutes, hours, '?', month, dayOfWeek, year].join(' '));
  return areBothValid ? { notation, expressions: [] } : undefined;
}

function asQuartz([seconds = '', ...rest]: readonly string[]): NotationReading | undefined {
  if (rest.length !== 6 && !(rest.length === 5 && hasQuestionMark(rest))) return undefined;
  const reading = byEventBridge(rest.length === 5 ? [...rest, '*'] : rest, 'quartz');
  // A text without `?` is not of Quartz, and its days may count from 0.
  const isSure = hasQuestionMark(rest) || !/\d/.test(rest[4] ?? '');
  return reading && atSecond(seconds, isSure ? reading : { ...reading, expressions: [] });
}

/** A run comes when both day fields match; node-cron needs only one. */
function asSpring([
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
function asCrontab(words: readonly string[]): NotationReading | undefined {
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
  /** The expressions by the day of the week; empty if that field is `*`. */
  readonly byWeekday: readonly string[];
}

/** Reads five fields in which 0 and 7 are Sunday; undefined if one of them is wrong. */
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

/** The days from 0, which is Sunday; 7 is that as well. Undefined if it is not a list of days. */
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
