// Reads the text of a schedule expression as AWS EventBridge does, without its `cron( )`. Decides what has the shape of
// six fields with one space between; what a field may hold is decided in field-rules.ts.

import { memoize } from '../model/values/memoize.ts';
import { type Cron, type CronProblem, dayOfWeekSpec, hoursSpec, minutesSpec, monthSpec, yearSpec } from './cron.ts';
import { type CronReading, isSix, readFields, repairDays, type SixFields } from './field-rules.ts';
import { spellDays, spellValues } from './spell-values.ts';
import { splitWords } from './value-rules.ts';

/** The longest expression that AWS EventBridge Scheduler takes, in characters. */
export const longestCron = 256;

const shape = 'Six fields are needed: `minutes hours day-of-month month day-of-week year`.';
const example = 'Write six fields, such as `0 9 ? * MON-FRI *` for 09:00 on workdays.';

/**
 * Reads an expression, by the rules of AWS EventBridge Scheduler. `cron` is there exactly when no problem is an error;
 * every distinct problem is listed, in the order of the text. Takes time proportional to the length of the text.
 */
export function parseCron(text: string): { cron?: Cron; problems: CronProblem[] } {
  const whole = complainOfWhole(text);
  if (whole !== undefined) return { problems: [whole, ...complainOfWrapped(text)] };
  const blanks = complainOfBlanks(text);
  const words = splitWords(text);
  if (!isSix(words)) return { problems: [...blanks, complainOfCount(text, words.length)] };
  const { cron, problems } = readFields(words);
  const seconds = cron === undefined ? complainOfSeconds(words, problems) : undefined;
  if (seconds !== undefined) return { problems: [...blanks, seconds] };
  const all = [...blanks, ...problems].sort((a, b) => a.start - b.start);
  return cron === undefined || blanks.length > 0 ? { problems: all } : { cron, problems: all };
}

/** A problem of the text as a whole; undefined for a text that is worth reading field by field. */
function complainOfWhole(text: string): CronProblem | undefined {
  const all = { code: 'invalid-cron', start: 0, end: text.length } as const;
  if (text.trim() === '') return { ...all, message: `The expression is empty. ${shape}`, hint: example };
  if (text.length > longestCron) {
    return {
      ...all,
      start: longestCron,
      message: `The expression has ${text.length} characters. At most ${longestCron} are allowed.`,
      hint: 'Write ranges and steps instead of long lists, or write two schedules.',
    };
  }
  if (/^\s*cron\b/i.test(text)) {
    const suggestions = suggestExpressions(text);
    const hint = suggestions.length > 0 ? hintOf(suggestions) : 'Write only the text between the parentheses.';
    return { ...all, message: 'Write only what goes inside `cron( )`.', hint };
  }
  if (/^\s*(rate|at)\b/i.test(text)) {
    const hint = hintOf(suggestForRate(text));
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
      hint: hintOf(suggestExpressions(text)),
    };
  }
  return undefined;
}

/** The problems inside `cron( )`, when it has six fields that no suggestion repairs. */
function complainOfWrapped(text: string): readonly CronProblem[] {
  const match = /^(\s*cron\()([^)]*)/i.exec(text);
  const inner = splitWords(match?.[2] ?? '').map((word) => ({
    ...word,
    start: word.start + (match?.[1]?.length ?? 0),
  }));
  return text.length <= longestCron && isSix(inner) ? readFields(inner).problems : [];
}

function complainOfCount(text: string, count: number): CronProblem {
  const all = { code: 'invalid-cron', start: 0, end: text.length } as const;
  const hint = hintOf(suggestExpressions(text));
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
function complainOfSeconds(words: SixFields, problems: CronReading['problems']): CronProblem | undefined {
  if (!problems.some((problem) => problem.field === 'year')) return undefined;
  const suggestions = suggestExpressions(
    words
      .slice(1)
      .map((word) => word.text)
      .join(' '),
  );
  if (suggestions.length === 0) return undefined;
  return {
    code: 'invalid-cron',
    field: 'minutes',
    start: words[0].start,
    end: words[0].start + words[0].text.length,
    message: `This seems to begin with a field for seconds and to have no year. ${shape}`,
    hint: hintOf(suggestions),
  };
}

/** One problem for each stretch of blanks that is not the one space between two fields. */
function complainOfBlanks(text: string): CronProblem[] {
  const problems: CronProblem[] = [];
  const [suggestion] = /^\s|\s\s|[^\S ]|\s$/.test(text) ? suggestExpressions(text) : [];
  const hint =
    suggestion === undefined ? 'Leave one space between two fields, and none around.' : `Write \`${suggestion}\`.`;
  for (const match of text.matchAll(/\s+/g)) {
    const [start, end] = [match.index, match.index + match[0].length];
    if (match[0] === ' ' && start > 0 && end < text.length) continue;
    const where = start === 0 ? 'before the first field' : end === text.length ? 'after the last field' : undefined;
    const message = where === undefined ? 'Separate two fields by exactly one space.' : `No blank is allowed ${where}.`;
    problems.push({ code: 'invalid-cron', start, end, message, hint });
  }
  return problems;
}

function hintOf(suggestions: readonly string[]): string {
  const [first, second] = suggestions;
  if (first === undefined) return example;
  if (second === undefined) return `Write \`${first}\`.`;
  return `Unix cron runs when either day field matches. Write two schedules: \`${first}\` and \`${second}\`.`;
}

// Turns other notations of a schedule (unix cron, Quartz with seconds, `cron(...)`, `rate(...)`, `@daily`) into the six
// fields of AWS EventBridge. Every suggestion is valid; without a sure translation there is none.

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
function suggestExpressions(text: string): readonly string[] {
  const wrapped = /^\s*cron\((.*?)\)?\s*$/is.exec(text);
  const words = splitWords(wrapped?.[1] ?? text).map((word) => word.text);
  const nickname = nicknames.get(words.join(' ').toLowerCase());
  if (nickname !== undefined) return [nickname];
  return suggestionsOf(words).filter(isValid);
}

/** The expression for a rate that divides its hour or day evenly. */
function suggestForRate(text: string): readonly string[] {
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

// One spelling for all expressions that mean the same, so that a plan does not show `00 09` against `0 9` as a change.
// For comparing and showing only: what is sent is what was written.

/** A comparison asks for the same few expressions again and again. */
const mostKept = 10_000;

/**
 * The canonical text of an expression: equal sets of values give equal text, `0 9 ? * * *` and `0 9 * * ? *` included.
 * An invalid text is returned as it is; so is one whose canonical text would be longer than an expression may be (a
 * year field of some thirty scattered years), so that the result of a valid expression is always valid.
 */
export const canonicalCron = memoize(canonicalText, mostKept);

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
  return canonical.length > longestCron ? text : canonical;
}
