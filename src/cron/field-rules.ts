// Reads six fields into a Cron. Decides each field on its own, then the rule that joins the two day fields, then asks
// for the second opinion. Texts of another shape (five fields, `rate(...)`) are not its business: parse-cron.ts.

import { pushAll } from '../model/values/collections.ts';
import { type Cron, type CronProblem, hoursSpec, minutesSpec, monthSpec, yearSpec } from './cron.ts';
import { readDayOfMonth, readDayOfWeek } from './day-rules.ts';
import { secondOpinionAccepts } from './second-opinion.ts';
import { invalid, readValues, spanOf, type TextPiece } from './value-rules.ts';

export type SixFields = readonly [TextPiece, TextPiece, TextPiece, TextPiece, TextPiece, TextPiece];

export function isSix(words: readonly TextPiece[]): words is SixFields {
  return words.length === 6;
}

export interface CronReading {
  /** Present exactly if no problem is an error. */
  readonly cron?: Cron;
  readonly problems: readonly CronProblem[];
}

/** `suggestion`: what to write instead of two day fields that cannot be combined, where that is known. */
export function readFields(fields: SixFields, suggestion?: string): CronReading {
  const problems: CronProblem[] = [];
  const minutes = readValues(minutesSpec, fields[0], problems);
  const hours = readValues(hoursSpec, fields[1], problems);
  const dayOfMonth = readDayOfMonth(fields[2], problems);
  const months = readValues(monthSpec, fields[3], problems);
  const dayOfWeek = readDayOfWeek(fields[4], problems);
  const years = readValues(yearSpec, fields[5], problems);
  const isError = (problem: CronProblem) => problem.code === 'invalid-cron';
  pushAll(problems, complainOfDays(fields, suggestion));
  const days = dayOfMonth ?? dayOfWeek;
  if (problems.some(isError) || days === undefined) return { problems };
  if (!secondOpinionAccepts(fields.map((field) => field.text))) {
    problems.push(refusedBySecondOpinion(fields));
    return { problems };
  }
  return { cron: { minutes, hours, days, months, years }, problems };
}

/** Puts `?` into the day field that says nothing, if that alone repairs the two; otherwise returns the fields unchanged. */
export function repairDays(fields: readonly string[]): string[] {
  const [minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = '', ...rest] = fields;
  const days = (first: string, second: string) => [minutes, hours, first, month, second, ...rest];
  if (dayOfMonth === '?' && dayOfWeek === '?') return days('*', '?');
  if (dayOfMonth === '?' || dayOfWeek === '?') return [...fields];
  if (dayOfWeek === '*') return days(dayOfMonth, '?');
  return dayOfMonth === '*' ? days('?', dayOfWeek) : [...fields];
}

/** Exactly one of the two day fields is `?`: AWS EventBridge cannot combine them. */
function complainOfDays(fields: SixFields, suggestion: string | undefined): CronProblem[] {
  const [first, second] = [fields[2].text, fields[4].text];
  if ((first === '?') !== (second === '?')) return [];
  const repaired = repairDays(fields.map((field) => field.text));
  const isFirst = repaired[2] !== first;
  const field = isFirst ? 'day-of-month' : 'day-of-week';
  const which = first === '?' ? 'Neither day field says' : 'Both day fields say';
  const hint =
    !isFirst && repaired[4] === second
      ? 'Write `?` in one of them; for both, write two schedules.'
      : `If the last field is the year, write \`${repaired[isFirst ? 2 : 4]}\` in ${field}.`;
  const message = `${which} on which days to run. Exactly one of them is \`?\`, because AWS EventBridge cannot combine the two.`;
  return [invalid(field, isFirst ? fields[2] : fields[4], { message, hint: suggestion ?? hint })];
}

function refusedBySecondOpinion(fields: SixFields): CronProblem {
  return {
    code: 'invalid-cron',
    start: fields[0].start,
    end: spanOf(fields[5]).end,
    message:
      'The package cron-validator, our second opinion, refuses this expression. Almanac sends only what both readers accept.',
    hint: 'Write it in a simpler form, such as a list of values.',
  };
}
