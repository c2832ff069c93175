// Reads six fields into a Cron. Decides each field on its own, then the rule that joins the two day fields, then asks
// for the second opinion. Texts of another shape (five fields, `rate(...)`) are not its business: parse-cron.ts.

import { pushAll } from '../model/values/collections.ts';
import {
  type Cron,
  type CronProblem,
  type Days,
  dayOfMonthSpec,
  dayOfWeekSpec,
  type FieldSpec,
  hoursSpec,
  minutesSpec,
  monthSpec,
  yearSpec,
} from './cron.ts';
import { secondOpinionAccepts } from './second-opinion.ts';
import {
  invalid,
  readItem,
  readValue,
  readValues,
  sortedValues,
  spanOf,
  splitPiece,
  type TextPiece,
} from './value-rules.ts';

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

// Reads the two day fields: `?`, and the forms with L, W and # that stand for a day which moves from month to month.
// Everything else in them is a list as in any other field: value-rules.ts.

/** Returns undefined for `?`, and after adding an error. */
function readDayOfMonth(piece: TextPiece, problems: CronProblem[]): Days | undefined {
  if (piece.text === '?') return undefined;
  const items = splitPiece(piece, ',');
  if (!items.some((item) => hasMark(item))) {
    return plainDays('of-month', readValues(dayOfMonthSpec, piece, problems));
  }
  for (const item of items.length > 1 ? items : []) {
    if (hasMark(item)) problems.push(standsAlone('day-of-month', item));
    else readItem(dayOfMonthSpec, item, problems);
  }
  return items.length > 1 ? undefined : readMovingDay(piece, problems);
}

/** Returns undefined for `?`, and after adding an error. */
function readDayOfWeek(piece: TextPiece, problems: CronProblem[]): Days | undefined {
  if (piece.text === '?') return undefined;
  const items = splitPiece(piece, ',');
  if (items.length === 1) {
    const form = movingWeekday(piece.text);
    if (form !== undefined) return readMovingWeekday(piece, form, problems);
    return plainDays('of-week', readValues(dayOfWeekSpec, piece, problems));
  }
  const values = items.flatMap((item) => {
    if (movingWeekday(item.text) === undefined) return readItem(dayOfWeekSpec, item, problems);
    problems.push(standsAlone('day-of-week', item));
    return [];
  });
  return plainDays('of-week', sortedValues(values));
}

/** True if an item of day-of-month has an L or a W; Wednesday has one of its own. */
const hasMark = (item: TextPiece) => /L|W(?!ED)/i.test(item.text);

function plainDays(kind: 'of-month' | 'of-week', days: readonly number[]): Days | undefined {
  return days.length === 0 ? undefined : { kind, days };
}

function standsAlone(field: 'day-of-month' | 'day-of-week', item: TextPiece): CronProblem {
  const isSaturday = field === 'day-of-week' && item.text === 'L';
  return invalid(field, item, {
    message: `\`${item.text}\` is part of a list. A day with ${field === 'day-of-month' ? '`L` or `W`' : '`L` or `#`'} must be alone in its field.`,
    hint: isSaturday
      ? 'Write `SAT`, which is what `L` means in day-of-week.'
      : 'Write two schedules, one for each day.',
  });
}

/** `L`, `L-3`, `LW` and `15W`, or what is wrong with a text that looks like one of them. */
function readMovingDay(piece: TextPiece, problems: CronProblem[]): Days | undefined {
  const { text } = piece;
  if (text === 'L') return { kind: 'last', before: 0 };
  if (text === 'LW') {
    problems.push(undocumentedDay(piece, 'the last weekday of the month', 'write `L` for the last day'));
    return { kind: 'last-workday' };
  }
  if (/^L-\d+$/.test(text)) {
    const before = readValue(daysBeforeLastSpec, { text: text.slice(2), start: piece.start + 2 }, problems);
    if (before === undefined) return undefined;
    const days = before === 1 ? 'the day' : `${before} days`;
    const instead = 'choose a day that every month has, such as the 25th';
    problems.push(undocumentedDay(piece, `${days} before the last day of the month`, instead));
    return { kind: 'last', before };
  }
  if (/^\d+W$/.test(text)) {
    const day = readValue(dayOfMonthSpec, { text: text.slice(0, -1), start: piece.start }, problems);
    return day === undefined ? undefined : { kind: 'nearest-workday', day };
  }
  problems.push(
    invalid('day-of-month', piece, {
      message: `\`${text}\` is not a day of the month.`,
      hint: 'Write `L` for the last day, `L-3` for three days before it, or `15W` for the weekday nearest to the 15th. For a day of the week, write `?` here.',
    }),
  );
  return undefined;
}

/** The number of days before the last one: none is `L` itself, and no month has more. */
const daysBeforeLastSpec: FieldSpec = { ...dayOfMonthSpec, highest: 30 };

function undocumentedDay(piece: TextPiece, words: string, instead: string): CronProblem {
  const message = `\`${piece.text}\`, ${words}, is not documented by AWS EventBridge. It may be refused.`;
  const complaint = invalid('day-of-month', piece, { message, hint: `If it is refused, ${instead}.` });
  return { ...complaint, code: 'cron-undocumented' };
}

/** Splits `L`, `6L` and `2#1` into their parts; undefined for a text that has no such form. */
function movingWeekday(text: string): { day: string; mark: string; nth: string } | undefined {
  const match = /^([^#/-]*)(?:(#)(.*)|(L))$/.exec(text);
  return match === null ? undefined : { day: match[1] ?? '', mark: match[2] ?? match[4] ?? '', nth: match[3] ?? '' };
}

function readMovingWeekday(
  piece: TextPiece,
  { day: dayText, mark, nth }: { day: string; mark: string; nth: string },
  problems: CronProblem[],
): Days | undefined {
  const report = (message: string) => {
    problems.push(
      invalid('day-of-week', piece, { message, hint: 'Write it as `2#1`, the first Monday of the month.' }),
    );
    return undefined;
  };
  if (mark === 'L' && dayText === '') return { kind: 'of-week', days: [7] };
  if (dayText === '') return report(`\`${piece.text}\` does not say which day of the week.`);
  const day = readValue(dayOfWeekSpec, { text: dayText, start: piece.start }, problems);
  if (mark === 'L') return day === undefined ? undefined : { kind: 'last-weekday', day };
  if (!/^[1-5]$/.test(nth))
    return report(`\`${piece.text}\` names a week that no month has: after \`#\` comes a number from 1 to 5.`);
  return day === undefined ? undefined : { kind: 'nth-weekday', day, nth: Number(nth) };
}
