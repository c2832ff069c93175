// Reads six fields into a Cron. Decides each field on its own, then the rule that joins the two day fields, then asks
// for the second opinion. Texts of another shape (five fields, `rate(...)`) are not its business: parse-cron.ts.

import { isValidCron } from 'cron-validator';
import {
  type Cron,
  type CronProblem,
  dayOfMonthSpec,
  dayOfWeekSpec,
  type FieldSpec,
  hoursSpec,
  minutesSpec,
  monthSpec,
  yearSpec,
} from './cron.ts';
import { readDayOfMonth, readDayOfWeek } from './read-days.ts';
import { readValues, spanOf, type TextPiece } from './read-values.ts';

export type SixFields = readonly [TextPiece, TextPiece, TextPiece, TextPiece, TextPiece, TextPiece];

export function isSix(words: readonly TextPiece[]): words is SixFields {
  return words.length === 6;
}

export interface CronReading {
  /** There exactly when no problem is an error. */
  readonly cron?: Cron;
  readonly problems: readonly CronProblem[];
}

export function readFields(fields: SixFields): CronReading {
  const problems: CronProblem[] = [];
  const minutes = readValues(minutesSpec, fields[0], problems);
  const hours = readValues(hoursSpec, fields[1], problems);
  const dayOfMonth = readDayOfMonth(fields[2], problems);
  const months = readValues(monthSpec, fields[3], problems);
  const dayOfWeek = readDayOfWeek(fields[4], problems);
  const years = readValues(yearSpec, fields[5], problems);
  const isError = (problem: CronProblem) => problem.code === 'invalid-cron';
  problems.push(...complainOfDays(fields, !problems.some(isError)));
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
function complainOfDays(fields: SixFields, restIsValid: boolean): CronProblem[] {
  const [first, second] = [fields[2].text, fields[4].text];
  if ((first === '?') !== (second === '?')) return [];
  const repaired = repairDays(fields.map((field) => field.text));
  const isFirst = repaired[2] !== first;
  const field = isFirst ? 'day-of-month' : 'day-of-week';
  const which = first === '?' ? 'Neither day field says' : 'Both day fields say';
  let hint = restIsValid ? `Write \`${repaired.join(' ')}\`.` : `Write \`${repaired[isFirst ? 2 : 4]}\` in ${field}.`;
  if (!isFirst && repaired[4] === second) hint = 'Write `?` in one of them; for both, write two schedules.';
  return [
    {
      code: 'invalid-cron',
      field,
      ...spanOf(isFirst ? fields[2] : fields[4]),
      message: `${which} on which days to run. Exactly one of them is \`?\`, because AWS EventBridge cannot combine the two.`,
      hint,
    },
  ];
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

// A second reader for the fields that both know: the cron-validator package reads five fields of unix cron. It knows no
// year, no L or W and no backward range, so these are rewritten to something of the same shape that it can judge.

/**
 * Whether cron-validator accepts the first five fields of an expression. Meant for six fields that our own reader has
 * accepted: a refusal then reveals a mistake in one of the two readers, so the text is not sent.
 */
export function secondOpinionAccepts(fields: readonly string[]): boolean {
  const [minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = ''] = fields;
  const rewritten = [
    plainList(minutesSpec, minutes),
    plainList(hoursSpec, hours),
    plainList(dayOfMonthSpec, dayOfMonth.replace(/^LW?$/, '1').replace(/^(\d+)W$/, '$1')),
    plainList(monthSpec, month),
    plainList(dayOfWeekSpec, dayOfWeek.replace(/^L$/, '7').replace(/L$/, '')),
  ];
  return isValidCron(rewritten.join(' '), {
    alias: true,
    allowBlankDay: true,
    allowSevenAsSunday: true,
    allowNthWeekdayOfMonth: true,
  });
}

/** Numbers instead of names, and two ranges instead of a backward one: `FRI-MON` becomes `6-7,1-2`. */
function plainList({ names, lowest, highest }: FieldSpec, text: string): string {
  return text
    .replaceAll(/[a-z]{3}/gi, (name) => {
      const index = names.indexOf(name.toUpperCase());
      return index < 0 ? name : String(lowest + index);
    })
    .replaceAll(/(\d+)-(\d+)(\/\d+)?/g, (range, from, to, step = '') =>
      Number(from) <= Number(to) ? range : `${from}-${highest}${step},${lowest}-${to}${step}`,
    );
}
