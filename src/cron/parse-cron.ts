// Reads a schedule expression as AWS EventBridge does, without its `cron( )`. Decides whether the text is six fields
// with one space between; field-rules.ts decides what a field may hold.

import { checkTimeZone } from './check-time-zone.ts';
import type { CronProblem } from './cron.ts';
import { type CronReading, isSix, readFields, type SixFields } from './field-rules.ts';
import { expressionForRate, hintOf, readingsOf } from './other-notations.ts';
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
