// Reads expressions of AWS EventBridge, and translates those of other notations. An expression comes without `cron` and
// its brackets. This file decides whether the text is six fields with one space between; field-rules.ts decides what a
// field may hold.

import { codeList } from '../model/values/words.ts';
import { checkTimeZone } from './check-time-zone.ts';
import { type CronProblem, dayOfMonthSpec, dayOfWeekSpec } from './cron.ts';
import { type CronReading, isSix, readFields, repairDays, type SixFields } from './field-rules.ts';
import { spellDays, spellValues } from './spell-values.ts';
import { splitWords } from './value-rules.ts';

/** The longest expression that AWS EventBridge Scheduler takes, in characters. */
export const maxCronLength = 256;

const shape = 'Six fields are needed: `minutes hours day-of-month month day-of-week year`.';
const unsure =
  'Programs differ on what this means. Write one of the day fields as `?`, and two schedules if both are meant.';
const example = 'Write six fields, such as `0 9 ? * MON-FRI *` for 09:00 on workdays.';

/**
 * Reads an expression, by the rules of AWS EventBridge Scheduler. `cron` is there exactly when no problem is an error;
 * every distinct problem is listed, in the order of the text. Takes time proportional to the length of the text.
 */
export function parseCron(text: string): CronReading {
  const whole = complainOfWhole(text);
  if (whole !== undefined) return { problems: [whole, ...complainOfWrapped(text)] };
  const blanks = complainOfBlanks(text);
  const words = splitWords(text);
  if (!isSix(words)) return { problems: [...blanks, complainOfCount(text, words.length)] };
  const { cron, problems } = readFields(words);
  if (cron !== undefined)
    return blanks.length > 0 ? { problems: inOrder([...blanks, ...problems]) } : { cron, problems };
  const readings = readingsOf(text);
  const hint = hintOf(readings);
  if (hint !== undefined && readings.every(({ notation }) => notation !== 'eventbridge'))
    return { problems: [...blanks, complainOfSeconds(words, hint)] };
  return { problems: inOrder([...blanks, ...readFields(words, hint).problems]) };
}

function inOrder(problems: readonly CronProblem[]): readonly CronProblem[] {
  return [...problems].sort((a, b) => a.start - b.start);
}

/** A problem of the text as a whole; undefined for a text that is worth reading field by field. */
function complainOfWhole(text: string): CronProblem | undefined {
  const all = { code: 'invalid-cron', start: 0, end: text.length } as const;
  if (text.trim() === '') return { ...all, message: `The expression is empty. ${shape}`, hint: example };
  if (text.length > maxCronLength) {
    return {
      ...all,
      start: maxCronLength,
      message: `The expression has ${text.length} characters. At most ${maxCronLength} are allowed.`,
      hint: 'Write ranges and steps instead of long lists, or write two schedules.',
    };
  }
  const zone = zoneIn(text);
  if (zone !== undefined) {
    const hint = hintOf(readingsOf(zone.rest)) ?? example;
    return {
      ...all,
      message: `\`${zone.name}\` is a time zone. It does not belong in the expression.`,
      hint: `Move it to \`timezone: ${zone.name}\`. ${hint}`,
    };
  }
  if (/^\s*cron\b/i.test(text)) {
    const hint = hintOf(readingsOf(text)) ?? 'Write only the text between the parentheses.';
    return { ...all, message: 'Write only what goes inside `cron( )`.', hint };
  }
  if (/^\s*(rate|at)\b/i.test(text)) {
    const expression = expressionForRate(text);
    const hint = expression === undefined ? example : `Write \`${expression}\`.`;
    return {
      ...all,
      message: `\`rate( )\` and \`at( )\` are not supported: a schedule is given as a cron expression. ${shape}`,
      hint,
    };
  }
  if (/^\s*@/.test(text)) {
    return {
      ...all,
      message: `\`${text.trim()}\` is a nickname of unix cron, which AWS EventBridge does not know. ${shape}`,
      hint: hintOf(readingsOf(text)) ?? example,
    };
  }
  return undefined;
}

