// What a schedule in another notation means in the six fields of AWS EventBridge: crontab, Quartz and Spring with seconds,
// `@daily`, `rate(...)`. A text that notations read differently gets the expressions of each, and one that a notation reads in
// a way that EventBridge cannot express gets none: nothing should be delivered at a time that nobody meant.

import { codeList } from '../model/values/words.ts';
import { asCrontab, asQuartz, asSpring } from './as-other-notations.ts';
import { isSix, readFields, repairDays } from './field-rules.ts';
import { spellDays } from './spell-values.ts';
import { splitWords } from './value-rules.ts';

/** What a text means in a notation that knows it. */
export interface NotationReading {
  readonly notation: 'eventbridge' | 'crontab' | 'quartz' | 'spring';
  /** Together they mean what the text says; none where EventBridge cannot express it. */
  readonly expressions: readonly string[];
}

/** All readings that differ; none where no notation knows the text. */
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

/** What to write instead; undefined where that is not sure. */
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

export function cronOf(expression: string) {
  const words = splitWords(expression);
  return isSix(words) ? readFields(words).cron : undefined;
}

/** The same text for equal runs. */
function meaningOf(expression: string): string {
  const cron = cronOf(expression);
  return JSON.stringify({ ...cron, days: cron && spellDays(cron.days) });
}

export function isValid(expression: string): boolean {
  return cronOf(expression) !== undefined;
}

export function hasQuestionMark(words: readonly string[]): boolean {
  return words.some((word) => word.includes('?'));
}

/** Six fields, perhaps without the `?`, or five with it, which lack the year. */
function asEventBridge(words: readonly string[]): NotationReading | undefined {
  const isShort = words.length === 5 && hasQuestionMark(words);
  if (words.length !== 6 && !isShort) return undefined;
  return byEventBridge(isShort ? [...words, '*'] : words, 'eventbridge');
}

/** Days of the week count from 1, which is Sunday. Nothing can say the days of both fields. */
export function byEventBridge(
  fields: readonly string[],
  notation: NotationReading['notation'],
): NotationReading | undefined {
  const repaired = repairDays(fields);
  if (isValid(repaired.join(' '))) return { notation, expressions: [repaired.join(' ')] };
  const [minutes, hours, dayOfMonth, month, dayOfWeek, year] = repaired;
  const areBothValid =
    isValid([minutes, hours, dayOfMonth, month, '?', year].join(' ')) &&
    isValid([minutes, hours, '?', month, dayOfWeek, year].join(' '));
  return areBothValid ? { notation, expressions: [] } : undefined;
}