/** `TZ=Asia/Tokyo 0 9 * * 1`, as crontabs have it, or a zone behind the fields. */
function zoneIn(text: string): { readonly name: string; readonly rest: string } | undefined {
  const [, first, rest = ''] = /^\s*(?:CRON_)?TZ=(\S+)\s+(\S.*)$/i.exec(text) ?? [];
  const [, before = '', last = ''] = /^(\s*\S+(?:\s+\S+){4,})\s+([A-Z][\w/+-]+)\s*$/i.exec(text) ?? [];
  const found = first === undefined ? { name: last, rest: before } : { name: first, rest };
  return checkTimeZone(found.name).zone === undefined ? undefined : found;
}

/** The problems inside `cron( )`, when it has six fields that no suggestion repairs. */
function complainOfWrapped(text: string): readonly CronProblem[] {
  const match = /^(\s*cron\()([^)]*)/i.exec(text);
  const inner = splitWords(match?.[2] ?? '').map((word) => ({
    ...word,
    start: word.start + (match?.[1]?.length ?? 0),
  }));
  return text.length <= maxCronLength && isSix(inner) ? readFields(inner).problems : [];
}

function complainOfCount(text: string, count: number): CronProblem {
  const all = { code: 'invalid-cron', start: 0, end: text.length } as const;
  const joined = text
    .trim()
    .split(',')
    .map((each) => each.trim())
    .join(',');
  const words = splitWords(joined);
  if (joined !== text && isSix(words) && readFields(words).cron !== undefined)
    return {
      ...all,
      message: `A list has no blanks: each blank begins another field. ${shape}`,
      hint: `Write \`${joined}\`.`,
    };
  const readings = readingsOf(text);
  const hint = hintOf(readings) ?? (readings.length > 0 ? unsure : example);
  if (count === 5) {
    return {
      ...all,
      message: `This has five fields, as unix cron has. ${shape} One of the two day fields is \`?\`.`,
      hint,
    };
  }
  if (count === 7)
    return { ...all, message: `This has seven fields, as Quartz has, which begins with seconds. ${shape}`, hint };
  return { ...all, message: `This has ${count} ${count === 1 ? 'field' : 'fields'}. ${shape}`, hint };
}

/** Six fields of which the first is seconds and the year is missing, as Quartz and node-cron write them. */
function complainOfSeconds([{ text, start }]: SixFields, hint: string): CronProblem {
  const message = `This seems to begin with a field for seconds and to have no year. ${shape}`;
  return { code: 'invalid-cron', field: 'minutes', start, end: start + text.length, message, hint };
}

/** One problem for each stretch of blanks that is not the one space between two fields. */
function complainOfBlanks(text: string): CronProblem[] {
  const problems: CronProblem[] = [];
  const isOdd = /^\s|\s\s|[^\S ]|\s$/.test(text);
  const hint = (isOdd && hintOf(readingsOf(text))) || 'Leave one space between two fields, and none around.';
  for (const match of text.matchAll(/\s+/g)) {
    const [start, end] = [match.index, match.index + match[0].length];
    if (match[0] === ' ' && start > 0 && end < text.length) continue;
    const where = start === 0 ? 'before the first field' : end === text.length ? 'after the last field' : undefined;
    const message = where === undefined ? 'Separate two fields by exactly one space.' : `No blank is allowed ${where}.`;
    problems.push({ code: 'invalid-cron', start, end, message, hint });
  }
  return problems;
}

// Translates other notations into the six fields of AWS EventBridge. They are crontab, Quartz, Spring, `@daily` and
// `rate(...)`. A text that notations read differently gets the expressions of each, and one that a notation reads in a
// way that EventBridge cannot express gets none: nothing should be delivered at a time that nobody meant.

interface NotationReading {
  readonly notation: 'eventbridge' | 'crontab' | 'quartz' | 'spring';
  /** Together they mean what the text says; empty if EventBridge cannot express it. */
  readonly expressions: readonly string[];
}

/** All readings that differ; empty if no notation knows the text. */
function readingsOf(text: string): readonly NotationReading[] {
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
function hintOf(readings: readonly NotationReading[]): string | undefined {
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
function expressionForRate(text: string): string | undefined {
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
